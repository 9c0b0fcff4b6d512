import {readFileSync} from 'node:fs';
import {gunzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {parseWorld} from '#cli/verbs/render-world.ts';
import {renderMarkdown} from '#server/markdown/render.ts';
import {clientLines, htmlLines} from './html-lines.ts';

/**
 * Compares both renderings of messages (HTML by the embedded server, lines by the client) with the HTML that a Zulip server
 * made: of a fixture, whose messages must stay equal, and of another file `{world, cases: [{markdown, html, kind}]}` named by
 * PARLEY_RENDER_PAIRS, for which it prints how much is equal (and, with PARLEY_RENDER_DIFFERENCES=1, what is not).
 */

type Pair = {markdown: string; html: string; kind?: string};
type Compared = Pair & {ours: string; lines: string[]; shown: string[]};

/** The messages of the fixture whose HTML or lines differ, by index. A message that is equal must be removed. */
const known = {
  html: [82, 100, 133, 134, 142, 201, 221],
  lines: [82, 100, 116, 134, 140, 142, 166, 168, 201, 210, 221, 258],
};

const otherFile = process.env.PARLEY_RENDER_PAIRS;

function readPairs(file: string | URL): {world: Record<string, unknown>; cases: Pair[]} {
  const bytes = readFileSync(file);
  return JSON.parse((bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('utf8'));
}

function compared(file: string | URL): Compared[] {
  const {world, cases} = readPairs(file);
  const {context} = parseWorld(world, String(file));
  return cases.map((pair) => ({
    ...pair,
    ours: renderMarkdown(pair.markdown, {...context, uploadKind: () => undefined}).html,
    lines: htmlLines(pair.html),
    shown: clientLines(pair.markdown, context),
  }));
}

function indexesOf(pairs: readonly Compared[], isDifferent: (pair: Compared) => boolean): number[] {
  return pairs.flatMap((pair, index) => (isDifferent(pair) ? [index] : []));
}

test('recorded messages: the server renders the HTML of a Zulip server, and the client shows its lines', () => {
  const pairs = compared(new URL('../../fixtures/markdown/recorded-pairs.json.gz', import.meta.url));
  expect(pairs.length).toBeGreaterThan(250);
  expect({
    html: indexesOf(pairs, ({html, ours}) => ours !== html),
    lines: indexesOf(pairs, ({lines, shown}) => commonLineCount(lines, shown) < Math.max(lines.length, shown.length)),
  }).toEqual(known);
});

test.runIf(otherFile !== undefined)('messages of a file: the share of equal HTML and of equal lines', () => {
  const pairs = compared(otherFile ?? '');
  for (const [kind, members] of Map.groupBy(pairs, (pair) => pair.kind ?? 'all')) {
    const share = (part: number, whole = members.length) =>
      `${part} of ${whole} (${((100 * part) / whole).toFixed(2)} %)`;
    const equal = members.filter(({html, ours}) => ours === html).length;
    const plain = members.filter(({html, ours}) => withoutClasses(ours) === withoutClasses(html)).length;
    const lineCount = members.reduce((sum, {lines, shown}) => sum + Math.max(lines.length, shown.length), 0);
    const equalLines = members.reduce((sum, {lines, shown}) => sum + commonLineCount(lines, shown), 0);
    process.stdout.write(
      `${kind}: HTML ${share(equal)}, without highlighting ${share(plain)}, lines ${share(equalLines, lineCount)}\n`,
    );
  }
  if (process.env.PARLEY_RENDER_DIFFERENCES !== undefined) printDifferences(pairs);
  expect(pairs.length).toBeGreaterThan(0);
});

/** Prints the differences, those with the same text before the first difference together. */
function printDifferences(pairs: readonly Compared[]): void {
  const groups = Map.groupBy(
    pairs.map((pair) => ({pair, text: firstDifference(pair)})).filter(({text}) => text !== undefined),
    ({text}) => text?.context,
  );
  for (const [context, members] of [...groups].sort(([, a], [, b]) => b.length - a.length)) {
    process.stdout.write(`\n== ${members.length} after ${context}\n`);
    for (const {pair, text} of members)
      process.stdout.write(`${pair.markdown.slice(0, 200)}\n-- server\n${text?.theirs}\n-- here\n${text?.ours}\n\n`);
  }
}

function firstDifference({html, ours}: Compared): {context: string; theirs: string; ours: string} | undefined {
  if (html === ours) return undefined;
  let at = 0;
  while (html[at] === ours[at]) at++;
  return {
    context: html.slice(Math.max(0, at - 20), at),
    theirs: html.slice(at, at + 200),
    ours: ours.slice(at, at + 200),
  };
}

/** Returns the length of the longest common subsequence. */
function commonLineCount(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const line of a) {
    const next = [0];
    for (let j = 0; j < b.length; j++)
      next.push(line === b[j] ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

function withoutClasses(html: string): string {
  return html.replace(/<code>[\s\S]*?<\/code>/g, (code) => code.replace(/<\/?span[^>]*>/g, ''));
}

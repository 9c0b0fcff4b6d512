import {readFileSync} from 'node:fs';
import {gunzipSync} from 'node:zlib';
import {parseWorld} from '#cli/verbs/render.ts';
import {renderMarkdown} from '#server/markdown/render.ts';
import {clientLines, htmlLines} from './html-lines.ts';

/** Messages that a Zulip server rendered, in a file `{world, cases: [{markdown, html, kind}]}`, beside both renderings of Parley. */

type Pair = {markdown: string; html: string; kind?: string};
type Compared = Pair & {ours: string; lines: string[]; shown: string[]};

function readPairs(file: string | URL): {world: Record<string, unknown>; cases: Pair[]} {
  const bytes = readFileSync(file);
  return JSON.parse((bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('utf8'));
}

/** Renders the messages of a file. */
export function compared(file: string | URL): Compared[] {
  const {world, cases} = readPairs(file);
  const {context} = parseWorld(world, String(file));
  return cases.map((pair) => ({
    ...pair,
    ours: renderMarkdown(pair.markdown, {...context, uploadKind: () => undefined}).html,
    lines: htmlLines(pair.html),
    shown: clientLines(pair.markdown, context),
  }));
}

export function indexesOf(pairs: readonly Compared[], isDifferent: (pair: Compared) => boolean): number[] {
  return pairs.flatMap((pair, index) => (isDifferent(pair) ? [index] : []));
}

export function areLinesEqual({lines, shown}: Compared): boolean {
  return commonLineCount(lines, shown) === Math.max(lines.length, shown.length);
}

/** Prints for each kind of message how much is equal. */
export function printShares(pairs: readonly Compared[]): void {
  for (const [kind, members] of Map.groupBy(pairs, (pair) => pair.kind ?? 'all')) {
    const share = (part: number, whole = members.length) =>
      `${part} of ${whole} (${((100 * part) / whole).toFixed(2)} %)`;
    const equal = members.filter(({html, ours}) => ours === html).length;
    const plain = members.filter(({html, ours}) => withoutClasses(ours) === withoutClasses(html)).length;
    const lineCount = members.reduce((sum, {lines, shown}) => sum + Math.max(lines.length, shown.length), 0);
    const equalLines = members.reduce((sum, {lines, shown}) => sum + commonLineCount(lines, shown), 0);
    process.stdout.write(
      `${kind}: lines ${share(equalLines, lineCount)}, HTML ${share(equal)}, without highlighting ${share(plain)}\n`,
    );
  }
}

/** Prints the differences, those with the same text before the first difference together. */
export function printDifferences(pairs: readonly Compared[]): void {
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

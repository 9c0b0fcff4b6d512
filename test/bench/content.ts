/** Measures rendering: common, long and hostile messages, linkifiers, highlighting, and the first message of a process. */
import {execFileSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {highlightCode} from '#content/highlight/highlight-code.ts';
import {compileLinkifier, findLinkifierMatches} from '#content/linkifier.ts';
import {parseMessage} from '#content/parse-message.ts';
import {renderMessage} from '#content/render/render-message.ts';
import type {RenderContext} from '#content/render/render-options.ts';
import {ansiLine} from '#content/styled-text/ansi.ts';
import type {Line} from '#content/styled-text/line.ts';
import {renderContext} from '#test/content/render/render-context-fixture.ts';
import {themes} from '#theme/themes.ts';
import {everyday, filled, hostile, linkifiers, long, size} from './content-inputs.ts';
import {ms, printTable, summary} from './table.ts';

const styles = themes.default.styleSheet('256');
/** Milliseconds: the hard limit and the goal for one message. */
const [limit, goal] = [25, 10];
const widths = [1, 7, 20, 80, 300];
const alertWords = ['urgent', 'deploy', 'Iago'];

/** Renders a message as the timeline does. */
function renderedLines(source: string, columns = 80, context: RenderContext = renderContext): readonly Line[] {
  const options = {width: columns, expanded: true, footLinks: true, alertWords};
  return renderMessage({source}, context, options).lines;
}

/** Renders a message and writes its escape sequences, as for a visible message. */
function paintedLength(source: string, columns = 80, context: RenderContext = renderContext): number {
  let length = 0;
  for (const line of renderedLines(source, columns, context)) length += ansiLine(line, styles).length;
  return length;
}

/** Returns the best time of several rounds in milliseconds, which excludes other load on the machine. */
function best(work: () => void, runs = 1, rounds = 6): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    for (let i = 0; i < runs; i++) work();
    fastest = Math.min(fastest, (performance.now() - start) / runs);
  }
  return fastest;
}

const micros = (milliseconds: number): string => `${(milliseconds * 1000).toFixed(1)} µs`;
const verdict = (milliseconds: number): string =>
  milliseconds > limit ? 'TOO SLOW' : milliseconds > goal ? 'slow' : '';
/** Four times the text takes four times as long if the work is linear, sixteen times if it is quadratic. */
const growthVerdict = (growth: number, milliseconds: number): string => (growth > 9 && milliseconds > 1 ? 'GROWS' : '');

function printColdStart(): void {
  const cold = (source: string): string => {
    const own = fileURLToPath(import.meta.url);
    const runs = Array.from({length: 5}, () =>
      Number(execFileSync(process.execPath, [own, 'cold', source], {encoding: 'utf8'})),
    );
    return ms(Math.min(...runs));
  };
  const rows = everyday.map(([name, source]) => [name, cold(source)]);
  printTable('The first message of a process', ['message', 'first'], rows);
}

/** Compares with a baseline: copying and splitting the text. */
function printEveryday(): void {
  const rows = everyday.map(([name, source]) => {
    const each = best(() => paintedLength(source), 2000);
    const floor = best(() => JSON.parse(JSON.stringify({source, spans: source.split(' ')})), 2000);
    return [name, micros(each), micros(floor), (each / floor).toFixed(0), each > 0.1 ? 'slow' : ''];
  });
  printTable('A message', ['message', 'each', 'baseline', 'times', ''], rows);
}

function printLong(): void {
  const rows = long.map(([name, source]) => {
    const [wide, narrow] = [best(() => paintedLength(source), 5), best(() => paintedLength(source, 20), 5)];
    return [name, ms(best(() => parseMessage(source, renderContext), 5)), ms(wide), ms(narrow), verdict(narrow)];
  });
  printTable(`${size} characters`, ['of', 'tokens', '80 columns', '20 columns', ''], rows);
}

function printHostile(): void {
  const costs = (source: string, rounds: number): number[] =>
    widths.map((columns) => best(() => renderedLines(source, columns), 1, rounds));
  const slowest = hostile
    .map(([name, source]) => ({name, source, cost: Math.max(...costs(source(size), 2))}))
    .sort((one, other) => other.cost - one.cost)
    .slice(0, 20);
  const rows = slowest.map(({name, source}) => {
    const [text, quarter] = [source(size), source(size / 4)];
    const parse = best(() => parseMessage(text, renderContext), 1, 12);
    const each = costs(text, 12);
    const growth = [
      parse / best(() => parseMessage(quarter, renderContext), 1, 12),
      Math.max(...each) / Math.max(...costs(quarter, 12)),
    ];
    const flag = verdict(Math.max(...each)) || growthVerdict(Math.max(...growth), Math.max(...each));
    return [name, ms(parse), ...each.map(ms), ...growth.map((times) => times.toFixed(1)), flag];
  });
  printTable(
    `${size} hostile characters: the slowest, by columns, and the growth from a quarter of the length`,
    ['of', 'tokens', ...widths.map(String), 'tokens', 'lines', ''],
    rows,
  );
}

function printLinkifiers(): void {
  const compiled = linkifiers.map(([pattern]) => compileLinkifier({pattern, urlTemplate: 'https://e.org/'}));
  const rows = linkifiers.map(([pattern, piece], i) => {
    const linkifier = compiled[i];
    if (linkifier === undefined) throw new Error(`${pattern} does not compile`);
    const search = (length: number): number => best(() => findLinkifierMatches(filled(piece, length), linkifier));
    const [quarter, whole] = [search(size / 4), search(size)];
    const growth = whole / quarter;
    const name = pattern.length > 30 ? `${pattern.slice(0, 29)}…` : pattern;
    return [name, ms(whole), growth.toFixed(1), growthVerdict(growth, whole) || verdict(whole)];
  });
  printTable(`Linkifiers in ${size} characters`, ['pattern', 'all matches', 'of a quarter', ''], rows);
  const many = Array.from({length: 5}, () => compiled.filter((each) => each !== undefined)).flat();
  const context = {...renderContext, linkifiers: many};
  printTable(
    `${many.length} linkifiers`,
    ['message', 'each'],
    [
      ...everyday
        .slice(0, 3)
        .map(([name, source]) => [name, micros(best(() => paintedLength(source, 80, context), 200))]),
      [`${size} characters of prose`, ms(best(() => paintedLength(long[0]?.[1] ?? '', 80, context)))],
    ],
  );
}

/** Measures how long the main thread is blocked while the worker highlights code. */
async function printHighlighting(): Promise<void> {
  const codes = [
    ['the first', 'ts', filled('export const x = f(`y`); // why\n', 7900)],
    ['the second', 'ts', filled('export const z = f(`y`); // why\n', 7900)],
    ['a slow grammar', 'postgresql', filled("select * from t where a = 'b';\n", 7900)],
    ['backtracking', 'c', `${'a '.repeat(245)}\n`.repeat(16)],
  ] as const;
  const rows: string[][] = [];
  for (const [name, language, code] of codes) {
    let [isDone, last, blockedMs] = [false, performance.now(), 0];
    const turn = (): void => {
      blockedMs = Math.max(blockedMs, performance.now() - last);
      last = performance.now();
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    const start = performance.now();
    const highlighted = await highlightCode(language, code);
    const took = performance.now() - start;
    isDone = true;
    rows.push([name, highlighted === undefined ? 'plain' : 'highlighted', ms(took), ms(blockedMs)]);
  }
  printTable('Highlighting', ['code', '', 'after', 'blocked for'], rows);
}

function printThroughput(): void {
  const samples: number[] = [];
  const start = performance.now();
  for (let i = 0; i < 10_000; i++) {
    const from = performance.now();
    paintedLength(`${everyday[i % everyday.length]?.[1] ?? ''} ${i}`);
    samples.push(performance.now() - from);
  }
  const {p50, p99, worst} = summary(samples);
  const row = ['each once', ms(performance.now() - start), micros(p50), micros(p99), micros(worst)];
  printTable('10,000 messages', ['', 'all', 'p50', 'p99', 'worst'], [row]);
}

if (process.argv[2] === 'cold') {
  const start = performance.now();
  paintedLength(process.argv[3] ?? '');
  console.log(performance.now() - start);
} else {
  printColdStart();
  printEveryday();
  printLong();
  printHostile();
  printLinkifiers();
  printThroughput();
  await printHighlighting();
}

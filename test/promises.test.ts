import {existsSync, globSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';

/** How many halves of promises have no test. Lower it with each test that is written; it must not rise. */
const halvesWithoutTest = 0;

interface PromiseRow {
  readonly document: string;
  readonly quote: string;
  readonly halves: readonly string[];
}

const documents = ['README.md', ...globSync('assets/help/*.md').toSorted()];
const sections = readFileSync('test/promises.md', 'utf8').split(/^## /m).slice(1);
const rows = sections.flatMap((section): readonly PromiseRow[] => {
  const [document = '', ...lines] = section.split('\n');
  // The first two lines of a table are its titles and the rule below them.
  return lines
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => {
      const [quote = '', ...halves] = line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.trim());
      return {document, quote, halves};
    });
});

const withSingleSpaces = (text: string) => text.replaceAll(/\s+/g, ' ');

const texts = new Map<string, string>();
function textOf(file: string): string {
  const text = texts.get(file) ?? readFileSync(file, 'utf8');
  texts.set(file, text);
  return text;
}

/** Returns what is wrong with a cell that names a test. */
function problemOf(cell: string): string | undefined {
  if (cell === 'no test yet' || /^- \(.+\)$/.test(cell)) return undefined;
  const [, name, title] = /^`([^`]+)`: (.+)$/.exec(cell) ?? [];
  if (name === undefined || title === undefined)
    return `“${cell}” is none of “\`file\`: title”, “- (reason)” and “no test yet”`;
  const file = `test/${name}`;
  if (!existsSync(file)) return `there is no ${file}`;
  const isTitled = ["'", '"', '`'].some((quote) => textOf(file).includes(`${quote}${title}${quote}`));
  return isTitled ? undefined : `${file} has no test “${title}”`;
}

function problemsOf({document, quote, halves}: PromiseRow): readonly string[] {
  const isQuoted = documents.includes(document) && withSingleSpaces(textOf(document)).includes(withSingleSpaces(quote));
  const problems = [
    ...(isQuoted ? [] : [`the document does not say this`]),
    ...(halves.length === 2 ? [] : [`${halves.length} halves instead of 2`]),
    ...(halves[0]?.startsWith('- ') ? ['the first half needs a test'] : []),
    ...halves.flatMap((half) => problemOf(half) ?? []),
  ];
  return problems.map((problem) => `${document}: “${quote}”: ${problem}`);
}

test('promises: README and each chapter of the manual have one section, with promises', () => {
  expect(sections.map((section) => section.split('\n')[0]).toSorted()).toEqual(documents.toSorted());
  const named = new Set(rows.map(({document}) => document));
  expect(documents.filter((document) => !named.has(document))).toEqual([]);
});

test('promises: each quote stands in its document, and each test exists', () => {
  expect(rows.flatMap(problemsOf)).toEqual([]);
});

test('promises: no row is repeated', () => {
  const keys = rows.map(({document, quote}) => `${document}: “${withSingleSpaces(quote)}”`);
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
});

test('promises: the number of halves without a test is the one above, and only falls', () => {
  const missing = rows.flatMap(({halves}) => halves).filter((half) => half === 'no test yet');
  expect(missing).toHaveLength(halvesWithoutTest);
});

import {expect, test} from 'vitest';
import {parseMessage} from '#content/parse-message.ts';

/** Inputs for which a rule could scan the whole rest for each line and take quadratic time. */
const lineByLine = {
  'headings between lines of code': 'a\n# \n    ',
  'rules before a bar': '---\n',
  'a bar above each rule': '|\n---\n:',
  'bordered rows above each rule': '|\n|-\n---\n',
  'fences with nothing in them': '\n```\n',
  'headings in an item': '# \n  ',
  tabs: '\ta',
};

/** Counts the copied text and lines. Times would vary on a busy machine. */
function copiedLength(work: () => void): number {
  let count = 0;
  const counted = [
    [String.prototype, 'split'],
    [String.prototype, 'replace'],
    [Array.prototype, 'concat'],
    [Array, 'from'],
  ] as const;
  const originals = counted.map(([prototype, name]) => [prototype, name, Reflect.get(prototype, name)] as const);
  const define = (prototype: object, name: string, value: unknown): void => {
    Object.defineProperty(prototype, name, {value, writable: true, configurable: true});
  };
  try {
    for (const [prototype, name, original] of originals) {
      define(prototype, name, function (this: {length: number}, ...parameters: unknown[]): unknown {
        count += prototype === Array ? Object(parameters[0]).length : this.length;
        return Reflect.apply(original, this, parameters);
      });
    }
    work();
  } finally {
    for (const [prototype, name, original] of originals) define(prototype, name, original);
  }
  return count;
}

test.each(Object.entries(lineByLine))('parseMessage: %s take linear work', (_, piece) => {
  const read = (length: number): number =>
    copiedLength(() => parseMessage(`* a\n\n* ${piece.repeat(length / piece.length)}a|#a`)) +
    copiedLength(() => parseMessage(`${piece.repeat(length / piece.length)}a|#a`));
  expect(read(16_000) / read(2000)).toBeLessThan(12);
});

test('parseMessage: a wide table with many short rows stays text', () => {
  const bars = '|'.repeat(1000);
  const wide = `${bars}\n${bars}\n${'a\n'.repeat(1000)}`;
  expect(parseMessage(wide).map(({type}) => type)).toEqual(['paragraph']);
  expect(parseMessage(`a | b\n-|-\n${'a\n'.repeat(1000)}`)).toMatchObject([
    {type: 'table', align: [undefined, undefined]},
  ]);
});

test('parseMessage: headings in a list item beyond the depth limit are still parsed', () => {
  const tokens = parseMessage(`* a\n\n* ${'# b\n  '.repeat(5000)}`);
  expect(JSON.stringify(tokens).match(/"heading"/g)).toHaveLength(5000);
});

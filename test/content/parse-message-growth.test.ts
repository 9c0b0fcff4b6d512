import {expect, test} from 'vitest';
import {parseMessage} from '#content/parse-message.ts';

/** Each of these once cost the square of its length: a rule that takes a line read all that followed it. */
const lineByLine = {
  'headings between lines of code': 'a\n# \n    ',
  'rules before a bar': '---\n',
  'a bar above each rule': '|\n---\n:',
  'bordered rows above each rule': '|\n|-\n---\n',
  'fences with nothing in them': '\n```\n',
  'headings in an item': '# \n  ',
};

/** How much text and how many lines were copied as a whole. Counted, because time says little on a busy machine. */
function copied(work: () => void): number {
  let count = 0;
  const counted = [
    [String.prototype, 'split'],
    [String.prototype, 'replace'],
    [Array.prototype, 'concat'],
  ] as const;
  const originals = counted.map(
    ([prototype, name]) => [prototype, name, Reflect.get(prototype, name)] as const,
  );
  const put = (prototype: object, name: string, value: unknown): void => {
    Object.defineProperty(prototype, name, {value, writable: true, configurable: true});
  };
  try {
    for (const [prototype, name, original] of originals) {
      put(prototype, name, function (this: {length: number}, ...parameters: unknown[]): unknown {
        count += this.length;
        return Reflect.apply(original, this, parameters);
      });
    }
    work();
  } finally {
    for (const [prototype, name, original] of originals) put(prototype, name, original);
  }
  return count;
}

test.each(Object.entries(lineByLine))('%s are read in proportion to their length', (_, piece) => {
  const read = (length: number): number =>
    copied(() => parseMessage(`* a\n\n* ${piece.repeat(length / piece.length)}a|#a`)) +
    copied(() => parseMessage(`${piece.repeat(length / piece.length)}a|#a`));
  expect(read(16_000) / read(2000)).toBeLessThan(12);
});

test('a wide table with many short rows stays text instead of being filled up', () => {
  const bars = '|'.repeat(1000);
  const wide = `${bars}\n${bars}\n${'a\n'.repeat(1000)}`;
  expect(parseMessage(wide).map(({type}) => type)).toEqual(['paragraph']);
  expect(parseMessage(`a | b\n-|-\n${'a\n'.repeat(1000)}`)).toMatchObject([
    {type: 'table', align: [undefined, undefined]},
  ]);
});

test('headings in an item are as deep as they may be, and then go on', () => {
  const tokens = parseMessage(`* a\n\n* ${'# b\n  '.repeat(5000)}`);
  expect(JSON.stringify(tokens).match(/"heading"/g)).toHaveLength(5000);
});

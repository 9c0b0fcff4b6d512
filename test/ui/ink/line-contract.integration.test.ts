import {expect, test} from 'vitest';
import {assertLineContract} from '#test/support/line-contract.ts';

test('line contract: allows styled, linked and wide text', () => {
  const link = '\u001b]8;id=a;https://example.com\u001b\\here\u001b]8;;\u001b\\';
  assertLineContract(['', 'plain', '\u001b[1;31mbold\u001b[22;39m', link, '会議👍🏽'], 6);
});

test.each([
  ['wider than its pane', '1234567'],
  ['a wide character over the edge', '12345会'],
  ['a style left open', '\u001b[1mbold'],
  ['a link left open', '\u001b]8;;https://example.com\u001b\\here'],
  ['a reset', '\u001b[31mred\u001b[0m'],
  ['a short reset', '\u001b[31mred\u001b[m'],
  ['a tab', 'a\tb'],
  ['a line break', 'a\nb'],
  ['a cursor movement', '\u001b[2Ka'],
])('line contract: rejects %s', (_, line) => {
  expect(() => assertLineContract([line], 6)).toThrow();
});

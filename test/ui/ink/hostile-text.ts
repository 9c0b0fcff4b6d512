import fc from 'fast-check';

const fragments = fc.constantFrom(
  'a',
  'word',
  'two words',
  '  ',
  '──┼──',
  'naïve',
  '会議',
  '한국어',
  'ｆｕｌｌ',
  'e\u0301',
  '👍🏽',
  '🎉',
  '🌡',
  '🌡\ufe0f',
  '🧑‍⚕\ufe0f',
  '👩‍👩‍👧‍👦',
  '🇩🇪',
  '❤\ufe0f',
  '1\ufe0f\u20e3',
  'привет',
  '…“”→≤',
  '\u00ad',
  '\u200b',
);

// No faint text: stock Ink loses bold where faint ends within it.
const styles = fc.constantFrom(
  ['\u001b[1m', '\u001b[22m'],
  ['\u001b[3m', '\u001b[23m'],
  ['\u001b[4m', '\u001b[24m'],
  ['\u001b[7m', '\u001b[27m'],
  ['\u001b[9m', '\u001b[29m'],
  ['\u001b[31m', '\u001b[39m'],
  ['\u001b[1;92m', '\u001b[22;39m'],
  ['\u001b[44m', '\u001b[49m'],
  ['\u001b[38;5;200m', '\u001b[39m'],
  ['\u001b[48;2;1;2;3m', '\u001b[49m'],
  ['\u001b[3m', ''],
  ['\u001b[35m', '\u001b[0m'],
  ['\u001b]8;id=a;https://example.com/a\u001b\\', '\u001b]8;;\u001b\\'],
  ['\u001b]8;;https://example.com/b\u0007', '\u001b]8;;\u0007'],
);

/** Valid and invalid lines: also with styles left open, resets and invisible characters. */
export const hostileLine: fc.Arbitrary<string> = fc
  .array(fc.tuple(fragments, fc.option(styles, {nil: ['', '']})), {minLength: 0, maxLength: 5})
  .map((parts) => parts.map(([text, [open, close]]) => `${open}${text}${close}`).join(''));

export const hostileText = fc.array(hostileLine, {minLength: 1, maxLength: 4}).map((lines) => lines.join('\n'));

/** The codes by which terminals send keys without a character, in the encodings that are in use. */

/** The last byte of `ESC [ … x` and `ESC O x`. */
export const keysByLetter: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{A: 'Up', B: 'Down', C: 'Right', D: 'Left', H: 'Home', F: 'End'},
    ...{P: 'F1', Q: 'F2', R: 'F3', S: 'F4', Z: 'Tab'},
  }),
);

/** The number in `ESC [ n ~`. */
export const keysByNumber: ReadonlyMap<number, string> = new Map([
  ...numbered(1, ['Home', 'Insert', 'Delete', 'End', 'PageUp', 'PageDown', 'Home', 'End']),
  ...numbered(11, ['F1', 'F2', 'F3', 'F4', 'F5']),
  ...numbered(17, ['F6', 'F7', 'F8', 'F9', 'F10']),
  ...numbered(23, ['F11', 'F12', 'F13', 'F14']),
  ...numbered(28, ['F15', 'F16']),
  ...numbered(31, ['F17', 'F18', 'F19', 'F20']),
]);

/** The last byte of `ESC O x` for keypad keys, in addition to those of `keysByLetter`. */
export const keypadByLetter: ReadonlyMap<string, string> = new Map([
  ...Object.entries({M: 'Enter', I: 'Tab', X: '='}),
  ...Array.from('*+,-./0123456789', (sign, index): [string, string] => [String.fromCharCode(0x6a + index), sign]),
]);

/** The number in `ESC [ n u` where it is not a character. */
export const keysByCode: ReadonlyMap<number, string> = new Map([
  ...Object.entries({8: 'Backspace', 9: 'Tab', 13: 'Enter', 27: 'Esc', 32: 'Space', 127: 'Backspace'}).map(
    ([code, name]): [number, string] => [Number(code), name],
  ),
  ...numbered(
    57376,
    Array.from({length: 23}, (_, index) => `F${index + 13}`),
  ),
  ...numbered(57399, [...'0123456789./*-+', 'Enter', '=', ',']),
  ...numbered(57417, ['Left', 'Right', 'Up', 'Down', 'PageUp', 'PageDown', 'Home', 'End', 'Insert', 'Delete']),
]);

function numbered(first: number, names: readonly string[]): [number, string][] {
  return names.map((name, index) => [first + index, name]);
}

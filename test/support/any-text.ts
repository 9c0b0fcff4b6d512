import fc from 'fast-check';

/**
 * Generates texts of any characters, also lone surrogates. `fc.string({unit: 'binary'})` does the same, but first makes a table
 * of all characters, which takes a second.
 */
export function anyText(maxLength?: number): fc.Arbitrary<string> {
  const codes = fc.array(fc.integer({min: 0, max: 0x10ffff}), maxLength === undefined ? {} : {maxLength});
  return codes.map((all) => String.fromCodePoint(...all));
}

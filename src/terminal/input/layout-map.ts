import {type Key, keyOf} from './key.ts';

const qwerty = "`qwertyuiop[]asdfghjkl;'\\zxcvbnm,.";
const shifted = '~QWERTYUIOP{}ASDFGHJKL:"|ZXCVBNM<>';
/**
 * The character of each US key in other layouts, `_` where it is Latin. The Ukrainian `і` is on S; on the
 * Belarusian keyboard it is on B, and since both are the same character, only one can be mapped.
 */
const layouts = [
  'ёйцукенгшщзхъфывапролджэ_ячсмитьбю',
  '____________ї_і________єґ_________',
  '_________ў________________________',
  '__ςερτυθιοπ__ασδφγηξκλ___ζχψωβνμ__',
];

/** Maps characters to US keys. Capitals map to capitals; `ς` has none. */
const usKeys: ReadonlyMap<string, string> = new Map([
  ['№', '#'],
  ...layouts.flatMap((layout) => [...pairs(layout.toUpperCase(), shifted), ...pairs(layout, qwerty)]),
]);

function pairs(signs: string, keys: string): [string, string][] {
  return Array.from(signs, (sign, index): [string, string] => [sign, keys[index] ?? sign]).filter(
    ([sign]) => sign !== '_',
  );
}

/**
 * Returns the key for commands: a non-Latin character becomes the character of the same position on a US
 * keyboard, with its case. Latin characters stay as they are. Not for text fields.
 */
export function commandKey(key: Key): Key {
  if (!/^[^\p{ASCII}]$/u.test(key.name)) return key;
  const name = key.base === undefined ? usKeys.get(key.name) : withCase(key.base, key.name);
  return name === undefined ? key : keyOf(name, key);
}

function withCase(base: string, sign: string): string {
  const index = qwerty.indexOf(base);
  const isCapital = sign.toLowerCase() !== sign;
  return isCapital && index >= 0 ? (shifted[index] ?? base) : base;
}

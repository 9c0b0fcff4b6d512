import {type Key, keyOf} from './key.ts';

const qwerty = "`qwertyuiop[]asdfghjkl;'\\zxcvbnm,.";
const shifted = '~QWERTYUIOP{}ASDFGHJKL:"|ZXCVBNM<>';
/**
 * What each place writes in other scripts, `_` where it writes something Latin. The Ukrainian `і` is at S; on the
 * Belarusian keyboard it is at B, and since it is the same character, one of them has to give way.
 */
const layouts = [
  'ёйцукенгшщзхъфывапролджэ_ячсмитьбю',
  '____________ї_і________єґ_________',
  '_________ў________________________',
  '__ςερτυθιοπ__ασδφγηξκλ___ζχψωβνμ__',
];

/** Capitals are mapped from capitals; `ς` has none of its own. */
const sameplace: ReadonlyMap<string, string> = new Map([
  ['№', '#'],
  ...layouts.flatMap((layout) => [...pairs(layout.toUpperCase(), shifted), ...pairs(layout, qwerty)]),
]);

function pairs(signs: string, keys: string): [string, string][] {
  return Array.from(signs, (sign, index): [string, string] => [sign, keys[index] ?? sign]).filter(
    ([sign]) => sign !== '_',
  );
}

/**
 * The key as commands know it: what another script writes is the key in the same place of a US keyboard, capitals as
 * capitals. Latin characters stay what they are, wherever their key is. Never for text fields.
 */
export function commandKey(key: Key): Key {
  if (!/^[^\p{ASCII}]$/u.test(key.name)) return key;
  const name = key.base === undefined ? sameplace.get(key.name) : basePlace(key.base, key.name);
  return name === undefined ? key : keyOf(name, key);
}

function basePlace(base: string, sign: string): string {
  const index = qwerty.indexOf(base);
  const isCapital = sign.toLowerCase() !== sign;
  return isCapital && index >= 0 ? (shifted[index] ?? base) : base;
}

import type {InputEvent} from './input-events.ts';
import {keyOf, type Modifiers} from './key.ts';
import {keysByCode} from './named-keys.ts';

/** The parameters of a sequence: between semicolons, each with its parts between colons. Absent numbers are undefined. */
export type Parameters = readonly (readonly (number | undefined)[])[];

/** Undefined when it holds anything but numbers. */
export function parametersOf(text: string): Parameters | undefined {
  if (!/^[\d:;]*$/.test(text)) return undefined;
  return text.split(';').map((part) => part.split(':').map((digits) => numberOf(digits)));
}

function numberOf(digits: string): number | undefined {
  return digits === '' || digits.length > 9 ? undefined : Number(digits);
}

/** How a key was held, by the second parameter of its sequence. */
export interface KeyPress extends Modifiers {
  /** It is let go, which says nothing to us. */
  readonly isRelease: boolean;
  /** With a modifier that no command of ours has, such as Cmd: then it is another key altogether. */
  readonly isForeign: boolean;
}

export function keyPressOf([modifiers, eventType]: readonly (number | undefined)[] = []): KeyPress {
  const bits = Math.max((modifiers ?? 1) - 1, 0);
  return {
    shift: (bits & 1) !== 0,
    alt: (bits & (2 | 32)) !== 0,
    ctrl: (bits & 4) !== 0,
    isForeign: (bits & (8 | 16)) !== 0,
    isRelease: eventType === 3,
  };
}

/** `ESC [ code:shifted:base ; modifiers:type ; text u`. Undefined: no key of ours. */
export function codePointKey(parameters: Parameters): InputEvent | undefined {
  const [[code, shifted, base] = [], held, points] = parameters;
  const press = keyPressOf(held);
  if (code === undefined || press.isForeign) return undefined;
  const text = points === undefined ? undefined : textOf(points);
  const name = keysByCode.get(code);
  if (name !== undefined) return {kind: 'key', key: keyOf(name, press)};
  const sign = characterOf((press.shift ? shifted : undefined) ?? code);
  if (sign === undefined) return undefined;
  const isShiftDone = shifted !== undefined;
  return {kind: 'key', key: characterKey(sign, press, isShiftDone, {text, base: characterOf(base)})};
}

/** `ESC [ 27 ; modifiers ; code ~`, where the code has Shift in it already. */
export function modifyOtherKeysKey(parameters: Parameters): InputEvent | undefined {
  const [, held, [code] = []] = parameters;
  const press = keyPressOf(held);
  if (code === undefined || press.isForeign) return undefined;
  const name = keysByCode.get(code);
  if (name !== undefined) return {kind: 'key', key: keyOf(name, press)};
  const sign = characterOf(code);
  return sign === undefined ? undefined : {kind: 'key', key: characterKey(sign, press, true, {})};
}

/** With Shift done, only letters under Ctrl still need to hear of it: their capital is lost there. */
function characterKey(
  sign: string,
  press: KeyPress,
  isShiftDone: boolean,
  writing: {readonly text?: string | undefined; readonly base?: string | undefined},
) {
  const isLetter = sign.toLowerCase() !== sign.toUpperCase();
  return keyOf(sign, {...press, shift: press.shift === true && (isLetter || !isShiftDone)}, writing);
}

/** Private use is where kitty numbers keys that write nothing; they are not characters. */
function characterOf(code: number | undefined): string | undefined {
  if (code === undefined || code > 0x10ffff || (code >= 0xe000 && code <= 0xf8ff)) return undefined;
  const character = String.fromCodePoint(code);
  return /^[^\p{Cc}\p{Cs}]$/u.test(character) ? character : undefined;
}

function textOf(points: readonly (number | undefined)[]): string | undefined {
  const characters = points.map(characterOf);
  return characters.includes(undefined) ? undefined : characters.join('');
}

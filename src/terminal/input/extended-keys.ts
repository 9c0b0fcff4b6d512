import type {InputEvent} from './input-events.ts';
import {keyOf, type Modifiers} from './key.ts';
import {keysByCode} from './named-keys.ts';

/** The parameters of a sequence, split at semicolons, and each at colons. Missing numbers are undefined. */
export type Parameters = readonly (readonly (number | undefined)[])[];

/** Parses parameters; undefined when the text contains anything but numbers. */
export function parametersOf(text: string): Parameters | undefined {
  if (!/^[\d:;]*$/.test(text)) return undefined;
  return text.split(';').map((part) => part.split(':').map((digits) => numberOf(digits)));
}

function numberOf(digits: string): number | undefined {
  return digits === '' || digits.length > 9 ? undefined : Number(digits);
}

/** The modifiers and the type of a key event, from the second parameter of its sequence. */
export interface KeyPress extends Modifiers {
  /** Whether the key is released, which is ignored. */
  readonly isRelease: boolean;
  /** Whether a modifier is pressed that Parley does not use, such as Cmd. */
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

/** Parses `ESC [ code:shifted:base ; modifiers:type ; text u`. Returns undefined for keys that Parley does not use. */
export function codePointKey(parameters: Parameters): InputEvent | undefined {
  const [[code, shifted, base] = [], modifiers, points] = parameters;
  const press = keyPressOf(modifiers);
  if (code === undefined || press.isForeign) return undefined;
  const text = points === undefined ? undefined : textOf(points);
  const name = keysByCode.get(code);
  if (name !== undefined) return {kind: 'key', key: keyOf(name, press)};
  const character = characterOf((press.shift ? shifted : undefined) ?? code);
  if (character === undefined) return undefined;
  const includesShift = shifted !== undefined;
  return {kind: 'key', key: characterKey(character, press, includesShift, {text, base: characterOf(base)})};
}

/** Parses `ESC [ 27 ; modifiers ; code ~`, in which the code already includes Shift. */
export function modifyOtherKeysKey(parameters: Parameters): InputEvent | undefined {
  const [, modifiers, [code] = []] = parameters;
  const press = keyPressOf(modifiers);
  if (code === undefined || press.isForeign) return undefined;
  const name = keysByCode.get(code);
  if (name !== undefined) return {kind: 'key', key: keyOf(name, press)};
  const character = characterOf(code);
  return character === undefined ? undefined : {kind: 'key', key: characterKey(character, press, true, {})};
}

/**
 * Returns the key of a character. If Shift is included in the character, it is only reported for letters,
 * whose case Ctrl ignores.
 */
function characterKey(
  character: string,
  press: KeyPress,
  includesShift: boolean,
  keyText: {readonly text?: string | undefined; readonly base?: string | undefined},
) {
  const isLetter = character.toLowerCase() !== character.toUpperCase();
  return keyOf(character, {...press, shift: press.shift === true && (isLetter || !includesShift)}, keyText);
}

/** Returns the character of a code point. In the private use area kitty numbers keys that are not characters. */
function characterOf(code: number | undefined): string | undefined {
  if (code === undefined || code > 0x10ffff || (code >= 0xe000 && code <= 0xf8ff)) return undefined;
  const character = String.fromCodePoint(code);
  return /^[^\p{Cc}\p{Cs}]$/u.test(character) ? character : undefined;
}

function textOf(points: readonly (number | undefined)[]): string | undefined {
  const characters = points.map(characterOf);
  return characters.includes(undefined) ? undefined : characters.join('');
}

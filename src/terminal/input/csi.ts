/** The codes by which terminals send keys without a character, in the encodings that are in use. */

import type {InputEvent, MouseEvent} from './input-events.ts';
import {keyOf, type Modifiers} from './key.ts';
import {csiReply} from './terminal-replies.ts';

/** The last byte of `ESC [ … x` and `ESC O x`. */
const keysByLetter: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{A: 'Up', B: 'Down', C: 'Right', D: 'Left', H: 'Home', F: 'End'},
    ...{P: 'F1', Q: 'F2', R: 'F3', S: 'F4', Z: 'Tab'},
  }),
);

/** The number in `ESC [ n ~`. */
const keysByNumber: ReadonlyMap<number, string> = new Map([
  ...numbered(1, ['Home', 'Insert', 'Delete', 'End', 'PageUp', 'PageDown', 'Home', 'End']),
  ...numbered(11, ['F1', 'F2', 'F3', 'F4', 'F5']),
  ...numbered(17, ['F6', 'F7', 'F8', 'F9', 'F10']),
  ...numbered(23, ['F11', 'F12', 'F13', 'F14']),
  ...numbered(28, ['F15', 'F16']),
  ...numbered(31, ['F17', 'F18', 'F19', 'F20']),
]);

/** The last byte of `ESC O x` for keypad keys, in addition to those of `keysByLetter`. */
const keypadByLetter: ReadonlyMap<string, string> = new Map([
  ...Object.entries({M: 'Enter', I: 'Tab', X: '='}),
  ...Array.from('*+,-./0123456789', (sign, index): [string, string] => [String.fromCharCode(0x6a + index), sign]),
]);

/** The number in `ESC [ n u` where it is not a character. */
const keysByCode: ReadonlyMap<number, string> = new Map([
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

/**
 * Returns the event of `ESC [ body final`, or undefined for an unknown sequence. In old terminals a cursor report and
 * F3 with a modifier look the same (`ESC [ 1 ; 5 R`); it is taken for the report, because no command uses that key.
 */
export function csiEvent(body: string, final: string): InputEvent | undefined {
  if (body === '' && (final === 'I' || final === 'O')) return {kind: 'focus', gained: final === 'I'};
  const reply = csiReply(body, final);
  if (reply !== undefined) return {kind: 'reply', reply};
  if (final === 'M' || final === 'm') return mouseReport(body, final);
  const modifiers = rxvtModifiers[final];
  if (modifiers !== undefined && /^\d+$/.test(body)) return numberedKey(Number(body), modifiers);
  const parameters = parametersOf(body);
  if (parameters === undefined) return undefined;
  if (final === 'u') return codePointKey(parameters);
  return final === '~' ? tildeKey(parameters) : letterKey(parameters, final);
}

/** Returns whether the sequence reports the release of a key, which is ignored. */
export function isRelease(body: string, final: string): boolean {
  return /[u~A-HPQS]/.test(final) && /^[\d:]*;\d*:3(?:;|$)/.test(body);
}

const rxvtModifiers: Readonly<Record<string, {readonly ctrl?: boolean; readonly shift?: boolean}>> = {
  $: {shift: true},
  '^': {ctrl: true},
  '@': {ctrl: true, shift: true},
};

/** Returns the event of `ESC O body final`: application mode keys, F1 to F4 and the keypad. */
export function ss3Event(body: string, final: string): InputEvent | undefined {
  const parameters = parametersOf(body);
  const name = keypadByLetter.get(final);
  if (parameters === undefined) return undefined;
  if (name !== undefined) return {kind: 'key', key: keyOf(name, pressOf(parameters))};
  if (body === '' && /[a-d]/.test(final)) return arrow(final, {ctrl: true});
  return letterKey(parameters, final);
}

/** F1 to F5 of the Linux console, `ESC [ [ letter`. */
export function consoleKey(letter: string): InputEvent | undefined {
  const index = 'ABCDE'.indexOf(letter);
  return index < 0 ? undefined : {kind: 'key', key: keyOf(`F${index + 1}`)};
}

function letterKey(parameters: Parameters, final: string): InputEvent | undefined {
  if (/[a-d]/.test(final)) return parameters.flat().length === 1 ? arrow(final, {shift: true}) : undefined;
  const name = keysByLetter.get(final);
  const press = pressOf(parameters);
  if (name === undefined || press.isForeign) return undefined;
  return {kind: 'key', key: keyOf(name, final === 'Z' ? {...press, shift: true} : press)};
}

/** Returns the modifiers of a key. Some terminals leave out the 1 before them. */
function pressOf(parameters: Parameters) {
  return keyPressOf(parameters[1] ?? parameters[0]);
}

function arrow(letter: string, modifiers: {readonly ctrl?: boolean; readonly shift?: boolean}): InputEvent {
  return {kind: 'key', key: keyOf(keysByLetter.get(letter.toUpperCase()) ?? letter, modifiers)};
}

function tildeKey(parameters: Parameters): InputEvent | undefined {
  const [[number] = [], modifiers] = parameters;
  if (number === 27 && parameters.length === 3) return modifyOtherKeysKey(parameters);
  const press = keyPressOf(modifiers);
  return number === undefined || press.isForeign ? undefined : numberedKey(number, press);
}

function numberedKey(
  number: number,
  modifiers: {readonly ctrl?: boolean; readonly alt?: boolean; readonly shift?: boolean},
): InputEvent | undefined {
  const name = keysByNumber.get(number);
  return name === undefined ? undefined : {kind: 'key', key: keyOf(name, modifiers)};
}

/** Parses `ESC [ < code ; x ; y M` (m for a release), or without `<` the older form that adds 32. */
function mouseReport(body: string, final: string): InputEvent | undefined {
  const [, mark, code, column, row] = /^(<?)(\d+);(\d+);(\d+)$/.exec(body) ?? [];
  if (code === undefined) return undefined;
  const [x, y] = [Number(column), Number(row)];
  return mark === '<' ? mouseEvent(Number(code), x, y, final === 'm') : mouseEvent(Number(code) - 32, x, y, false);
}

/** The parameters of a sequence, split at semicolons, and each at colons. Missing numbers are undefined. */
type Parameters = readonly (readonly (number | undefined)[])[];

/** Parses parameters; undefined when the text contains anything but numbers. */
function parametersOf(text: string): Parameters | undefined {
  if (!/^[\d:;]*$/.test(text)) return undefined;
  return text.split(';').map((part) => part.split(':').map((digits) => numberOf(digits)));
}

function numberOf(digits: string): number | undefined {
  return digits === '' || digits.length > 9 ? undefined : Number(digits);
}

/** The modifiers and the type of a key event, from the second parameter of its sequence. */
interface KeyPress extends Modifiers {
  /** Whether the key is released, which is ignored. */
  readonly isRelease: boolean;
  /** Whether a modifier is pressed that Parley does not use, such as Cmd. */
  readonly isForeign: boolean;
}

function keyPressOf([modifiers, eventType]: readonly (number | undefined)[] = []): KeyPress {
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
function codePointKey(parameters: Parameters): InputEvent | undefined {
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
function modifyOtherKeysKey(parameters: Parameters): InputEvent | undefined {
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

const buttons = ['left', 'middle', 'right', 'none'] as const;
const wheels = ['up', 'down', 'left', 'right'] as const;

/**
 * Returns the event of a mouse report. `code` has the button in its lowest two bits, then Shift, Alt, Ctrl
 * (4, 8, 16), motion (32), wheel (64) and further buttons (128). The newer encoding reports a release in
 * `isRelease`, the older one as button 3.
 */
export function mouseEvent(code: number, column: number, row: number, isRelease: boolean): MouseEvent | undefined {
  if (column < 1 || row < 1) return undefined;
  const low = code & 3;
  const isWheel = (code & 64) !== 0;
  const button = (code & 128) !== 0 ? 'other' : isWheel ? 'none' : (buttons[low] ?? 'none');
  const wheel = isWheel ? wheels[low] : undefined;
  return {
    kind: 'mouse',
    action: isWheel ? 'wheel' : isRelease ? 'release' : pressAction(code, button),
    button,
    ...(wheel !== undefined && {wheel}),
    x: column - 1,
    y: row - 1,
    ...((code & 4) !== 0 && {shift: true}),
    ...((code & 8) !== 0 && {alt: true}),
    ...((code & 16) !== 0 && {ctrl: true}),
  };
}

function pressAction(code: number, button: MouseEvent['button']): MouseEvent['action'] {
  if ((code & 32) !== 0) return button === 'none' ? 'move' : 'drag';
  return button === 'none' ? 'release' : 'press';
}

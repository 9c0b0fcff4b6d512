import {codePointKey, keyPressOf, modifyOtherKeysKey, type Parameters, parametersOf} from './extended-keys.ts';
import type {InputEvent} from './input-events.ts';
import {keyOf} from './key.ts';
import {mouseEvent} from './mouse-event.ts';
import {keypadByLetter, keysByLetter, keysByNumber} from './named-keys.ts';
import {csiReply} from './terminal-replies.ts';

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

import {
  codePointKey,
  keyPressOf,
  modifyOtherKeysKey,
  type Parameters,
  parametersOf,
} from './extended-keys.ts';
import type {InputEvent} from './input-events.ts';
import {keyOf} from './key.ts';
import {mouseEvent} from './mouse-event.ts';
import {keypadByLetter, keysByLetter, keysByNumber} from './named-keys.ts';
import {csiReply} from './terminal-replies.ts';

/**
 * What `ESC [ body final` says. Undefined: nothing that is known here. A cursor report and F3 with a modifier look the
 * same in old terminals (`ESC [ 1 ; 5 R`); it is taken for the report, which we ask for, and no command needs that key.
 */
export function csiEvent(body: string, final: string): InputEvent | undefined {
  if (body === '' && (final === 'I' || final === 'O')) return {kind: 'focus', gained: final === 'I'};
  const reply = csiReply(body, final);
  if (reply !== undefined) return {kind: 'reply', reply};
  if (final === 'M' || final === 'm') return mouseReport(body, final);
  const held = rxvtModifiers[final];
  if (held !== undefined && /^\d+$/.test(body)) return numberedKey(Number(body), held);
  const parameters = parametersOf(body);
  if (parameters === undefined) return undefined;
  if (final === 'u') return codePointKey(parameters);
  return final === '~' ? tildeKey(parameters) : letterKey(parameters, final);
}

/** Whether a key is let go, which is no event at all. */
export function isRelease(body: string, final: string): boolean {
  return /[u~A-HPQS]/.test(final) && /^[\d:]*;\d*:3(?:;|$)/.test(body);
}

const rxvtModifiers: Readonly<Record<string, {readonly ctrl?: boolean; readonly shift?: boolean}>> = {
  $: {shift: true},
  '^': {ctrl: true},
  '@': {ctrl: true, shift: true},
};

/** `ESC O body final`: keys of terminals in application mode, F1 to F4, the number block. */
export function ss3Event(body: string, final: string): InputEvent | undefined {
  const parameters = parametersOf(body);
  const name = keypadByLetter.get(final);
  if (parameters === undefined) return undefined;
  if (name !== undefined) return {kind: 'key', key: keyOf(name, heldOf(parameters))};
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
  const press = heldOf(parameters);
  if (name === undefined || press.isForeign) return undefined;
  return {kind: 'key', key: keyOf(name, final === 'Z' ? {...press, shift: true} : press)};
}

/** Some terminals leave out the 1 before the modifiers. */
function heldOf(parameters: Parameters) {
  return keyPressOf(parameters[1] ?? parameters[0]);
}

function arrow(letter: string, modifiers: {readonly ctrl?: boolean; readonly shift?: boolean}): InputEvent {
  return {kind: 'key', key: keyOf(keysByLetter.get(letter.toUpperCase()) ?? letter, modifiers)};
}

function tildeKey(parameters: Parameters): InputEvent | undefined {
  const [[number] = [], held] = parameters;
  if (number === 27 && parameters.length === 3) return modifyOtherKeysKey(parameters);
  const press = keyPressOf(held);
  return number === undefined || press.isForeign ? undefined : numberedKey(number, press);
}

function numberedKey(
  number: number,
  modifiers: {readonly ctrl?: boolean; readonly alt?: boolean; readonly shift?: boolean},
): InputEvent | undefined {
  const name = keysByNumber.get(number);
  return name === undefined ? undefined : {kind: 'key', key: keyOf(name, modifiers)};
}

/** `ESC [ < code ; x ; y M` (m when released), or without `<` in the older form that adds 32. */
function mouseReport(body: string, final: string): InputEvent | undefined {
  const [, mark, code, column, row] = /^(<?)(\d+);(\d+);(\d+)$/.exec(body) ?? [];
  if (code === undefined) return undefined;
  const [x, y] = [Number(column), Number(row)];
  return mark === '<'
    ? mouseEvent(Number(code), x, y, final === 'm')
    : mouseEvent(Number(code) - 32, x, y, false);
}

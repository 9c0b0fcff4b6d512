import {consoleKey, csiEvent, isRelease, ss3Event} from './csi.ts';
import type {InputEvent} from './input-events.ts';
import {type Key, keyOf} from './key.ts';
import {mouseEvent} from './mouse-event.ts';
import {isReplyStart, isStringStart, type StringStart, stringReply} from './terminal-replies.ts';
import {isContinuation, utf8Character, utf8Length} from './utf8.ts';

/**
 * What held bytes are, one character per byte. `open`: the rest is to come; a person may have pressed an `escape`, while
 * nobody types a `sequence`. `broken`: the last byte does not belong to what is before it.
 */
export type SequenceResult =
  | {readonly state: 'open'; readonly pending: 'escape' | 'sequence'}
  | {readonly state: 'whole'; readonly events: readonly InputEvent[]; readonly isPasteStart?: true}
  | {readonly state: 'broken'};

const esc = '\u001b';
const open = {state: 'open', pending: 'sequence'} as const;
const broken = {state: 'broken'} as const;
/** Longer than any numbers that mean something, and longer than any answer we ask for. */
const mostParameters = 64;
const mostAnswer = 4096;
/** Of an answer no more than this is held. */
export const longestHeld = mostAnswer + 6;
/** So much after Alt-X and no terminator: it was typed. */
const mostDoubtful = 256;

/** Alt with Enter, Tab and Backspace, which are control characters by their bytes only. */
const altControls: ReadonlySet<string> = new Set(['\r', '\n', '\t', '\b']);

/** Reads bytes that begin with ESC or with a byte above ASCII. Every beginning of them was `open`. */
export function readSequence(held: string): SequenceResult {
  if (!held.startsWith(esc)) return characterReading(held, false);
  const {isTwice, start, body} = partsOf(held);
  if (start === '') return {state: 'open', pending: 'escape'};
  if (start === '[') return withEsc(isTwice, csiReading(body));
  if (start === 'O') return withEsc(isTwice, ss3Reading(body));
  // Two presses of Esc, and something else: only arrows and their like have ESC for Alt before their own ESC.
  if (isTwice) return broken;
  if (isStringStart(start)) return stringReading(start, body);
  if (start >= '\u0080') return characterReading(held.slice(1), true);
  // Nothing is on Ctrl and Alt together: it was Esc, and the next key came before the program could look.
  if (start < ' ' && !altControls.has(start)) return broken;
  return whole({kind: 'key', key: asciiKey(start.charCodeAt(0), true)});
}

/**
 * What open bytes were, now that nothing completes them. A start by itself was a key with Alt, and so was one that no
 * answer begins with: then `rest` was typed after it. Everything else was part of a sequence, and says nothing; its
 * `rest` is an ESC that may begin something new.
 */
export function resolveIncomplete(held: string): {
  readonly events: readonly InputEvent[];
  readonly rest: string;
} {
  const {isTwice, start, body} = partsOf(held);
  if (start === '') return {events: [press('Esc')], rest: held.slice(1)};
  const isAlone = (start === '[' || start === 'O') && body === '';
  const isTyped = isStringStart(start) ? !isReplyStart(start, body) : isAlone;
  const before = isTwice ? [press('Esc')] : [];
  if (isTyped) return {events: [...before, press(start, true)], rest: body};
  const rest = held.endsWith(esc) ? esc : '';
  return {events: [...before, unknown(held.slice(0, held.length - rest.length))], rest};
}

/** No longer than what can mean something; the last bytes stay, since they tell where it ends. */
export function boundLength(held: string): string {
  const most = held[1] === '[' || held[1] === 'O' || held[1] === esc ? mostParameters : mostAnswer;
  return held.length > most + 6 ? held.slice(0, most + 4) + held.slice(-2) : held;
}

/**
 * Whether bytes are amid an answer, where the next one changes nothing unless it is a control character. By then it is
 * certain that it is one, so that a long one costs no reading per byte.
 */
export function isInsideReply(held: string): boolean {
  return held.length > 16 && isStringStart(held.charAt(1)) && !held.endsWith(esc);
}

/** Keys that are one ASCII byte, by that byte. Made once: a paste without brackets has many. */
export const asciiKeys: readonly Key[] = Array.from({length: 0x80}, (_, byte) => asciiKey(byte, false));

/** DEL and Ctrl-H are Backspace, as the terminal likes; `keyOf` knows. */
function asciiKey(byte: number, alt: boolean): Key {
  if (byte >= 0x20 && byte < 0x7f) return keyOf(String.fromCharCode(byte), {alt});
  const sign = byte === 0 ? 'Space' : byte === 0x7f ? 'h' : String.fromCharCode(byte + 0x40);
  return keyOf(sign, {ctrl: true, alt});
}

function partsOf(held: string): {readonly isTwice: boolean; readonly start: string; readonly body: string} {
  const isTwice = held.startsWith(esc, 1);
  const at = held.startsWith(esc) ? (isTwice ? 2 : 1) : 0;
  return {isTwice: isTwice && at > 0, start: held.charAt(at), body: held.slice(at + 1)};
}

function csiReading(body: string): SequenceResult {
  const last = body.at(-1) ?? '';
  if (last === '') return open;
  if (body.startsWith('M')) return oldMouseReading(body.slice(1));
  if (last < ' ' || last > '~') return broken;
  if (body === '[') return open;
  if (body.startsWith('[')) return whole(consoleKey(last) ?? unknown(`${esc}[${body}`));
  if (last < '@' && !/^\d+\$$/.test(body)) return open;
  const parameters = body.slice(0, -1);
  if (body === '200~') return {state: 'whole', events: [], isPasteStart: true};
  if (isRelease(parameters, last)) return {state: 'whole', events: []};
  const event = parameters.length > mostParameters ? undefined : csiEvent(parameters, last);
  return whole(event ?? unknown(`${esc}[${body}`));
}

function ss3Reading(body: string): SequenceResult {
  const last = body.at(-1) ?? '';
  if (last === '') return open;
  if (last <= ' ' || last > '~') return broken;
  if (/[\d;]/.test(last)) return open;
  return whole(ss3Event(body.slice(0, -1), last) ?? unknown(`${esc}O${body}`));
}

/** The oldest report: button, column and row as one byte each, 32 added. */
function oldMouseReading(bytes: string): SequenceResult {
  if (/[\0-\u001f]$/.test(bytes)) return broken;
  if (bytes.length < 3) return open;
  const [code = 0, column = 0, row = 0] = Array.from(bytes, (byte) => byte.charCodeAt(0) - 32);
  return whole(mouseEvent(code, column, row, false) ?? unknown(`${esc}[M${bytes}`));
}

function stringReading(start: StringStart, body: string): SequenceResult {
  const isAnswer = isReplyStart(start, body);
  if (body.endsWith('\u0007') && start === ']' && isReplyStart(start, body.slice(0, -1)))
    return stringEnd(start, body.slice(0, -1));
  if (body.length > 2 && body.endsWith(`${esc}\\`)) return stringEnd(start, body.slice(0, -2));
  if (body.at(-2) === esc || /[\0-\u001a\u001c-\u001f\u007f]$/.test(body)) return broken;
  if (!isAnswer && body.length > mostDoubtful) return broken;
  return isAnswer ? open : {state: 'open', pending: 'escape'};
}

function stringEnd(start: StringStart, body: string): SequenceResult {
  const reply = body.length > mostAnswer ? undefined : stringReply(start, body);
  return whole(reply === undefined ? unknown(`${esc}${start}${body}`) : {kind: 'reply', reply});
}

/** A broken character takes no byte of the next one with it. */
function characterReading(bytes: string, alt: boolean): SequenceResult {
  const length = utf8Length(bytes.charCodeAt(0));
  if (bytes.length > 1 && !isContinuation(bytes.charCodeAt(bytes.length - 1))) return broken;
  if (bytes.length < length) return open;
  const character = length === 0 ? undefined : utf8Character(bytes);
  return whole(character === undefined ? unknown(bytes) : {kind: 'key', key: keyOf(character, {alt})});
}

/** A further ESC before it is Alt for a key; before anything else it was a press of Esc. */
function withEsc(isTwice: boolean, reading: SequenceResult): SequenceResult {
  if (!isTwice || reading.state !== 'whole') return reading;
  const [event] = reading.events;
  if (event?.kind === 'key')
    return whole({kind: 'key', key: keyOf(event.key.name, {...event.key, alt: true})});
  return {...reading, events: [press('Esc'), ...reading.events]};
}

function whole(event: InputEvent): SequenceResult {
  return {state: 'whole', events: [event]};
}

function press(name: string, alt = false): InputEvent {
  return {kind: 'key', key: keyOf(name, {alt})};
}

function unknown(bytes: string): InputEvent {
  return {kind: 'unknown', bytes};
}

import {consoleKey, csiEvent, isRelease, mouseEvent, ss3Event} from './csi.ts';
import type {InputEvent} from './input-events.ts';
import {type Key, keyOf} from './key.ts';
import {isReplyStart, isStringStart, type StringStart, stringReply} from './terminal-replies.ts';

/**
 * The meaning of the held bytes, one character per byte. `open`: more bytes are expected; the user may have pressed an
 * `escape`, but no user types a `sequence`. `broken`: the last byte does not belong to those before it.
 */
type SequenceResult =
  | {readonly state: 'open'; readonly pending: 'escape' | 'sequence'}
  | {readonly state: 'whole'; readonly events: readonly InputEvent[]; readonly isPasteStart?: true}
  | {readonly state: 'broken'};

const esc = '\u001b';
const open = {state: 'open', pending: 'sequence'} as const;
const broken = {state: 'broken'} as const;
/** Longer than any meaningful parameters, and longer than any reply to our queries. */
const maxParameters = 64;
const maxReply = 4096;
/** The number of bytes of a reply that are held. */
export const maxHeldLength = maxReply + 6;
/** This many bytes after a start such as Alt-X without a terminator were typed. */
const maxUncertain = 256;

/** Alt with Enter, Tab or Backspace, which are control characters only by their bytes. */
const altControls: ReadonlySet<string> = new Set(['\r', '\n', '\t', '\b']);

/** Parses bytes that start with ESC or with a byte above ASCII. Every prefix of them must have been `open`. */
export function readSequence(held: string): SequenceResult {
  if (!held.startsWith(esc)) return parseCharacter(held, false);
  const {isDoubleEsc, start, body} = partsOf(held);
  if (start === '') return {state: 'open', pending: 'escape'};
  if (start === '[') return withLeadingEsc(isDoubleEsc, parseCsi(body));
  if (start === 'O') return withLeadingEsc(isDoubleEsc, parseSs3(body));
  // Two presses of Esc and another key: only arrows and similar keys have ESC for Alt before their own ESC.
  if (isDoubleEsc) return broken;
  if (isStringStart(start)) return parseString(start, body);
  if (start >= '\u0080') return parseCharacter(held.slice(1), true);
  // No key has Ctrl and Alt together: it was Esc, and the next key arrived before the program could read it.
  if (start < ' ' && !altControls.has(start)) return broken;
  return whole({kind: 'key', key: asciiKey(start.charCodeAt(0), true)});
}

/**
 * Decides what open bytes were when nothing completes them. A start alone was a key with Alt, and so was one
 * that is not the start of a reply: then `rest` was typed after it. Everything else was part of a sequence
 * and is ignored; its `rest` is an ESC that may start another.
 */
export function resolveIncomplete(held: string): {
  readonly events: readonly InputEvent[];
  readonly rest: string;
} {
  const {isDoubleEsc, start, body} = partsOf(held);
  if (start === '') return {events: [press('Esc')], rest: held.slice(1)};
  const isAlone = (start === '[' || start === 'O') && body === '';
  const isTyped = isStringStart(start) ? !isReplyStart(start, body) : isAlone;
  const before = isDoubleEsc ? [press('Esc')] : [];
  if (isTyped) return {events: [...before, press(start, true)], rest: body};
  const rest = held.endsWith(esc) ? esc : '';
  return {events: [...before, unknown(held.slice(0, held.length - rest.length))], rest};
}

/** Limits the length of the held bytes. The last bytes stay, because they show where the sequence ends. */
export function boundLength(held: string): string {
  const max = held[1] === '[' || held[1] === 'O' || held[1] === esc ? maxParameters : maxReply;
  return held.length > max + 6 ? held.slice(0, max + 4) + held.slice(-2) : held;
}

/**
 * Returns whether the bytes are inside a reply, where the next one changes nothing unless it is a control
 * character. A long reply then need not be parsed again for each byte.
 */
export function isInsideReply(held: string): boolean {
  return held.length > 16 && isStringStart(held.charAt(1)) && !held.endsWith(esc);
}

/** The keys that are one ASCII byte, by that byte. Made once, because a paste without brackets has many. */
export const asciiKeys: readonly Key[] = Array.from({length: 0x80}, (_, byte) => asciiKey(byte, false));

/** Returns the key of an ASCII byte. Terminals send DEL or Ctrl-H for Backspace; `keyOf` handles both. */
function asciiKey(byte: number, alt: boolean): Key {
  if (byte >= 0x20 && byte < 0x7f) return keyOf(String.fromCharCode(byte), {alt});
  const character = byte === 0 ? 'Space' : byte === 0x7f ? 'h' : String.fromCharCode(byte + 0x40);
  return keyOf(character, {ctrl: true, alt});
}

function partsOf(held: string): {
  readonly isDoubleEsc: boolean;
  readonly start: string;
  readonly body: string;
} {
  const isDoubleEsc = held.startsWith(esc + esc);
  const at = isDoubleEsc ? 2 : Number(held.startsWith(esc));
  return {isDoubleEsc, start: held.charAt(at), body: held.slice(at + 1)};
}

function parseCsi(body: string): SequenceResult {
  const last = body.at(-1) ?? '';
  if (last === '') return open;
  if (body.startsWith('M')) return parseOldMouse(body.slice(1));
  if (last < ' ' || last > '~') return broken;
  if (body === '[') return open;
  if (body.startsWith('[')) return whole(consoleKey(last) ?? unknown(`${esc}[${body}`));
  if (last < '@' && !/^\d+\$$/.test(body)) return open;
  const parameters = body.slice(0, -1);
  if (body === '200~') return {state: 'whole', events: [], isPasteStart: true};
  if (isRelease(parameters, last)) return {state: 'whole', events: []};
  const event = parameters.length > maxParameters ? undefined : csiEvent(parameters, last);
  return whole(event ?? unknown(`${esc}[${body}`));
}

function parseSs3(body: string): SequenceResult {
  const last = body.at(-1) ?? '';
  if (last === '') return open;
  if (last <= ' ' || last > '~') return broken;
  if (/[\d;]/.test(last)) return open;
  return whole(ss3Event(body.slice(0, -1), last) ?? unknown(`${esc}O${body}`));
}

/** Parses the oldest mouse report: button, column and row as one byte each, plus 32. */
function parseOldMouse(bytes: string): SequenceResult {
  if (/[\0-\u001f]$/.test(bytes)) return broken;
  if (bytes.length < 3) return open;
  const [code = 0, column = 0, row = 0] = Array.from(bytes, (byte) => byte.charCodeAt(0) - 32);
  return whole(mouseEvent(code, column, row, false) ?? unknown(`${esc}[M${bytes}`));
}

function parseString(start: StringStart, body: string): SequenceResult {
  const isReply = isReplyStart(start, body);
  if (body.endsWith('\u0007') && start === ']' && isReplyStart(start, body.slice(0, -1)))
    return stringEnd(start, body.slice(0, -1));
  if (body.length > 2 && body.endsWith(`${esc}\\`)) return stringEnd(start, body.slice(0, -2));
  if (body.at(-2) === esc || /[\0-\u001a\u001c-\u001f\u007f]$/.test(body)) return broken;
  if (!isReply && body.length > maxUncertain) return broken;
  return isReply ? open : {state: 'open', pending: 'escape'};
}

function stringEnd(start: StringStart, body: string): SequenceResult {
  const reply = body.length > maxReply ? undefined : stringReply(start, body);
  return whole(reply === undefined ? unknown(`${esc}${start}${body}`) : {kind: 'reply', reply});
}

/** Parses a UTF-8 character. An invalid one does not consume bytes of the next. */
function parseCharacter(bytes: string, alt: boolean): SequenceResult {
  const length = utf8Length(bytes.charCodeAt(0));
  if (bytes.length > 1 && !isContinuation(bytes.charCodeAt(bytes.length - 1))) return broken;
  if (bytes.length < length) return open;
  const character = length === 0 ? undefined : utf8Character(bytes);
  return whole(character === undefined ? unknown(bytes) : {kind: 'key', key: keyOf(character, {alt})});
}

/** Handles an additional ESC before a sequence: it is Alt for a key, and a press of Esc before anything else. */
function withLeadingEsc(isDoubleEsc: boolean, result: SequenceResult): SequenceResult {
  if (!isDoubleEsc || result.state !== 'whole') return result;
  const [event] = result.events;
  if (event?.kind === 'key') return whole({kind: 'key', key: keyOf(event.key.name, {...event.key, alt: true})});
  return {...result, events: [press('Esc'), ...result.events]};
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

/** Returns the length in bytes of the character that starts with this byte; 0 when no character does. */
function utf8Length(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  return first < 0xf5 ? 4 : 0;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** Decodes one character from bytes, one per UTF-16 unit; undefined when they are invalid or a control character. */
function utf8Character(bytes: string): string | undefined {
  const text = Buffer.from(bytes, 'latin1').toString('utf8');
  const isOneCharacter = text.length === (bytes.length === 4 ? 2 : 1);
  const isReplaced = text.includes('\ufffd') && bytes !== '\u00ef\u00bf\u00bd';
  return isOneCharacter && !isReplaced && !/\p{Cc}/u.test(text) ? text : undefined;
}

/** Longer than any known reply. */
const maxRemainderLength = 512;

/**
 * The start of a sequence that did not become whole in time. `key`: it was taken for a key. `string`: the start of a reply such
 * as OSC 11. `sequence`: anything else that no user types.
 */
export type LateStart = 'key' | 'string' | 'sequence';

export function lateStartOf(beginning: string): LateStart {
  const {start, body} = partsOf(beginning);
  if (isStringStart(start) && isReplyStart(start, body)) return 'string';
  // Alt-[ is no key that users have: every arrow starts with it.
  const isKey = start !== '[' && resolveIncomplete(beginning).events.some(({kind}) => kind === 'key');
  return isKey ? 'key' : 'sequence';
}

/**
 * Returns whether bytes are the rest of a sequence that did not become whole in time: `whole` with its end, `part` if more may
 * follow. After what may have been a key they must be the whole rest of a known sequence with nothing after it, because Esc
 * and then `[` can be two keys. Otherwise they need only fit; but a single character after the start of a string was typed,
 * because the rest of a reply does not arrive that way.
 */
export function delayedRemainder(beginning: string, bytes: string): 'whole' | 'part' | 'none' {
  const mayBeKey = lateStartOf(beginning) === 'key';
  if (beginning === esc && !/^[[O\]P_]/.test(bytes)) return 'none';
  if (bytes.length > maxRemainderLength) return 'none';
  for (let length = 1; length <= bytes.length; length++) {
    const reading = readSequence(beginning + bytes.slice(0, length));
    if (reading.state === 'broken') return 'none';
    if (reading.state === 'open') continue;
    if (reading.isPasteStart || !mayBeKey) return 'whole';
    const isKnownSequence = reading.events.every((event) => event.kind !== 'unknown');
    const isComplete = length === bytes.length || bytes.startsWith(esc, length);
    return length > 1 && isKnownSequence && isComplete ? 'whole' : 'none';
  }
  const {start, body} = partsOf(beginning + bytes);
  if (!isStringStart(start)) return 'part';
  return isReplyStart(start, body) && (bytes.length > 1 || bytes === esc) ? 'part' : 'none';
}

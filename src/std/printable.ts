import {hasRightToLeft, isolateStart, withoutIsolates} from './composed-text.ts';

/** C0 and C1 controls and direction marks: they move the cursor, change colours, ring the bell or reverse text. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const lineEnds = /\r\n?|[\u0085\u2028\u2029]/g;

/** Invisible characters. The flags of England, Scotland and Wales use invisible tags; elsewhere tags can hide text. */
const invisible =
  /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{2,6}\u{e007f}|[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
/** Long stacks of combining marks, which would cover other lines. No script needs more than a few. */
const stackedMarks = /(\p{M}{10})(\p{M}+)/gu;
const picture = /(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f)$/u;
const startsPicture = /^\p{Extended_Pictographic}/u;
const mayBePicture = /[\p{Extended_Pictographic}0-9#*]$/u;
/** Joiners are part of the spelling of Arabic, Persian and Indic words, never of Latin ones. */
const joinedBefore = /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}]$/u;
const joinedAfter = /^(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}]/u;

/** Removes control characters from text that is edited, sent or saved. Line ends and tabs stay. */
export function withoutControls(text: string): string {
  return text.toWellFormed().replaceAll(lineEnds, '\n').replaceAll(controls, '');
}

/** Like `withoutControls`, on one line. */
export function lineWithoutControls(text: string): string {
  return asLine(withoutControls(text));
}

/**
 * Returns text from outside as every output shows it: the screen, window titles, notifications and verbs. Control characters,
 * invisible characters, which hide text or make two names look alike, and long stacks of combining marks are removed.
 * Joiners and variation selectors that are part of an emoji or of a word's spelling stay, and line ends and tabs do. So do the isolates
 * of a composed text.
 */
export function printable(text: string): string {
  return isComposed(text) ? eachPart(text, /([\u2068\u2069])/) : visible(text);
}

const isolates = /\u2068([^\u2068\u2069]*)\u2069/g;

/** Returns whether a text has isolates as `composed` makes them. Others come from outside, and are removed. */
function isComposed(text: string): boolean {
  if (!text.includes(isolateStart)) return false;
  const others = text.replaceAll(isolates, (all, value: string) => (hasRightToLeft(value) ? '' : all));
  return withoutIsolates(others) === others;
}

/** Makes the parts between separators visible. */
function eachPart(text: string, separator: RegExp): string {
  const parts = text.split(separator);
  return parts.map((part, at) => (at % 2 === 1 ? part : visible(part))).join('');
}

function visible(text: string): string {
  return replaceHidden(withoutControls(text), () => '');
}

/** Like `printable`, but keeps colors and emphasis (SGR sequences), for lines that the program has styled. */
export function printableStyled(text: string): string {
  return eachPart(text, isComposed(text) ? /(\u001b\[[\d;:]*m|[\u2068\u2069])/ : /(\u001b\[[\d;:]*m)/);
}

/** Like `printable`, on one line. */
export function printableLine(text: string): string {
  return asLine(printable(text));
}

function asLine(text: string): string {
  return text.replaceAll(/[\n\t ]+/g, ' ').trim();
}

/** Replaces invisible characters that are part of no emoji or word, and the marks of a stack after the tenth. */
function replaceHidden(text: string, replacement: (hidden: string) => string): string {
  return text
    .replaceAll(invisible, (match, at: number, whole: string) =>
      match.length > 2 || isLegitimate(match, at, whole) ? match : replacement(match),
    )
    .replaceAll(stackedMarks, (_all, kept: string, surplus: string) => kept + replacement(surplus));
}

/** Returns whether an invisible character is part of an emoji or of a word's spelling. */
function isLegitimate(character: string, at: number, whole: string): boolean {
  // Any character has at most two code units.
  const before = whole.slice(Math.max(0, at - 2), at);
  const after = whole.slice(at + 1, at + 3);
  if (character === '\ufe0e' || character === '\ufe0f') return mayBePicture.test(before);
  if (character !== '\u200c' && character !== '\u200d') return false;
  if (character === '\u200d' && picture.test(before) && startsPicture.test(after)) return true;
  return (before.at(-1) ?? '') >= '\u0600' && joinedBefore.test(before) && joinedAfter.test(after);
}

/** Control characters that JSON does not escape. */
const unescaped = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Returns JSON in which everything that `printable` removes is escaped, so that it is safe in a terminal. */
export function printableJson(value: unknown, indent?: number): string {
  const json = JSON.stringify(value, null, indent) ?? 'null';
  return replaceHidden(json.replaceAll(unescaped, escaped), escaped);
}

function escaped(characters: string): string {
  const units = characters.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  return units.map((unit) => `\\u${unit}`).join('');
}

const maxLineLength = 400;

/** Returns text from outside as one line of limited length, without control characters and direction marks. */
export function shortPrintableLine(text: string): string {
  const line = text
    .replaceAll(/[\p{Cc}\u2028\u2029\s]+/gu, ' ')
    .replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c]/g, '')
    .trim();
  return line.length <= maxLineLength ? line : `${line.slice(0, maxLineLength).trimEnd()}…`;
}

/** Adds a full stop unless the text ends with punctuation. */
export function withFullStop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

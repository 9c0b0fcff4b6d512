import {isPlacedByParley} from '#content/styled-text/right-to-left.ts';
import {hasRightToLeft} from '#std/composed-text.ts';
import {
  boundaryAfter,
  boundaryBefore,
  boundaryFrom,
  boundaryUntil,
  lineEnd,
  lineStart,
  wordLeft,
  wordRight,
} from './graphemes.ts';
import {layoutText, offsetAt, offsetBeside, positionOf, type TextLayout, type TextOrder} from './text-layout.ts';

/** An immutable text field. Each edit returns a new value, or the same one when nothing changes. */
export interface TextField {
  /** Lines end with `\n` alone. */
  readonly text: string;
  /** Offset in UTF-16 units, always between two graphemes. */
  readonly cursor: number;
  /** Whether line breaks become spaces. */
  readonly isSingleLine: boolean;
  /** The column that moving up and down returns to after crossing shorter rows. */
  readonly goalColumn: number | undefined;
  readonly changes: TextChanges;
  /** The kill ring, newest first. */
  readonly kills: readonly string[];
  /** The kind of the last edit, because the next one may continue it. After `selecting`, it replaces the whole text. */
  readonly last: 'typing' | 'erasing' | 'killing' | 'yanking' | 'selecting' | 'other';
}

const maxKills = 30;

const noChanges: TextChanges = {past: [], future: []};

export const emptyField: TextField = {
  text: '',
  cursor: 0,
  isSingleLine: false,
  goalColumn: undefined,
  changes: noChanges,
  kills: [],
  last: 'other',
};

/** An empty one-line field, for filters and names. */
export const emptyLine: TextField = {...emptyField, isSingleLine: true};

/** Replaces the text and clears the undo history. The kill ring stays. */
export function setText(field: TextField, text: string): TextField {
  const plain = plainText(field, text);
  return {
    ...field,
    text: plain,
    cursor: plain.length,
    goalColumn: undefined,
    changes: noChanges,
    last: 'other',
  };
}

/** Inserts text. A single character continues the current undo step; longer text is a separate step. */
export function insert(field: TextField, text: string): TextField {
  const plain = plainText(field, text);
  const isTyped = plain !== '' && boundaryAfter(plain, 0) === plain.length;
  return spliced(field, ...editedRange(field, field.cursor, field.cursor), plain, isTyped ? 'typing' : 'other');
}

/** Selects the whole text: what is typed next replaces it; moving the cursor keeps it. */
export function selectAll(field: TextField): TextField {
  return {...field, last: 'selecting'};
}

/** Returns the range that an edit replaces: the whole text if it is selected. */
function editedRange({text, last}: TextField, start: number, end: number): [start: number, end: number] {
  return last === 'selecting' ? [0, text.length] : [start, end];
}

export function newline(field: TextField): TextField {
  return insert(field, '\n');
}

/** Inserts a block on separate lines, with the cursor on the line below. */
export function insertBlock(field: TextField, block: string): TextField {
  const {text, cursor} = field;
  const before = lineStart(text, cursor) === cursor ? '' : '\n';
  const isFollowed = text[cursor] === '\n';
  const inserted = plainText(field, before + block + (isFollowed ? '' : '\n'));
  return spliced(field, cursor, cursor, inserted, 'other', cursor + inserted.length + (isFollowed ? 1 : 0));
}

/** Replaces a range. `cursor` counts from the start of the inserted text and defaults to its end. */
export function replaceRange(
  field: TextField,
  start: number,
  end: number,
  text: string,
  cursor = text.length,
): TextField {
  const from = boundaryUntil(field.text, Math.min(start, end));
  const to = boundaryFrom(field.text, Math.max(start, end));
  return spliced(field, from, to, plainText(field, text), 'other', from + cursor);
}

/** Replaces the whole text as one undo step. */
export function replaceAll(field: TextField, text: string): TextField {
  const plain = plainText(field, text);
  const {at, removed, inserted} = difference(field.text, plain);
  return spliced(field, at, at + removed.length, inserted, 'other', plain.length);
}

export function clear(field: TextField): TextField {
  return replaceAll(field, '');
}

export function backspace(field: TextField): TextField {
  const range = editedRange(field, boundaryBefore(field.text, field.cursor), field.cursor);
  return spliced(field, ...range, '', 'erasing');
}

export function deleteForward(field: TextField): TextField {
  const range = editedRange(field, field.cursor, boundaryAfter(field.text, field.cursor));
  return spliced(field, ...range, '', 'erasing');
}

export function killWordBack(field: TextField): TextField {
  return killRange(field, wordLeft(field.text, field.cursor), field.cursor);
}

export function killWord(field: TextField): TextField {
  return killRange(field, field.cursor, wordRight(field.text, field.cursor));
}

/** Kills to the start of the line; at its start, kills the line break before, so that the key can be repeated. */
export function killToHome(field: TextField): TextField {
  const start = lineStart(field.text, field.cursor);
  return killRange(field, start === field.cursor ? boundaryBefore(field.text, start) : start, field.cursor);
}

export function killToEnd(field: TextField): TextField {
  const end = lineEnd(field.text, field.cursor);
  return killRange(field, field.cursor, end === field.cursor ? boundaryAfter(field.text, end) : end);
}

export function yank(field: TextField): TextField {
  return spliced(field, field.cursor, field.cursor, plainText(field, field.kills[0] ?? ''), 'yanking');
}

/** Replaces the text just yanked by the previous entry of the kill ring. */
export function yankPop(field: TextField): TextField {
  const yanked = field.changes.past.at(-1);
  const [newest = '', next, ...older] = field.kills;
  if (field.last !== 'yanking' || yanked === undefined || next === undefined) return field;
  const rotated = {...field, kills: [next, ...older, newest]};
  return spliced(rotated, yanked.at, yanked.at + yanked.inserted.length, plainText(field, next), 'yanking');
}

export function undo(field: TextField): TextField {
  const {past, future} = field.changes;
  const change = past.at(-1);
  if (change === undefined) return field;
  const changes = {past: past.slice(0, -1), future: [...future, change]};
  return {...withCursor({...field, text: withUndone(field.text, change)}, change.cursorBefore), changes};
}

export function redo(field: TextField): TextField {
  const {past, future} = field.changes;
  const change = future.at(-1);
  if (change === undefined) return field;
  const changes = {past: [...past, change], future: future.slice(0, -1)};
  return {...withCursor({...field, text: withDone(field.text, change)}, change.cursorAfter), changes};
}

export function moveTo(field: TextField, offset: number): TextField {
  return withCursor(field, boundaryUntil(field.text, offset));
}

export function moveLeft(field: TextField): TextField {
  return withCursor(field, boundaryBefore(field.text, field.cursor));
}

export function moveRight(field: TextField): TextField {
  return withCursor(field, boundaryAfter(field.text, field.cursor));
}

/**
 * Moves to the left or right on the screen. Where right-to-left text is ordered by Parley that is not always back and forth in the
 * text, so the layout is needed; without one the field is a line.
 */
export function moveBeside(field: TextField, step: 1 | -1, order: TextOrder, layout?: TextLayout): TextField {
  const move = step === 1 ? moveRight : moveLeft;
  if (!isPlacedByParley(order) || !hasRightToLeft(field.text)) return move(field);
  const {text, cursor} = field;
  const beside = offsetBeside(layout ?? layoutText(text, 4 * text.length + 8, undefined, order), cursor, step);
  return beside === undefined ? move(field) : withCursor(field, beside);
}

export function moveWordLeft(field: TextField): TextField {
  return withCursor(field, wordLeft(field.text, field.cursor));
}

export function moveWordRight(field: TextField): TextField {
  return withCursor(field, wordRight(field.text, field.cursor));
}

export function moveHome(field: TextField): TextField {
  return withCursor(field, lineStart(field.text, field.cursor));
}

export function moveEnd(field: TextField): TextField {
  return withCursor(field, lineEnd(field.text, field.cursor));
}

export function moveToStart(field: TextField): TextField {
  return withCursor(field, 0);
}

export function moveToEnd(field: TextField): TextField {
  return withCursor(field, field.text.length);
}

/** Moves up one laid-out row; does nothing on the first row. */
export function moveUp(field: TextField, layout: TextLayout): TextField {
  return movedRows(field, layout, -1);
}

export function moveDown(field: TextField, layout: TextLayout): TextField {
  return movedRows(field, layout, 1);
}

function movedRows(field: TextField, layout: TextLayout, step: number): TextField {
  const {row, column} = positionOf(layout, field.cursor);
  if (layout.rows[row + step] === undefined) return field;
  const goalColumn = field.goalColumn ?? column;
  return {...field, cursor: offsetAt(layout, row + step, goalColumn), goalColumn, last: 'other'};
}

function withCursor(field: TextField, cursor: number): TextField {
  if (cursor === field.cursor && field.goalColumn === undefined && field.last === 'other') return field;
  return {...field, cursor, goalColumn: undefined, last: 'other'};
}

/** Kills a range: it can be yanked. Consecutive kills are joined into one entry. */
export function killRange(field: TextField, start: number, end: number): TextField {
  const cut = field.text.slice(start, end);
  if (cut === '') return field;
  const [newest = '', ...older] = field.kills;
  const isBack = start < field.cursor;
  const kills = field.last === 'killing' ? [isBack ? cut + newest : newest + cut, ...older] : [cut, ...field.kills];
  return spliced({...field, kills: kills.slice(0, maxKills)}, start, end, '', 'killing');
}

/**
 * Replaces a range; every text change goes through here. The cursor moves on if the change joined the characters
 * around it.
 */
function spliced(
  field: TextField,
  start: number,
  end: number,
  inserted: string,
  kind: TextField['last'],
  cursorAt = start + inserted.length,
): TextField {
  const removed = field.text.slice(start, end);
  if (removed === '' && inserted === '') return field;
  const text = field.text.slice(0, start) + inserted + field.text.slice(end);
  const cursor = boundaryFrom(text, cursorAt);
  const change: TextChange = {at: start, removed, inserted, cursorBefore: field.cursor, cursorAfter: cursor};
  const continues = field.last === kind && (kind === 'typing' || kind === 'erasing');
  const changes = (continues ? withMergedChange : withChange)(field.changes, change);
  return {...field, text, cursor, goalColumn: undefined, changes, last: kind};
}

function plainText({isSingleLine}: TextField, text: string): string {
  const plain = text.toWellFormed().replaceAll(/\r\n?/g, '\n');
  return isSingleLine ? plain.replaceAll('\n', ' ') : plain;
}

/** A change of the text that can be undone. Stores the difference, not a copy of the text. */
interface TextChange {
  readonly at: number;
  readonly removed: string;
  readonly inserted: string;
  readonly cursorBefore: number;
  readonly cursorAfter: number;
}

interface TextChanges {
  /** Oldest first. */
  readonly past: readonly TextChange[];
  /** Undone changes that can be redone; the next one is last. */
  readonly future: readonly TextChange[];
}

const maxSteps = 200;
/** The maximum length of one undo step, for scripts without spaces. */
const maxRunLength = 40;

function withChange({past}: TextChanges, change: TextChange): TextChanges {
  return {past: [...past, change].slice(-maxSteps), future: []};
}

/** Adds a change of one character, merged into the previous step when both belong to one word. */
function withMergedChange(changes: TextChanges, change: TextChange): TextChanges {
  const last = changes.past.at(-1);
  const merged = last === undefined ? undefined : (mergedTyping(last, change) ?? mergedErasing(last, change));
  return merged === undefined ? withChange(changes, change) : {past: changes.past.with(-1, merged), future: []};
}

function mergedTyping(last: TextChange, change: TextChange): TextChange | undefined {
  const follows = last.at + last.inserted.length === change.at;
  if (!follows || last.removed + change.removed !== '' || last.inserted.length >= maxRunLength) return undefined;
  if (endsWord.test(last.inserted) && !startsSpace.test(change.inserted)) return undefined;
  return {...last, inserted: last.inserted + change.inserted, cursorAfter: change.cursorAfter};
}

function mergedErasing(last: TextChange, change: TextChange): TextChange | undefined {
  if (last.inserted + change.inserted !== '' || last.removed.length >= maxRunLength) return undefined;
  const {cursorAfter} = change;
  if (change.at + change.removed.length === last.at) {
    if (startsSpace.test(last.removed) && !endsWord.test(change.removed)) return undefined;
    return {...last, at: change.at, removed: change.removed + last.removed, cursorAfter};
  }
  if (change.at !== last.at || (endsWord.test(last.removed) && !startsSpace.test(change.removed))) {
    return undefined;
  }
  return {...last, removed: last.removed + change.removed, cursorAfter};
}

const endsWord = /[\s、。，！？；：]$/u;
const startsSpace = /^\s/u;

/** Returns the text with the change applied. */
function withDone(text: string, {at, removed, inserted}: TextChange): string {
  return text.slice(0, at) + inserted + text.slice(at + removed.length);
}

function withUndone(text: string, {at, removed, inserted}: TextChange): string {
  return text.slice(0, at) + removed + text.slice(at + inserted.length);
}

/** Returns the smallest single replacement that turns one text into the other. */
function difference(before: string, after: string): Pick<TextChange, 'at' | 'removed' | 'inserted'> {
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  while (at < shorter && before[at] === after[at]) at++;
  let same = 0;
  while (same < shorter - at && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  return {
    at,
    removed: before.slice(at, before.length - same),
    inserted: after.slice(at, after.length - same),
  };
}

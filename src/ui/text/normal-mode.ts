/*
 * The edits of the normal mode, in which letters are commands as in vi. The cursor is on a character, not between two: at the
 * end of a line it is on the last one.
 */

import {boundaryBefore, lineEnd, lineStart, wordRight} from './graphemes.ts';
import {
  deleteForward,
  insert,
  killRange,
  killToEnd,
  killWord,
  moveEnd,
  moveHome,
  moveLeft,
  moveRight,
  moveTo,
  moveToEnd,
  moveToStart,
  moveWordLeft,
  newline,
  redo,
  type TextField,
  undo,
  yank,
} from './text-field.ts';

type Edit = (field: TextField) => TextField;

/** Returns the field with its cursor on a character of its line. */
export function onCharacter(field: TextField): TextField {
  const {text, cursor} = field;
  const isBehind = cursor === lineEnd(text, cursor) && cursor > lineStart(text, cursor);
  return isBehind ? moveTo(field, boundaryBefore(text, cursor)) : field;
}

function isAtLineStart({text, cursor}: TextField): boolean {
  return cursor === lineStart(text, cursor);
}

function isAtLineEnd({text, cursor}: TextField): boolean {
  return cursor === lineEnd(text, cursor);
}

/** Moves to the start of the next word. */
function nextWord(field: TextField): TextField {
  const {text, cursor} = field;
  const isInSpace = /^\s/u.test(text.slice(cursor));
  const end = isInSpace ? cursor : wordRight(text, cursor);
  return moveTo(field, end + (/^\s*/u.exec(text.slice(end))?.[0].length ?? 0));
}

/** Moves to the last character of the word, or of the next one. */
function wordEnd(field: TextField): TextField {
  const next = moveRight(field);
  return moveTo(next, boundaryBefore(next.text, Math.max(wordRight(next.text, next.cursor), 1)));
}

/** Cuts the whole line with its line break. */
function deleteLine(field: TextField): TextField {
  const {text, cursor} = field;
  const start = lineStart(text, cursor);
  const end = lineEnd(text, cursor);
  const isLast = end === text.length;
  return moveHome(killRange(field, isLast && start > 0 ? start - 1 : start, isLast ? end : end + 1));
}

const deleteToEnd: Edit = (field) => (isAtLineEnd(field) ? field : killToEnd(field));
const afterCharacter: Edit = (field) => (isAtLineEnd(field) ? field : moveRight(field));

/** The edits after which the mode stays, by what they do. */
export const normalEdits = {
  left: ['Move left', (field) => (isAtLineStart(field) ? field : moveLeft(field))],
  right: ['Move right', afterCharacter],
  'word.next': ['Next word', nextWord],
  'word.left': ['Previous word', moveWordLeft],
  'word.end': ['End of the word', wordEnd],
  home: ['Start of the line', moveHome],
  end: ['End of the line', moveEnd],
  first: ['First character', moveToStart],
  last: ['Last character', moveToEnd],
  delete: ['Delete character', (field) => (isAtLineEnd(field) ? field : deleteForward(field))],
  'delete.line': ['Cut the line', deleteLine],
  'delete.word': ['Cut to the end of the word', killWord],
  'delete.end': ['Cut to the end of the line', deleteToEnd],
  paste: ['Paste the last cut', (field) => yank(afterCharacter(field))],
  undo: ['Undo typing', undo],
  redo: ['Redo typing', redo],
} as const satisfies Readonly<Record<string, readonly [title: string, edit: Edit]>>;

/** The edits that end the mode. */
export const insertEdits = {
  insert: ['Write before the cursor', (field) => field],
  append: ['Write behind the cursor', afterCharacter],
  'insert.line': ['Write at the start of the line', moveHome],
  'append.line': ['Write at the end of the line', moveEnd],
  below: ['Write in a new line below', (field) => newline(moveEnd(field))],
  above: ['Write in a new line above', (field) => moveLeft(insert(moveHome(field), '\n'))],
  'change.word': ['Replace to the end of the word', killWord],
  'change.end': ['Replace to the end of the line', deleteToEnd],
} as const satisfies Readonly<Record<string, readonly [title: string, edit: Edit]>>;

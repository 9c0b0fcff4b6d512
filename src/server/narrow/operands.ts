import type {ActionContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUser, findUserByEmail, idOfDummyEmail} from '#server/db/users.ts';
import {ApiError} from '#server/http/errors.ts';
import {canSeeEmail, hostOf} from '#server/views/user.ts';
import type {Operand} from '#wire/narrow.ts';
import {stopWords} from './stop-words.ts';

/** Returns the error for a narrow that cannot be parsed or names something unknown. */
export function badNarrow(description: string): ApiError {
  return new ApiError('BAD_NARROW', `Invalid narrow operator: ${description}`, 400, {desc: description});
}

/** Returns the error for terms that cannot be used together. */
export function badCombination(description: string): ApiError {
  return new ApiError('BAD_NARROW', `Invalid narrow operator combination: ${description}`, 400, {desc: description});
}

function isNumericId(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}

/** The ids of messages have 32 bits on Zulip's servers. */
const maxMessageId = 2 ** 31 - 1;

/** Returns a message id, given as a number or as digits; throws BAD_NARROW for anything else. */
export function messageIdOperand(operand: Operand, problem = 'Invalid message ID'): number {
  const id = typeof operand === 'string' && isNumericId(operand) ? Number(operand) : operand;
  if (typeof id !== 'number' || id < 0 || id > maxMessageId) throw badNarrow(problem);
  return id;
}

/** Returns the id of one user, named by id or e-mail address. */
export function userOperand(act: Pick<ActionContext, 'server'>, viewer: UserRow, operand: Operand): number {
  const single = Array.isArray(operand) && operand.length === 1 ? operand[0] : operand;
  if (single === undefined || Array.isArray(single)) throw badNarrow('one user is needed');
  return userIdOf(act, viewer, single);
}

/** Returns the ids of users, given as a list of ids or as addresses joined by commas. It may be empty. */
export function userOperands(act: Pick<ActionContext, 'server'>, viewer: UserRow, operand: Operand): number[] {
  const list = typeof operand === 'string' ? operand.split(',') : [operand].flat();
  const written = typeof operand === 'string' ? operand : `[${list.join(', ')}]`;
  return list.map((item) => userIdOf(act, viewer, item, `unknown user in ${written}`));
}

function userIdOf(
  {server}: Pick<ActionContext, 'server'>,
  viewer: UserRow,
  operand: number | string,
  problem = `unknown user ${operand}`,
): number {
  const user = typeof operand === 'number' ? findUser(server.db, operand) : findByText();
  if (user === undefined) throw badNarrow(problem);
  return user.id;

  function findByText(): UserRow | undefined {
    const text = String(operand).trim();
    const id = idOfDummyEmail(text, hostOf(server));
    if (id !== undefined) return findUser(server.db, id);
    const owner = findUserByEmail(server.db, text);
    // A hidden address is unknown: the response would reveal whose it is.
    return owner !== undefined && canSeeEmail(viewer, owner) ? owner : undefined;
  }
}

const maxSearchLength = 1000;
/** Each word costs the reading of its list of messages in the index. */
const maxSearchWords = 50;
/** Matches the characters that the index's tokenizer treats as part of a word. */
const word = /[\p{L}\p{N}\p{Co}]+/gu;

/** Throws BAD_NARROW if the texts of a narrow's searches, which are all looked up together, are too long. */
export function checkSearchLength(texts: readonly string[]): void {
  const text = texts.join(' ');
  if (text.length > maxSearchLength) throw badNarrow(`a search is at most ${maxSearchLength} characters long`);
  if (wordsOf(text).length > maxSearchWords) throw badNarrow(`a search has at most ${maxSearchWords} words`);
}

/**
 * Returns the FTS5 expression over content and topic for a search of words, which must all occur, and "quoted phrases".
 * Every piece is quoted, so nothing a user types is FTS5 syntax. Stop words and phrases of them are left out, as on
 * Zulip's servers. Returns undefined when nothing is left: no message matches.
 */
export function searchExpression(text: string): string | undefined {
  const pieces = [...text.replaceAll(/\p{Cc}/gu, ' ').matchAll(/"([^"]*)"|[^\s"]+/g)].flatMap(([whole, phrase]) => {
    const words = wordsOf(phrase ?? whole);
    const isIgnored = (phrase !== undefined || words.length < 2) && words.every(isStopWord);
    return isIgnored ? [] : [`"${phrase ?? whole}"`];
  });
  return pieces.length === 0 ? undefined : `{content topic} : (${pieces.join(' AND ')})`;
}

function wordsOf(text: string): string[] {
  return text.match(word) ?? [];
}

function isStopWord(text: string): boolean {
  return stopWords.includes(text.toLowerCase());
}

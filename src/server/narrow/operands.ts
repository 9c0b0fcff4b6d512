import type {ActionContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUser, findUserByEmail, idOfDummyEmail} from '#server/db/users.ts';
import {ApiError} from '#server/http/errors.ts';
import {canSeeEmail, hostOf} from '#server/views/user.ts';
import type {Operand} from '#wire/narrow.ts';

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

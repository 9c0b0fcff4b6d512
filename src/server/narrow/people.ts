import type {ActionContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUser, findUserByEmail, idOfDummyEmail} from '#server/db/users.ts';
import {canSeeEmail, hostOf} from '#server/views/user.ts';
import type {Operand} from '#wire/narrow.ts';
import {badNarrow} from './errors.ts';
import {isNumericId} from './operands.ts';

/** One person by id or e-mail address. */
export function userOperand(act: Pick<ActionContext, 'world'>, viewer: UserRow, operand: Operand): number {
  const single = Array.isArray(operand) && operand.length === 1 ? operand[0] : operand;
  if (single === undefined || Array.isArray(single)) throw badNarrow('one user is needed');
  return person(act, viewer, single);
}

/** A list of ids, or addresses joined by commas. The empty list is the conversation with oneself. */
export function userOperands(act: Pick<ActionContext, 'world'>, viewer: UserRow, operand: Operand): number[] {
  if (typeof operand === 'number') return [person(act, viewer, operand)];
  const list = typeof operand === 'string' ? operand.split(',') : operand;
  return list.map((item) => person(act, viewer, item));
}

function person({world}: Pick<ActionContext, 'world'>, viewer: UserRow, written: number | string): number {
  const user = typeof written === 'number' ? findUser(world.db, written) : byText();
  if (user === undefined) throw badNarrow(`unknown user ${written}`);
  return user.id;

  function byText(): UserRow | undefined {
    const text = String(written).trim();
    const id = isNumericId(text) ? Number(text) : idOfDummyEmail(text, hostOf(world));
    if (id !== undefined) return findUser(world.db, id);
    const found = findUserByEmail(world.db, text);
    // A hidden address finds nobody, or the answer would tell whose it is.
    return found !== undefined && canSeeEmail(viewer, found) ? found : undefined;
  }
}

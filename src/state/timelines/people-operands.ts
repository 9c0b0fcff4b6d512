import {directConversation} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import type {Operand} from '#wire/narrow.ts';

/*
 * People in narrows are ids, e-mail addresses or `me`. An address is compared with those of the people in question, so
 * that nobody is looked for among all users. Undefined: the addresses of some of them are not known here.
 */

type UsersAndSelf = Pick<AccountState, 'users' | 'self'>;
type PersonOperand = number | string;

export function isPerson(state: UsersAndSelf, operand: Operand, userId: number): boolean | undefined {
  const [written, ...more] = writtenPeople(operand);
  if (written === undefined || more.length > 0) return undefined;
  return isSamePerson(state, written, userId);
}

/** One of them, or oneself: one is part of every direct conversation. */
export function isWithPerson(
  state: UsersAndSelf,
  operand: Operand,
  userIds: readonly number[],
): boolean | undefined {
  return any([...userIds, state.self.userId].map((id) => isPerson(state, operand, id)));
}

/** Exactly these people; naming oneself makes no difference. */
export function isDirectWith(
  state: UsersAndSelf,
  operand: Operand,
  userIds: readonly number[],
): boolean | undefined {
  const written = writtenPeople(operand);
  if (written.every((one) => typeof one === 'number')) {
    const meant = directConversation(written, state.self.userId).userIds;
    return meant.length === userIds.length && meant.every((id, index) => id === userIds[index]);
  }
  const others = written.filter((one) => isSamePerson(state, one, state.self.userId) !== true);
  return all([
    ...others.map((one) => any(userIds.map((id) => isSamePerson(state, one, id)))),
    ...userIds.map((id) => any(others.map((one) => isSamePerson(state, one, id)))),
  ]);
}

function writtenPeople(operand: Operand): PersonOperand[] {
  const list =
    typeof operand === 'string' ? operand.split(',') : Array.isArray(operand) ? operand : [operand];
  return list
    .map((one) => (typeof one === 'string' ? one.trim().toLowerCase() : one))
    .filter((one) => one !== '')
    .map((one) => (typeof one === 'string' && /^\d{1,15}$/.test(one) ? Number(one) : one));
}

function isSamePerson(state: UsersAndSelf, written: PersonOperand, userId: number): boolean | undefined {
  if (typeof written === 'number') return written === userId;
  if (written === 'me') return userId === state.self.userId;
  const user = state.users.get(userId);
  if (user === undefined) return undefined;
  return user.email.toLowerCase() === written || user.deliveryEmail?.toLowerCase() === written;
}

function any(verdicts: readonly (boolean | undefined)[]): boolean | undefined {
  if (verdicts.includes(true)) return true;
  return verdicts.includes(undefined) ? undefined : false;
}

function all(verdicts: readonly (boolean | undefined)[]): boolean | undefined {
  if (verdicts.includes(false)) return false;
  return verdicts.includes(undefined) ? undefined : true;
}

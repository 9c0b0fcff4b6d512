import {directConversation} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import type {Operand} from '#wire/narrow.ts';

/*
 * People in narrows are ids, email addresses or `me`. An address is compared with the addresses of the users in
 * question only, which avoids a search through all users. Undefined: some of their addresses are unknown here.
 */

type UsersAndSelf = Pick<AccountState, 'users' | 'self'>;
type PersonOperand = number | string;

export function isPerson(state: UsersAndSelf, operand: Operand, userId: number): boolean | undefined {
  const [person, ...more] = parsePeople(operand);
  if (person === undefined || more.length > 0) return undefined;
  return isSamePerson(state, person, userId);
}

/** Returns whether the operand names one of these users, or the user, who is part of every direct conversation. */
export function isWithPerson(state: UsersAndSelf, operand: Operand, userIds: readonly number[]): boolean | undefined {
  return any([...userIds, state.self.userId].map((id) => isPerson(state, operand, id)));
}

/** Returns whether the operand names exactly these users; naming the user too makes no difference. */
export function isDirectWith(state: UsersAndSelf, operand: Operand, userIds: readonly number[]): boolean | undefined {
  const people = parsePeople(operand);
  if (people.every((person) => typeof person === 'number')) {
    const namedIds = directConversation(people, state.self.userId).userIds;
    return namedIds.length === userIds.length && namedIds.every((id, index) => id === userIds[index]);
  }
  const others = people.filter((person) => isSamePerson(state, person, state.self.userId) !== true);
  return all([
    ...others.map((person) => any(userIds.map((id) => isSamePerson(state, person, id)))),
    ...userIds.map((id) => any(others.map((person) => isSamePerson(state, person, id)))),
  ]);
}

function parsePeople(operand: Operand): PersonOperand[] {
  const list = typeof operand === 'string' ? operand.split(',') : Array.isArray(operand) ? operand : [operand];
  return list
    .map((person) => (typeof person === 'string' ? person.trim().toLowerCase() : person))
    .filter((person) => person !== '')
    .map((person) => (typeof person === 'string' && /^\d{1,15}$/.test(person) ? Number(person) : person));
}

function isSamePerson(state: UsersAndSelf, person: PersonOperand, userId: number): boolean | undefined {
  if (typeof person === 'number') return person === userId;
  if (person === 'me') return userId === state.self.userId;
  const user = state.users.get(userId);
  if (user === undefined) return undefined;
  return user.email.toLowerCase() === person || user.deliveryEmail?.toLowerCase() === person;
}

function any(verdicts: readonly (boolean | undefined)[]): boolean | undefined {
  if (verdicts.includes(true)) return true;
  return verdicts.includes(undefined) ? undefined : false;
}

function all(verdicts: readonly (boolean | undefined)[]): boolean | undefined {
  if (verdicts.includes(false)) return false;
  return verdicts.includes(undefined) ? undefined : true;
}

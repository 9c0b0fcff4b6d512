import type {ActionContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {listUsers, type UserViewRow} from '#server/db/users.ts';
import {ApiError, unknownPrincipal} from '#server/http/errors.ts';
import {canAccessUser, requireAccessibleUserByEmail} from '#server/permissions/user-access.ts';

/** Returns the users that a request names by id or email address, without duplicates; without names, the actor. */
export function findPrincipals(
  act: ActionContext,
  actor: UserRow,
  names: readonly (number | string)[] | undefined,
): UserViewRow[] {
  if (names === undefined || names.length === 0) return [actor];
  const people = new Map<number, UserViewRow>();
  const ids = names.filter((name) => typeof name === 'number');
  const byId = new Map(listUsers(act.db, ids).map((user) => [user.id, user]));
  for (const name of names) {
    const person = typeof name === 'number' ? byId.get(name) : findByEmail(act, actor, name);
    if (person === undefined || person.is_system_bot === 1 || !canAccessUser(act, actor, person))
      throw unknownPrincipal('No such user');
    if (person.is_active === 0) throw unknownPrincipal('User is deactivated');
    people.set(person.id, person);
  }
  return [...people.values()];
}

function findByEmail(act: ActionContext, actor: UserRow, email: string): UserRow | undefined {
  try {
    return requireAccessibleUserByEmail(act, actor, email);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

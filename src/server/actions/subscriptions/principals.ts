import type {ActionContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {ApiError, unknownPrincipal} from '#server/http/errors.ts';
import {requireAccessibleUser, requireAccessibleUserByEmail} from '#server/permissions/user-access.ts';

/** Returns the users that a request names by id or email address, without duplicates; without names, the actor. */
export function findPrincipals(
  act: ActionContext,
  actor: UserRow,
  names: readonly (number | string)[] | undefined,
): UserRow[] {
  if (names === undefined || names.length === 0) return [actor];
  const people = new Map<number, UserRow>();
  for (const name of names) {
    const person = findByIdOrEmail(act, actor, name);
    if (person === undefined || person.is_system_bot === 1) throw unknownPrincipal('No such user');
    if (person.is_active === 0) throw unknownPrincipal('User is deactivated');
    people.set(person.id, person);
  }
  return [...people.values()];
}

function findByIdOrEmail(act: ActionContext, actor: UserRow, name: number | string): UserRow | undefined {
  try {
    return typeof name === 'number'
      ? requireAccessibleUser(act, actor, name)
      : requireAccessibleUserByEmail(act, actor, name);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

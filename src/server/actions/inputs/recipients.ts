import type {ActionContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {badRequest} from '#server/http/errors.ts';
import {canAccessUser} from '#server/permissions/user-access.ts';

/**
 * Returns the users with these ids except the actor, ascending and without duplicates. Throws if one does not exist, is
 * deactivated or is hidden from the actor.
 */
export function otherRecipients(act: ActionContext, actor: UserRow, ids: readonly number[]): UserRow[] {
  const others = [...new Set(ids)].filter((id) => id !== actor.id).sort((a, b) => a - b);
  return others.map((id) => {
    const user = findUser(act.db, id);
    if (user === undefined || !canAccessUser(act, actor, user)) throw badRequest(`Invalid user ID ${id}`);
    if (user.is_active === 0) throw badRequest(`'${user.full_name}' is no longer using Parley.`);
    return user;
  });
}

/** Returns the ids that identify a direct conversation: those of the others, or the actor's own for notes to self. */
export function conversationUserIds(actor: UserRow, others: readonly UserRow[]): number[] {
  return others.length === 0 ? [actor.id] : others.map((other) => other.id);
}

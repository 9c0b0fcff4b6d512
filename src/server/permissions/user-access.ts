import type {ReadContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUser, findUserByEmail, idOfDummyEmail, type UserViewRow} from '#server/db/users.ts';
import {badRequest} from '#server/http/errors.ts';
import {canSeeEmail, hostOf} from '#server/views/user.ts';
import {hasPermission, isAdmin, organization} from './has-permission.ts';
import {SystemGroup} from './system-groups.ts';

/** Returns whether the viewer sees all users of the organization, which is the default. */
function canSeeAllUsers(act: ReadContext, viewer: UserRow): boolean {
  const group = organization(act).can_access_all_users_group;
  return group === SystemGroup.everyone || hasPermission(act, viewer, group);
}

/** Returns whether the organization hides some users from others. */
export function isUserAccessLimited(act: ReadContext): boolean {
  return organization(act).can_access_all_users_group !== SystemGroup.everyone;
}

const shared = /* sql */ `
  SELECT 1 WHERE EXISTS (
    SELECT 1 FROM subscription AS mine JOIN subscription AS theirs ON theirs.channel_id = mine.channel_id
    WHERE mine.user_id = ?1 AND mine.active = 1 AND theirs.user_id = ?2 AND theirs.active = 1
  ) OR EXISTS (
    SELECT 1 FROM dm_member AS mine JOIN dm_member AS theirs ON theirs.dm_id = mine.dm_id
    WHERE mine.user_id = ?1 AND theirs.user_id = ?2
  )`;

/**
 * Returns whether `viewer` may know that `target` exists. Limited viewers see bots and users who share a conversation
 * with them.
 */
export function canAccessUser(act: ReadContext, viewer: UserRow, target: UserViewRow): boolean {
  if (viewer.id === target.id || target.is_bot === 1 || canSeeAllUsers(act, viewer)) return true;
  return act.server.db.get(shared, viewer.id, target.id) !== undefined;
}

/** Returns the ids of the users that `viewer` may see, with one query; `everyone` when no user is hidden. */
export function accessibleUserIds(act: ReadContext, viewer: UserRow): 'everyone' | ReadonlySet<number> {
  if (canSeeAllUsers(act, viewer)) return 'everyone';
  const {db} = act.server;
  const ids = db.pluck(
    `SELECT theirs.user_id FROM subscription AS mine
       JOIN subscription AS theirs ON theirs.channel_id = mine.channel_id AND theirs.active = 1
       WHERE mine.user_id = ?1 AND mine.active = 1
     UNION SELECT theirs.user_id FROM dm_member AS mine JOIN dm_member AS theirs ON theirs.dm_id = mine.dm_id
       WHERE mine.user_id = ?1
     UNION SELECT id FROM user WHERE is_bot = 1
     UNION SELECT ?1`,
    viewer.id,
  );
  return new Set(ids);
}

/** Returns the user if `viewer` may see them. */
export function requireAccessibleUser(act: ReadContext, viewer: UserRow, id: number): UserRow {
  const user = findUser(act.server.db, id);
  if (user === undefined) throw badRequest('No such user');
  if (!canAccessUser(act, viewer, user)) throw badRequest('Insufficient permission');
  return user;
}

/** Returns a user who is neither a bot nor deactivated. */
export function requireActivePerson(act: ReadContext, viewer: UserRow, id: number): UserRow {
  const user = findUser(act.server.db, id);
  if (user === undefined || user.is_bot === 1) throw badRequest('No such user');
  if (user.is_active === 0) throw badRequest('User is deactivated');
  return requireAccessibleUser(act, viewer, id);
}

/** Finds a user by an address that `viewer` may see, or by the dummy address that every user has. */
export function requireAccessibleUserByEmail(act: ReadContext, viewer: UserRow, email: string): UserRow {
  const id = idOfDummyEmail(email, hostOf(act.server));
  if (id !== undefined) return requireAccessibleUser(act, viewer, id);
  const user = findUserByEmail(act.server.db, email);
  if (user === undefined || !canSeeEmail(viewer, user)) throw badRequest('No such user');
  return requireAccessibleUser(act, viewer, user.id);
}

export function requireAdmin(user: UserRow): void {
  if (!isAdmin(user)) throw badRequest('Insufficient permission');
}

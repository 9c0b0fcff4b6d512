import {emitAvatarUpdate} from '#server/actions/events/user-events.ts';
import type {ActionContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {isAdmin, organization} from '#server/permissions/has-permission.ts';
import {reloadUser} from './create-user.ts';

export function checkCanChangeAvatar(act: Pick<ActionContext, 'server'>, user: UserRow): void {
  if (organization(act).avatar_changes_disabled && !isAdmin(user)) {
    throw badRequest('Avatar changes are disabled in this organization.');
  }
}

/** Sets the avatar to an image in the file store, or back to the generated one. Checks no permissions. */
export function setAvatar(act: ActionContext, user: UserRow, file: string | undefined): UserRow {
  const before = reloadUser(act, user.id);
  const sql = 'UPDATE user SET avatar_source = ?, avatar_file = ?, avatar_version = avatar_version + 1 WHERE id = ?';
  act.db.run(sql, file === undefined ? 'G' : 'U', file ?? null, user.id);
  const after = reloadUser(act, user.id);
  emitAvatarUpdate(act, after);
  const old = before.avatar_file;
  // A failed deletion wastes a few kilobytes, which is no reason to fail the request.
  if (old !== null) act.afterCommit(() => void act.server.files.delete(avatarPath(old)).catch(() => {}));
  return after;
}

/** Returns the avatar's path in the file store. */
export function avatarPath(file: string): string {
  return `avatars/${file}`;
}

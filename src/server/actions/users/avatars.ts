import {emitAvatarUpdate} from '#server/actions/events/user-events.ts';
import type {ActionContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {isAdmin, organization} from '#server/permissions/has-permission.ts';
import {reloadUser} from './create-user.ts';

export function checkCanChangeAvatar(act: Pick<ActionContext, 'world'>, user: UserRow): void {
  if (organization(act).avatar_changes_disabled && !isAdmin(user)) {
    throw badRequest('Avatar changes are disabled in this organization.');
  }
}

/** Points an account at a picture that is in the file store already, or back at its generated one. Checks nothing. */
export function setAvatar(act: ActionContext, user: UserRow, file: string | undefined): UserRow {
  const before = reloadUser(act, user.id);
  act.db.run(
    'UPDATE user SET avatar_source = ?, avatar_file = ?, avatar_version = avatar_version + 1 WHERE id = ?',
    file === undefined ? 'G' : 'U',
    file ?? null,
    user.id,
  );
  const after = reloadUser(act, user.id);
  emitAvatarUpdate(act, after);
  const old = before.avatar_file;
  // A picture that stays behind costs a few kilobytes; failing the request for it would cost the user.
  if (old !== null) act.afterCommit(() => void act.world.files.delete(avatarPath(old)).catch(() => {}));
  return after;
}

/** Where a picture lies in the file store. */
export function avatarPath(file: string): string {
  return `avatars/${file}`;
}

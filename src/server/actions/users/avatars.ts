import {emitAvatar} from '#server/actions/events/user-events.ts';
import type {Act} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {isAdmin, organization} from '#server/permissions/has-permission.ts';
import {freshUser} from './create-user.ts';

export function checkMayChangeAvatar(act: Pick<Act, 'world'>, user: UserRow): void {
  if (organization(act).avatar_changes_disabled && !isAdmin(user)) {
    throw badRequest('Avatar changes are disabled in this organization.');
  }
}

/** Points an account at a picture that is in the file store already, or back at its generated one. Checks nothing. */
export function setAvatar(act: Act, user: UserRow, file: string | undefined): UserRow {
  const before = freshUser(act, user.id);
  act.db.run(
    'UPDATE user SET avatar_source = ?, avatar_file = ?, avatar_version = avatar_version + 1 WHERE id = ?',
    file === undefined ? 'G' : 'U',
    file ?? null,
    user.id,
  );
  const after = freshUser(act, user.id);
  emitAvatar(act, after);
  const old = before.avatar_file;
  // A picture that stays behind costs a few kilobytes; failing the request for it would cost the user.
  if (old !== null) act.afterwards(() => void act.world.files.delete(avatarPath(old)).catch(() => {}));
  return after;
}

/** Where a picture lies in the file store. */
export function avatarPath(file: string): string {
  return `avatars/${file}`;
}

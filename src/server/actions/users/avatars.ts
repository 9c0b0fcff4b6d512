import {randomBytes} from 'node:crypto';
import {emitAvatarUpdate} from '#server/actions/events/user-events.ts';
import {keepUpload} from '#server/actions/uploads/attachments.ts';
import type {ActionContext, RequestContext, ServerAccess} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {reloadUser} from '#server/db/users.ts';
import {badRequest, check} from '#server/errors.ts';
import {isAdmin, organization} from '#server/permissions/has-permission.ts';
import {type AsyncRequestContext, asyncRoute, type Route, route, type Upload} from '#server/route.ts';
import {checkedImageFormat} from '#server/uploads/image.ts';
import {avatarUrl} from '#server/views/user.ts';
import {endpoints} from '#wire/endpoints.ts';

export const avatarRoutes: readonly Route[] = [
  asyncRoute(endpoints.uploadAvatar, 'account', async (request) => {
    const {actor, upload} = request;
    check(upload !== undefined, 'You must upload exactly one avatar.');
    checkCanChangeAvatar(request, actor);
    return storeAvatar(request, actor, upload, (call, name) => ownUrl(setAvatar(call, call.actor, name)));
  }),
  route(endpoints.deleteAvatar, 'account', (call) => {
    checkCanChangeAvatar(call, call.actor);
    return ownUrl(call.actor.avatar_source === 'U' ? setAvatar(call, call.actor, undefined) : call.actor);
  }),
];

/** Stores an uploaded picture of a user under a new name, and deletes it again if `save` fails. */
export async function storeAvatar<T>(
  request: AsyncRequestContext,
  {id}: Pick<UserRow, 'id'>,
  upload: Upload,
  save: (call: RequestContext, name: string) => T,
): Promise<T> {
  const {extension} = checkedImageFormat(upload);
  const name = `${id}/${randomBytes(20).toString('hex')}.${extension}`;
  return keepUpload(request, upload, avatarPath(name), (call) => save(call, name));
}

/** Users see their own address, so the response always contains the URL of the avatar. */
function ownUrl(user: UserRow): {avatar_url: string | null} {
  return {avatar_url: avatarUrl(user, {clientGravatar: false, seesEmail: true})};
}

function checkCanChangeAvatar(act: ServerAccess, user: UserRow): void {
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

import {randomBytes} from 'node:crypto';
import {avatarPath, checkCanChangeAvatar, setAvatar} from '#server/actions/users/avatars.ts';
import type {RequestContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {unauthorized} from '#server/http/auth.ts';
import {badRequest} from '#server/http/errors.ts';
import {type AsyncRequestContext, asyncRoute, type Route, route, type Upload} from '#server/http/route.ts';
import {checkedImageFormat} from '#server/uploads/image.ts';
import {avatarUrl} from '#server/views/user.ts';
import {endpoints} from '#wire/endpoints.ts';

export const avatarRoutes: readonly Route[] = [
  asyncRoute(endpoints.uploadAvatar, async (request) => {
    const {actor, upload} = request;
    if (actor === undefined) throw unauthorized('Not logged in: API authentication or user session required');
    if (upload === undefined) throw badRequest('You must upload exactly one avatar.');
    checkCanChangeAvatar(request, actor);
    return storeAvatar(request, actor, upload, (call, name) => ownUrl(setAvatar(call, call.actor, name)));
  }),
  route(endpoints.deleteAvatar, (call) => {
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
  const {server} = request;
  const {extension} = checkedImageFormat(upload);
  const name = `${id}/${randomBytes(20).toString('hex')}.${extension}`;
  await upload.file.keep(avatarPath(name));
  try {
    return request.runAction((call) => save(call, name));
  } catch (error) {
    await server.files.delete(avatarPath(name));
    throw error;
  }
}

/** Users see their own address, so the response always contains the URL of the avatar. */
function ownUrl(user: UserRow): {avatar_url: string | null} {
  return {avatar_url: avatarUrl(user, {clientGravatar: false, seesEmail: true})};
}

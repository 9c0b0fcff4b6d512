import {randomBytes} from 'node:crypto';
import {avatarPath, checkCanChangeAvatar, setAvatar} from '#server/actions/users/avatars.ts';
import type {RequestContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {unauthorized} from '#server/http/auth.ts';
import {ApiError, badRequest} from '#server/http/errors.ts';
import {type AsyncRequestContext, asyncRoute, type Route, route, type Upload} from '#server/http/route.ts';
import {imageKind} from '#server/uploads/image-kind.ts';
import {avatarUrl} from '#server/views/user.ts';
import {endpoints} from '#wire/endpoints.ts';

const mib = 1024 * 1024;
const maxMib = 5;

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
  {file}: Upload,
  save: (call: RequestContext, name: string) => T,
): Promise<T> {
  const {server} = request;
  if (file.size > maxMib * mib) {
    throw badRequest(`Uploaded file is larger than the allowed limit of ${maxMib} MiB`);
  }
  const kind = imageKind(file.head);
  if (kind === undefined) throw new ApiError('BAD_IMAGE', 'Could not decode image; did you upload an image file?');
  const name = `${id}/${randomBytes(20).toString('hex')}.${kind.extension}`;
  await file.keep(avatarPath(name));
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

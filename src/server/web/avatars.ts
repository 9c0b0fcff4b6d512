import {avatarPath} from '#server/actions/users/avatars.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {ApiError} from '#server/http/errors.ts';
import type {WebRequest, WebResponse, WebRoute} from '#server/http/route.ts';
import {allowsSpectators} from '#server/permissions/spectator.ts';
import {canAccessUser, requireAccessibleUserByEmail} from '#server/permissions/user-access.ts';
import {avatarUrl, canSeeEmail, mediumAvatarUrl} from '#server/views/user.ts';
import {imageTypeByName} from '#std/media-type.ts';

export const avatarWebRoutes: readonly WebRoute[] = [
  {method: 'GET', path: '/user_avatars/:owner/:file', run: serveUpload},
  {method: 'GET', path: '/avatar/:who', run: async (request) => redirect(request, false)},
  {method: 'GET', path: '/avatar/:who/medium', run: async (request) => redirect(request, true)},
];

/**
 * Serves an avatar without checking credentials: the URL contains a long random part, so the link is the permission.
 */
async function serveUpload({server, path}: WebRequest): Promise<WebResponse> {
  const {owner = '', file = ''} = path;
  const type = imageTypeByName(file);
  if (type === undefined || !/^\d+$/.test(owner) || !/^[\w-]+\.\w+$/.test(file)) return refusal(404);
  const stored = await server.files.open(avatarPath(`${owner}/${file}`));
  if (stored === undefined) return refusal(404);
  return {
    status: 200,
    headers: {
      'content-type': type,
      'content-length': String(stored.size),
      'content-security-policy': "default-src 'none'",
      'cache-control': 'private, max-age=31536000, immutable',
    },
    body: stored.stream(),
  };
}

function redirect(request: WebRequest, medium: boolean): WebResponse {
  const {server, actor, path} = request;
  if (actor === undefined && !allowsSpectators(server)) return refusal(401);
  const user = findByIdOrEmail(request, path.who ?? '');
  if (user === undefined) return refusal(404);
  const seesEmail = actor !== undefined && canSeeEmail(actor, user);
  const url = avatarUrl(user, {clientGravatar: false, seesEmail});
  const location = (medium ? mediumAvatarUrl(url) : url) ?? '';
  return {status: 302, headers: {location, 'cache-control': 'private, max-age=300'}, body: ''};
}

function findByIdOrEmail({server, actor}: WebRequest, who: string): UserRow | undefined {
  const act = {server, now: Math.floor(server.clock.now() / 1000)};
  if (!/^\d{1,15}$/.test(who)) {
    try {
      return actor === undefined ? undefined : requireAccessibleUserByEmail(act, actor, who);
    } catch (error) {
      if (error instanceof ApiError) return undefined;
      throw error;
    }
  }
  const user = findUser(server.db, Number(who));
  if (user === undefined || actor === undefined) return user;
  return canAccessUser(act, actor, user) ? user : undefined;
}

function refusal(status: 401 | 404): WebResponse {
  const text = status === 401 ? 'Log in to see this avatar.\n' : 'No such avatar.\n';
  const challenge = status === 401 ? {'www-authenticate': 'Basic realm="zulip"'} : {};
  return {status, headers: {'content-type': 'text/plain; charset=utf-8', ...challenge}, body: text};
}

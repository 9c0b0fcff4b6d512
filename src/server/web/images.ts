import {createHash} from 'node:crypto';
import {buffer} from 'node:stream/consumers';
import {builtInEmoji} from '#content/emoji.ts';
import {avatarPath} from '#server/actions/users/avatars.ts';
import type {ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {unlessRefused} from '#server/errors.ts';
import {apiPrefix} from '#server/http/listener-options.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {allowsSpectators} from '#server/permissions/spectator.ts';
import {canAccessUser, canSeeEmail, requireAccessibleUserByEmail} from '#server/permissions/user-access.ts';
import type {WebRequest, WebResponse, WebRoute} from '#server/route.ts';
import {firstFrameOfGif} from '#server/uploads/image.ts';
import {
  animatedGif,
  emojiFolder,
  iconPath,
  imageFolder,
  organizationImage,
  stillFolder,
} from '#server/views/organization-items.ts';
import {avatarUrl, mediumAvatarUrl} from '#server/views/user.ts';
import {imageTypeByName} from '#std/media-type.ts';

export const avatarWebRoutes: readonly WebRoute[] = [
  {method: 'GET', path: '/user_avatars/:owner/:file', run: serveAvatar},
  {method: 'GET', path: '/avatar/:who', run: async (request) => redirectToAvatar(request, false)},
  {method: 'GET', path: '/avatar/:who/medium', run: async (request) => redirectToAvatar(request, true)},
];

/**
 * Serves an avatar without checking credentials: the URL contains a long random part, so the link is the permission.
 */
async function serveAvatar({server, path}: WebRequest): Promise<WebResponse> {
  const {owner = '', file = ''} = path;
  const type = /^\d+$/.test(owner) && /^[\w-]+\.\w+$/.test(file) ? imageTypeByName(file) : undefined;
  const headers = {
    'content-security-policy': "default-src 'none'",
    'cache-control': 'private, max-age=31536000, immutable',
  };
  return (
    (await storedImage(server, avatarPath(`${owner}/${file}`), type, headers)) ?? refusal(404, 'No such avatar.\n')
  );
}

/** Returns the response with a stored image of this type; undefined if there is none. */
async function storedImage(
  {files}: ServerContext,
  path: string,
  type: string | undefined,
  headers: WebResponse['headers'],
): Promise<WebResponse | undefined> {
  const stored = type === undefined ? undefined : await files.open(path);
  if (type === undefined || stored === undefined) return undefined;
  const own = {'content-type': type, 'content-length': String(stored.size)};
  return {status: 200, headers: {...own, ...headers}, body: stored.stream()};
}

function redirectToAvatar(request: WebRequest, medium: boolean): WebResponse {
  const {server, actor, path} = request;
  if (actor === undefined && !allowsSpectators(server)) return refusal(401, 'Log in to see this avatar.\n');
  const user = findByIdOrEmail(request, path.who ?? '');
  if (user === undefined) return refusal(404, 'No such avatar.\n');
  const seesEmail = actor !== undefined && canSeeEmail(actor, user);
  const url = avatarUrl(user, {clientGravatar: false, seesEmail});
  const location = (medium ? mediumAvatarUrl(url) : url) ?? '';
  return {status: 302, headers: {location, 'cache-control': 'private, max-age=300'}, body: ''};
}

function findByIdOrEmail({server, actor}: WebRequest, who: string): UserRow | undefined {
  const act = {server, now: Math.floor(server.clock.now() / 1000)};
  if (!/^\d{1,15}$/.test(who)) {
    return actor && unlessRefused(() => requireAccessibleUserByEmail(act, actor, who));
  }
  const user = findUser(server.db, Number(who));
  if (user === undefined || actor === undefined) return user;
  return canAccessUser(act, actor, user) ? user : undefined;
}

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
  <rect width="64" height="64" rx="14" fill="#2b5d8a"/>
  <path d="M14 18h36a4 4 0 0 1 4 4v18a4 4 0 0 1-4 4H32L20 54V44h-6a4 4 0 0 1-4-4V22a4 4 0 0 1 4-4z" fill="#fff"/>
</svg>
`;

/** The routes of the organization's icon and logos. The images need no credentials: login pages show them. */
export const iconWebRoutes: readonly WebRoute[] = [
  {
    method: 'GET',
    path: iconPath,
    run: async () => ({
      status: 200,
      headers: {
        'content-type': 'image/svg+xml',
        'cache-control': 'public, max-age=86400',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      },
      body: icon,
    }),
  },
  {
    method: 'GET',
    path: `/user_avatars/${imageFolder}/:file`,
    run: async ({server, path}) =>
      (await publicImage(server, imageFolder, path.file)) ?? refusal(404, 'No such image.\n'),
  },
  {method: 'GET', path: `${apiPrefix}/realm/icon`, run: async (request) => redirectToImage(request, 'icon')},
  {
    method: 'GET',
    path: `${apiPrefix}/realm/logo`,
    run: async (request) => redirectToImage(request, request.query.get('night') === 'true' ? 'night_logo' : 'logo'),
  },
];

function redirectToImage({server, actor}: WebRequest, image: 'icon' | 'logo' | 'night_logo'): WebResponse {
  if (actor === undefined) return refusal(401, 'Log in to see this image.\n');
  const {url} = organizationImage(organization({server}), image);
  return {status: 302, headers: {location: url, 'cache-control': 'private, max-age=300'}, body: ''};
}

function refusal(status: 401 | 404, text: string): WebResponse {
  const challenge = status === 401 ? {'www-authenticate': 'Basic realm="zulip"'} : {};
  return {status, headers: {'content-type': 'text/plain; charset=utf-8', ...challenge}, body: text};
}

const emojiDataFolder = '/static/generated/emoji';
let emojiData: {readonly path: string; readonly body: string} | undefined;

/** Returns the table of Unicode emoji. Its path contains a hash, because clients never fetch a path again. */
export function emojiDataFile(): {readonly path: string; readonly body: string} {
  if (emojiData !== undefined) return emojiData;
  const body = JSON.stringify({code_to_names: builtInEmoji().codeToNames});
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  emojiData = {path: `${emojiDataFolder}/emoji_api.${hash}.json`, body};
  return emojiData;
}

/** The routes of custom emoji images and of the standard emoji table. Both need no credentials. */
export const emojiWebRoutes: readonly WebRoute[] = [
  {
    method: 'GET',
    path: `/user_avatars/${emojiFolder}/:file`,
    run: async ({server, path}) =>
      (await publicImage(server, emojiFolder, path.file)) ?? refusal(404, 'No such emoji.\n'),
  },
  {
    method: 'GET',
    path: `/user_avatars/${stillFolder}/:file`,
    async run({server, path: {file = ''}}) {
      const image = file.endsWith(animatedGif) ? await publicImage(server, emojiFolder, file) : undefined;
      const stored = image === undefined ? undefined : await server.files.open(`${emojiFolder}/${file}`);
      if (image === undefined || stored === undefined) return refusal(404, 'No such emoji.\n');
      const body = firstFrameOfGif(await buffer(stored.stream()));
      return {...image, headers: {...image.headers, 'content-length': String(body.length)}, body};
    },
  },
  {
    method: 'GET',
    path: `${emojiDataFolder}/:file`,
    run: async ({path}) => {
      const {path: dataPath, body} = emojiDataFile();
      if (dataPath !== `${emojiDataFolder}/${path.file}`) return refusal(404, 'No such emoji.\n');
      return {
        status: 200,
        headers: {'content-type': 'application/json', 'cache-control': 'public, max-age=31536000, immutable'},
        body,
      };
    },
  },
];

/** Returns the response with an image that everybody may see; undefined if the folder has no such image. */
async function publicImage(server: ServerContext, folder: string, name = ''): Promise<WebResponse | undefined> {
  const type = /^[a-z0-9-]+\.[a-z]+$/.test(name) ? imageTypeByName(name) : undefined;
  return storedImage(server, `${folder}/${name}`, type, {
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
  });
}

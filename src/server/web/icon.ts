import {apiPrefix} from '#server/http/handler.ts';
import type {WebRequest, WebResponse, WebRoute} from '#server/http/route.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {iconPath, imageFolder, organizationImage} from '#server/views/organization-image.ts';
import {publicImage} from './public-image.ts';

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
  {method: 'GET', path: `${apiPrefix}/realm/icon`, run: async (request) => redirect(request, 'icon')},
  {
    method: 'GET',
    path: `${apiPrefix}/realm/logo`,
    run: async (request) => redirect(request, request.query.get('night') === 'true' ? 'night_logo' : 'logo'),
  },
];

function redirect({server, actor}: WebRequest, image: 'icon' | 'logo' | 'night_logo'): WebResponse {
  if (actor === undefined) return refusal(401, 'Log in to see this image.\n');
  const {url} = organizationImage(organization({server}), image);
  return {status: 302, headers: {location: url, 'cache-control': 'private, max-age=300'}, body: ''};
}

function refusal(status: 401 | 404, text: string): WebResponse {
  const challenge = status === 401 ? {'www-authenticate': 'Basic realm="zulip"'} : {};
  return {status, headers: {'content-type': 'text/plain; charset=utf-8', ...challenge}, body: text};
}

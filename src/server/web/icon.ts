import type {WebRoute} from '#server/http/route.ts';
import {iconPath} from '#server/views/server-settings.ts';

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
  <rect width="64" height="64" rx="14" fill="#2b5d8a"/>
  <path d="M14 18h36a4 4 0 0 1 4 4v18a4 4 0 0 1-4 4H32L20 54V44h-6a4 4 0 0 1-4-4V22a4 4 0 0 1 4-4z" fill="#fff"/>
</svg>
`;

/** The route of the organization's icon. */
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
];

import {findInviteByKey} from '#server/db/invites.ts';
import type {WebResponse, WebRoute} from '#server/http/route.ts';
import {organization} from '#server/permissions/has-permission.ts';

/**
 * The page that an invitation links to. Only administrators create accounts here, so the page explains how to get one.
 */
export const joinWebRoutes: readonly WebRoute[] = [
  {
    method: 'GET',
    path: '/join/:key',
    run: async ({server, path}) => {
      const now = Math.floor(server.clock.now() / 1000);
      const invite = findInviteByKey(server.db, path.key ?? '', now);
      if (invite === undefined) return page(404, 'This invitation does not exist, or it has expired.\n');
      const {name} = organization({server});
      const address = invite.email ?? 'you@example.com';
      const lines = [
        `You are invited to ${name}, at ${server.url}.`,
        '',
        'Joining takes two steps:',
        '',
        '1. Ask the person who invited you for an account. An administrator creates it with',
        '',
        `     curl -u ADMIN_EMAIL:ADMIN_KEY ${server.url}/api/v1/users \\`,
        `       --data-urlencode ${shellQuoted(`email=${address}`)} \\`,
        `       -d password=FIRST_PASSWORD -d full_name='Your Name'`,
        '',
        `2. Start parley and sign in to ${server.url} with that address and password.`,
        '',
      ];
      return page(200, lines.join('\n'));
    },
  },
];

/** Quotes user input for a shell command that the reader will paste. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function page(status: number, text: string): WebResponse {
  return {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    },
    body: text,
  };
}

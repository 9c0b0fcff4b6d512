import {findInviteByKey} from '#server/db/invites.ts';
import type {WebResponse, WebRoute} from '#server/http/route.ts';
import {organization} from '#server/permissions/has-permission.ts';

/** Where an invitation's link leads. Accounts are made by whoever runs the server, so the page says how to ask. */
export const joinWebRoutes: readonly WebRoute[] = [
  {
    method: 'GET',
    path: '/join/:key',
    run: async ({world, path}) => {
      const now = Math.floor(world.clock.now() / 1000);
      const invite = findInviteByKey(world.db, path.key ?? '', now);
      if (invite === undefined) return page(404, 'This invitation does not exist, or it has expired.\n');
      const {name} = organization({world});
      const address = invite.email ?? 'you@example.com';
      const lines = [
        `You are invited to ${name}, at ${world.url}.`,
        '',
        'Joining takes two steps:',
        '',
        '1. Ask whoever invited you for an account. An administrator makes it with',
        '',
        `     curl -u ADMIN_EMAIL:ADMIN_KEY ${world.url}/api/v1/users \\`,
        `       --data-urlencode ${shellQuoted(`email=${address}`)} \\`,
        `       -d password=FIRST_PASSWORD -d full_name='Your Name'`,
        '',
        `2. Start parley and sign in to ${world.url} with that address and password.`,
        '',
      ];
      return page(200, lines.join('\n'));
    },
  },
];

/** The address came from a person; pasted into a shell it must stay one word. */
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

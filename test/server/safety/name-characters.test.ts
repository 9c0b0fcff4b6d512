import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';

const hostileCharacters = ['\u001b', '\u0007', '\u009b', '\u202a', '\u202e', '\u2066', '\u2069'];

test('names: control characters and marks that reverse text are refused in every kind of name', async () => {
  const server = await testServer({rateLimited: false});
  const owner = server.people.owner();
  server.people.channel('general', [owner]);
  const as = server.as(owner);
  for (const character of hostileCharacters) {
    const name = `quay${character}x`;
    const requests = [
      ['POST', '/users', {email: 'x@example.com', password: 'a long enough password', full_name: name}],
      ['PATCH', '/settings', {full_name: name}],
      ['POST', '/users/me/subscriptions', {subscriptions: [{name}]}],
      ['POST', '/messages', {type: 'stream', to: 'general', topic: name, content: 'x'}],
      ['POST', '/user_groups/create', {name, description: '', members: []}],
      ['POST', '/channel_folders/create', {name, description: ''}],
      ['POST', '/realm/profile_fields', {name, field_type: 1}],
      ['POST', '/navigation_views', {fragment: 'narrow/is/alerted', is_pinned: true, name}],
      ['PATCH', '/realm', {name}],
    ] as const;
    for (const [method, path, params] of requests) await as.refused(method, path, params, {code: 'BAD_REQUEST'});
  }
  expect(await as.post('/user_groups/create', {name: 'חוף Küste 海', description: '', members: []})).toBeDefined();
});

import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);

test('avatars: an uploaded image is served with its type and sent to all users', async () => {
  const {people, as, anonymous} = await testServer();
  const meg = people.member();
  const otto = people.member('Otto Other');
  const listener = await as(otto).listen({event_types: ['realm_user']});
  const {status, body} = await as(meg).upload('/users/me/avatar', '../evil.html', png, 'image/png');
  expect(status).toBe(200);
  expect(body.avatar_url).toMatch(new RegExp(`^/user_avatars/${meg.id}/[0-9a-f]{40}\\.png\\?v=2$`));
  expect(await listener.events()).toMatchObject([
    {
      op: 'update',
      person: {
        user_id: meg.id,
        avatar_source: 'U',
        avatar_version: 2,
        avatar_url: body.avatar_url,
        avatar_url_medium: body.avatar_url,
      },
    },
  ]);
  expect((await as(otto).get(`/users/${meg.id}`)).user.avatar_url).toBe(body.avatar_url);
  const picture = await anonymous().web(body.avatar_url);
  expect(picture.headers.get('content-type')).toBe('image/png');
  expect(picture.headers.get('x-content-type-options')).toBe('nosniff');
  expect(new Uint8Array(await picture.arrayBuffer())).toEqual(png);
  const moved = await as(otto).web(`/avatar/${meg.id}`);
  expect([moved.status, moved.headers.get('location')]).toEqual([302, body.avatar_url]);
});

test('avatars: another one, or its removal, deletes the file, and a removal restores the generated avatar', async () => {
  const {people, as} = await testServer();
  const meg = people.member();
  const first = await as(meg).upload('/users/me/avatar', 'me.png', png);
  const {body} = await as(meg).upload('/users/me/avatar', 'me.png', png);
  expect((await as(meg).web(first.body.avatar_url)).status).toBe(404);
  expect((await as(meg).web(body.avatar_url)).status).toBe(200);
  const listener = await as(meg).listen({event_types: ['realm_user']});
  const {avatar_url} = await as(meg).delete('/users/me/avatar');
  expect(avatar_url).toMatch(/^https:\/\/secure\.gravatar\.com\/.*version=4$/);
  expect(await listener.events()).toMatchObject([
    {person: {user_id: meg.id, avatar_source: 'G', avatar_url, avatar_version: 4}},
  ]);
  expect((await as(meg).web(body.avatar_url)).status).toBe(404);
});

test('avatars: a file that is no image is refused, whatever its name', async () => {
  const {people, as} = await testServer();
  const meg = as(people.member());
  const script = new TextEncoder().encode('<svg onload="alert(1)"/>');
  const {status, body} = await meg.upload('/users/me/avatar', 'me.png', script, 'image/png');
  expect([status, body.code]).toEqual([400, 'BAD_IMAGE']);
  await meg.refused('POST', '/users/me/avatar', {}, {code: 'BAD_REQUEST'});
  const large = new Uint8Array(5 * 1024 * 1024 + 1);
  large.set(png);
  const refused = await meg.upload('/users/me/avatar', 'me.png', large);
  expect([refused.status, refused.body.code]).toEqual([400, 'BAD_REQUEST']);
});

test('avatars: the organization can limit avatar changes to administrators', async () => {
  const {people, as} = await testServer();
  people.setting('avatar_changes_disabled', true);
  const meg = as(people.member());
  expect((await meg.upload('/users/me/avatar', 'me.png', png)).status).toBe(400);
  await meg.refused('DELETE', '/users/me/avatar', {}, {code: 'BAD_REQUEST'});
  expect((await as(people.admin()).upload('/users/me/avatar', 'me.png', png)).status).toBe(200);
});

test('avatars: /avatar redirects by id or email, in medium size on request, with credentials only', async () => {
  const {people, as, anonymous} = await testServer();
  const meg = people.member();
  const byEmail = await as(meg).web(`/avatar/${meg.email}/medium`);
  expect(byEmail.headers.get('location')).toMatch(/^https:\/\/secure\.gravatar\.com\/.*&s=500$/);
  expect((await as(meg).web('/avatar/9999')).status).toBe(404);
  expect((await as(meg).web('/avatar/nobody@example.com')).status).toBe(404);
  expect((await anonymous().web(`/avatar/${meg.id}`)).status).toBe(401);
  expect((await as(meg).web('/user_avatars/1/..%2f..%2fsecret.png')).status).toBe(404);
});

import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';

const png = new Uint8Array(Buffer.from('\x89PNG\r\n\x1a\n and so on', 'latin1'));
const bad = {code: 'BAD_REQUEST'};

async function setup() {
  const server = await testServer();
  return {server, admin: server.people.admin(), meg: server.people.member()};
}

test('custom emoji: a new emoji is sent as an addition, or as the whole table to older clients', async () => {
  const {server, meg} = await setup();
  const modern = await server.as(meg).listen();
  const old = await server.as(meg).listen({client_capabilities: {notification_settings_null: false}});
  expect((await server.as(meg).upload('/realm/emoji/party_gopher', 'g.png', png)).status).toBe(200);
  const {emoji} = await server.as(meg).get('/realm/emoji');
  const [id] = Object.keys(emoji);
  const added = {
    id,
    name: 'party_gopher',
    source_url: expect.stringMatching(/^\/user_avatars\/1\/emoji\/images\/[a-z0-9-]+\.png$/),
    still_url: null,
    deactivated: false,
    author_id: meg.id,
  };
  expect(emoji).toEqual({[String(id)]: added});
  expect(await modern.events()).toEqual([{id: 0, type: 'realm_emoji', op: 'add', emoji: added}]);
  expect(await old.events()).toEqual([{id: 0, type: 'realm_emoji', op: 'update', realm_emoji: emoji}]);
  const {state} = await server.as(meg).listen({fetch_event_types: ['realm_emoji']});
  expect(state.realm_emoji).toEqual(emoji);
});

test('custom emoji: the image is served with its type, other paths are not found', async () => {
  const {server, meg} = await setup();
  await server.as(meg).upload('/realm/emoji/dot', 'evil.html', png, 'image/png');
  const [emoji] = Object.values((await server.as(meg).get('/realm/emoji')).emoji) as {source_url: string}[];
  const reply = await server.anonymous().web(emoji?.source_url ?? '');
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toBe('image/png');
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  expect(new Uint8Array(await reply.arrayBuffer())).toEqual(png);
  for (const file of ['nothing.png', '..%2F..%2Fdata.png', 'x']) {
    expect((await server.anonymous().web(`/user_avatars/1/emoji/images/${file}`)).status).toBe(404);
  }
});

test.each(['bad name!', 'ends_', 'ünï', '%F0%9F%98%80'])('custom emoji: the name %s is refused', async (name) => {
  const {server, meg} = await setup();
  const reply = await server.as(meg).upload(`/realm/emoji/${encodeURIComponent(name)}`, 'g.png', png);
  expect(reply.status).toBe(400);
});

test('custom emoji: a file that is no image, too large or missing is refused', async () => {
  const {server, meg} = await setup();
  const script = new Uint8Array(Buffer.from('<svg onload="x">'));
  const reply = await server.as(meg).upload('/realm/emoji/gopher', 'x.png', script);
  expect(reply.body).toMatchObject({code: 'BAD_IMAGE'});
  const large = new Uint8Array(5 * 1024 * 1024 + 1);
  large.set(png);
  expect((await server.as(meg).upload('/realm/emoji/gopher', 'x.png', large)).status).toBe(400);
  await server.as(meg).refused('POST', '/realm/emoji/gopher', {}, bad);
  expect((await server.as(meg).get('/realm/emoji')).emoji).toEqual({});
});

test('custom emoji: a used name is refused; a standard name needs an administrator', async () => {
  const {server, admin, meg} = await setup();
  await server.as(meg).upload('/realm/emoji/meg_gopher', 'g.png', png);
  expect((await server.as(admin).upload('/realm/emoji/meg_gopher', 'g.png', png)).status).toBe(400);
  expect((await server.as(meg).upload('/realm/emoji/smile', 'g.png', png)).status).toBe(400);
  expect((await server.as(admin).upload('/realm/emoji/smile', 'g.png', png)).status).toBe(200);
});

test('custom emoji: the organization’s permission decides who adds emoji, guests never do', async () => {
  const {server, meg} = await setup();
  const gus = server.people.guest();
  expect((await server.as(gus).upload('/realm/emoji/gopher', 'g.png', png)).status).toBe(400);
  server.people.setting('can_add_custom_emoji_group', 6);
  expect((await server.as(meg).upload('/realm/emoji/gopher', 'g.png', png)).status).toBe(400);
});

test('custom emoji: author or administrator deactivate an emoji, which frees its name', async () => {
  const {server, admin, meg} = await setup();
  const otto = server.people.member('Otto Other');
  await server.as(meg).upload('/realm/emoji/meg_gopher', 'g.png', png);
  const [id] = Object.keys((await server.as(meg).get('/realm/emoji')).emoji);
  await server.as(otto).refused('DELETE', '/realm/emoji/meg_gopher', {}, bad);
  const modern = await server.as(otto).listen();
  const old = await server.as(otto).listen({client_capabilities: {notification_settings_null: false}});
  await server.as(admin).delete('/realm/emoji/meg_gopher');
  await server.as(admin).refused('DELETE', '/realm/emoji/meg_gopher', {}, {status: 404, code: 'BAD_REQUEST'});
  expect(await modern.events()).toMatchObject([{op: 'update_one', emoji_id: id, data: {deactivated: true}}]);
  expect(await old.events()).toMatchObject([{op: 'update', realm_emoji: {[String(id)]: {deactivated: true}}}]);
  expect((await server.as(meg).upload('/realm/emoji/meg_gopher', 'g.png', png)).status).toBe(200);
  await server.as(meg).delete('/realm/emoji/meg_gopher');
});

test('custom emoji: the table of standard emoji is served at the registration’s URL', async () => {
  const {server, meg} = await setup();
  const {state} = await server.as(meg).listen({fetch_event_types: ['realm']});
  const reply = await fetch(state.server_emoji_data_url);
  const {code_to_names} = (await reply.json()) as {code_to_names: Record<string, string[]>};
  expect(code_to_names['1f44d']).toEqual(['+1', 'thumbs_up', 'like']);
  expect(code_to_names['1f97a']).toContain('pleading');
});

test('custom emoji: an animated GIF has a still image of its first frame, other images have none', async () => {
  const {server, meg} = await setup();
  const header = Buffer.from('474946383961010001008000000000000000ff', 'hex');
  const frame = Buffer.from('21f90400000000002c0000000001000100000202440100', 'hex');
  const [one, two] = [1, 2].map((count) => Buffer.concat([header, ...Array(count).fill(frame), Buffer.of(0x3b)]));
  await server.as(meg).upload('/realm/emoji/still', 'a.gif', new Uint8Array(one ?? []), 'image/gif');
  await server.as(meg).upload('/realm/emoji/moving', 'b.gif', new Uint8Array(two ?? []), 'image/gif');
  const {emoji} = await server.as(meg).get('/realm/emoji');
  const [still, moving] = Object.values(emoji) as {source_url: string; still_url: string | null}[];
  expect(still?.still_url).toBeNull();
  const image = async (url: string | null | undefined) => {
    const reply = await server.anonymous().web(url ?? '');
    return {type: reply.headers.get('content-type'), bytes: Buffer.from(await reply.arrayBuffer())};
  };
  expect(await image(moving?.source_url)).toEqual({type: 'image/gif', bytes: two});
  expect(await image(moving?.still_url)).toEqual({type: 'image/gif', bytes: one});
  expect((await server.anonymous().web(still?.source_url.replace('images/', 'images/still/') ?? '')).status).toBe(404);
});

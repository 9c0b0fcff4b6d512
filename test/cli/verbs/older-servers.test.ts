import {expect, test} from 'vitest';
import {httpServer} from '#test/api/client.ts';
import {stranger, verbFixture} from './verb-fixture.ts';
import {verbScene} from './verb-scene.ts';

test.each([
  ['remind', ['1', '--at', 'tomorrow']],
  ['channel create', ['x', '--topics', 'require']],
  ['channel create', ['x', '--permission', 'send_message=owners']],
  ['channel edit', ['general', '-d', 'x', '--folder', '']],
  ['group create', ['x', '--permission', 'join=owners']],
  ['linkifier add', ['a(?P<x>b)', 'https://x.example/{x}', '--example', 'ab', '--reverse', 'a{x}']],
  ['user update', ['@Otto Other', '--name', 'Otto', '--email', 'new@example.com']],
] as const)('%s %j: an option that the server is too old for is not left out silently', async (verb, argv) => {
  const {asOwner} = await verbScene({level: 200});
  const {code, out, err} = await asOwner.run(verb, argv);
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(
    /^This server is too old for “.+”. Needs Zulip \d+ \(feature level \d+\). This server has level 200\.\n$/,
  );
});

test('older servers: what they know works', async () => {
  const {asOwner} = await verbScene({level: 200});
  expect(await asOwner.run('channel create', ['plans', '-d', 'x', '--privacy', 'private'])).toMatchObject({code: 0});
  expect(await asOwner.run('channel edit', ['plans', '--name', 'ideas'])).toMatchObject({code: 0});
  expect(await asOwner.run('group create', ['crew', '--user', '@Otto Other'])).toMatchObject({code: 0});
  expect(await asOwner.run('group remove', ['crew', '@Otto Other'])).toMatchObject({code: 0});
  expect(await asOwner.run('mute', ['#general>t'])).toMatchObject({code: 0});
  expect(await asOwner.run('status', ['busy', '--emoji', 'tada'])).toMatchObject({code: 0});
});

test('older servers: one that is too old is one sentence', async () => {
  const server = {queue_id: null, last_event_id: -1, zulip_version: '4.0', zulip_feature_level: 66};
  const own = {user_id: 1, full_name: 'Stranger', email: stranger.email};
  const url = await httpServer((_request, response) => {
    response.writeHead(200, {'content-type': 'application/json'});
    response.end(JSON.stringify({result: 'success', msg: '', ...server, ...own}));
  });
  expect(await verbFixture({url}, stranger).run('unread', [])).toEqual({
    code: 1,
    out: '',
    err: 'This server (version 4.0) is too old: Parley needs Zulip 5 (feature level 122), the server has 66.\n',
  });
});

import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';

test.each(['conference', 'webex'])('video calls: a %s call has a new URL each time', async (segment) => {
  const server = await testServer();
  const meg = server.people.member();
  server.context.db.run('UPDATE user SET video_token = 1 WHERE id = ?', meg.id);
  const first = await server.as(meg).post(`/calls/${segment}/create`);
  const second = await server.as(meg).post(`/calls/${segment}/create`);
  expect(first.url).toMatch(/^https:\/\/meet\.jit\.si\/.{16,}$/);
  expect(first.url).not.toBe(second.url);
  const {state} = await server.as(meg).listen({fetch_event_types: ['video_calls']});
  expect(state).toMatchObject({has_zoom_token: false, has_webex_token: true, has_conference_token: true});
});

test('video calls: without a token the call is refused and the user’s clients get the token state', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const mine = await server.as(meg).listen({fetch_event_types: ['video_calls']});
  const other = await server.as(otto).listen();
  expect(mine.state).toMatchObject({has_webex_token: false, has_conference_token: false});
  const refusal = {code: 'INVALID_VIDEO_CALL_PROVIDER_TOKEN'};
  await server.as(meg).refused('POST', '/calls/conference/create', {}, refusal);
  expect(await mine.events()).toEqual([
    {id: 0, type: 'has_conference_token', value: false},
    {id: 1, type: 'has_webex_token', value: false},
  ]);
  expect(await other.events()).toEqual([]);
});

test('video calls: a provider that is not configured is refused', async () => {
  const server = await testServer();
  const meg = server.people.member();
  server.context.db.run('UPDATE user SET video_token = 1 WHERE id = ?', meg.id);
  const bad = {code: 'BAD_REQUEST'};
  await server.as(meg).refused('POST', '/calls/zoom/create', {is_video_call: true}, bad);
  await server.as(meg).refused('GET', '/calls/bigbluebutton/create', {meeting_name: 'x'}, bad);
  server.people.setting('video_chat_provider', 0);
  await server.as(meg).refused('POST', '/calls/conference/create', {}, bad);
});

test('video calls: a new organization uses Jitsi, whose address it can set, and its conferences are there', async () => {
  const server = await testServer();
  const owner = server.as(server.people.owner());
  const state = await owner.post('/register', {fetch_event_types: ['realm']});
  expect(state).toMatchObject({realm_video_chat_provider: 1, server_jitsi_server_url: 'https://meet.jit.si'});
  expect(state.realm_available_video_chat_providers).toEqual({
    disabled: {name: 'None', id: 0},
    jitsi_meet: {name: 'Jitsi Meet', id: 1},
  });
  await owner.refused('PATCH', '/realm', {video_chat_provider: 8}, {code: 'BAD_REQUEST'});
  await owner.patch('/realm', {jitsi_server_url: '"https://jitsi.example.com"'});
  const after = await owner.post('/register', {fetch_event_types: ['realm']});
  expect(after.realm_jitsi_server_url).toBe('https://jitsi.example.com');
  server.context.db.run('UPDATE user SET video_token = 1');
  expect((await owner.post('/calls/conference/create')).url).toMatch(/^https:\/\/jitsi\.example\.com\/.{16,}$/);
});

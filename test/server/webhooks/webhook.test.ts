import {expect, test} from 'vitest';
import {ManualClock} from '#test/support/manual-clock.ts';
import {testServer} from '#test/support/server.ts';
import {webhookFixture} from './webhook-fixture.ts';

test('webhooks: a JSON object is shown as code, to the bot’s owner or in a channel', async () => {
  const {call, lastMessage, meg} = await webhookFixture();
  expect(await call('json', {}, {a: 1, b: ['Ä']})).toEqual({status: 200, result: 'success', msg: ''});
  expect(await lastMessage()).toMatchObject({
    type: 'private',
    content: '```json\n{\n  "a": 1,\n  "b": [\n    "Ä"\n  ]\n}\n```',
    sender_full_name: 'Hook',
    client: 'ZulipJSONWebhook',
    display_recipient: expect.arrayContaining([expect.objectContaining({id: meg.id})]),
  });
  await call('json', {stream: 'code'}, {});
  expect(await lastMessage()).toMatchObject({display_recipient: 'code', subject: 'JSON'});
  await call('json', {stream: 'code', topic: 'builds'}, {});
  expect(await lastMessage()).toMatchObject({display_recipient: 'code', subject: 'builds'});
});

test('webhooks: a channel can be named by its id', async () => {
  const {server, meg, call, lastMessage} = await webhookFixture();
  const id = server.people.channel('other', [meg]);
  await call('json', {stream: String(id)}, {});
  expect(await lastMessage()).toMatchObject({display_recipient: 'other'});
});

const malformed = [
  ['json', '', 'INVALID_JSON'],
  ['json', '{"a":', 'INVALID_JSON'],
  ['json', '[1]', 'BAD_REQUEST'],
  ['github', 'payload={}', 'INVALID_JSON'],
  ['github', '{}', 'MISSING_HTTP_EVENT_HEADER'],
  ['slack_incoming', '[]', 'ANOMALOUS_WEBHOOK_PAYLOAD'],
  ['slack_incoming', '{"text": 1}', 'ANOMALOUS_WEBHOOK_PAYLOAD'],
  ['slack_incoming', '{"blocks": [{"type": "section", "fields": [3]}]}', 'ANOMALOUS_WEBHOOK_PAYLOAD'],
] as const;

test('webhooks: malformed bodies are refused', async () => {
  const {call} = await webhookFixture();
  for (const [name, body, code] of malformed) {
    const reply = await call(name, {stream: 'code'}, body);
    expect(reply, `${name} ${body}`).toMatchObject({status: 400, result: 'error', code});
  }
  for (const event of ['push', 'pull_request', 'issues', 'issue_comment', 'release', 'ping', 'team', 'toString', '']) {
    for (const body of [
      {},
      {sender: {login: 'x'}},
      {sender: {login: 'x'}, action: 'opened', ref: 'refs/heads/a'},
      [],
    ]) {
      const {status} = await call('github', {stream: 'code'}, body, {'x-github-event': event});
      expect([200, 400], `${event} ${JSON.stringify(body)}`).toContain(status);
    }
  }
});

test('webhooks: the key is checked', async () => {
  const {server, meg, bot, call} = await webhookFixture();
  const unauthorized = {status: 401, code: 'UNAUTHORIZED'};
  expect(await call('json', {api_key: 'short'}, {})).toMatchObject({...unauthorized, msg: 'Malformed API key'});
  expect(await call('json', {api_key: 'a'.repeat(32)}, {})).toMatchObject({...unauthorized, msg: 'Invalid API key'});
  const {api_key} = await server.as(meg).post(`/bots/${bot.user_id}/api_key/regenerate`);
  expect(await call('json', {}, {})).toMatchObject(unauthorized);
  expect(await call('json', {api_key}, {})).toMatchObject({status: 200});
  // As on Zulip's servers, the keys of people and other bots work too.
  expect(await call('json', {api_key: meg.apiKey, stream: 'code'}, {})).toMatchObject({status: 200});
  expect(await call('json', {api_key: meg.apiKey}, {})).toMatchObject({code: 'REQUEST_VARIABLE_MISSING'});
  await server.as(meg).delete(`/bots/${bot.user_id}`);
  expect(await call('json', {api_key}, {})).toMatchObject({status: 401, code: 'USER_DEACTIVATED'});
  const response = await fetch(`${server.url}/api/v1/external/json`, {method: 'POST', body: '{}'});
  expect(await response.json()).toMatchObject({code: 'REQUEST_VARIABLE_MISSING', var_name: 'api_key'});
  expect((await fetch(`${server.url}/api/v1/external/unknown`, {method: 'POST', body: '{}'})).status).toBe(404);
});

test('webhooks: wrong keys and messages are limited as other requests are', async () => {
  const server = await testServer({clock: new ManualClock()});
  const meg = server.people.member();
  const bot = server.people.bot('Hook', meg);
  const post = (key: string) =>
    fetch(`${server.url}/api/v1/external/json?api_key=${key}`, {method: 'POST', body: '{}'});
  const wrong = await Promise.all(Array.from({length: 101}, () => post('a'.repeat(32))));
  expect(wrong.filter(({status}) => status === 429)).toHaveLength(1);
  expect((await post(bot.apiKey)).headers.get('x-ratelimit-remaining')).toBe('199');
});

test('webhooks: the owner learns of a missing channel and of what is not JSON, once in five minutes for each bot', async () => {
  const {server, meg, call, lastMessage} = await webhookFixture();
  expect(await call('json', {stream: 'nowhere'}, {})).toMatchObject({status: 200, result: 'success'});
  const notice = await lastMessage();
  expect(notice).toMatchObject({type: 'private', sender_full_name: 'Notification Bot'});
  expect(notice.content).toContain("Channel 'nowhere' does not exist");
  await call('json', {stream: 'nowhere'}, {});
  await call('json', {}, 'no JSON');
  expect((await lastMessage()).id).toBe(notice.id);
  const other = await server.as(meg).post('/bots', {full_name: 'Other', short_name: 'other', bot_type: 2});
  await call('json', {stream: 'nowhere', api_key: other.api_key}, {});
  expect((await lastMessage()).content).toContain('Other');
  const third = await server.as(meg).post('/bots', {full_name: 'Third', short_name: 'third', bot_type: 2});
  await call('json', {stream: 'code', api_key: third.api_key}, 'no JSON');
  expect((await lastMessage()).content).toContain('received something other than JSON');
});

test('webhooks: a channel that bot and owner may not see is answered like one that does not exist', async () => {
  const {server, call, lastMessage} = await webhookFixture();
  server.people.channel('secret', [server.people.admin()], {invite_only: 1});
  expect(await call('json', {stream: 'secret'}, {})).toMatchObject({status: 200, result: 'success'});
  expect((await lastMessage()).content).toContain("Channel 'secret' does not exist");
});

test('webhooks: only_events and exclude_events choose events by pattern', async () => {
  const {call, lastMessage} = await webhookFixture();
  const fork = {sender: {login: 'amy'}, repository: {name: 'r'}, forkee: {name: 'r2', html_url: 'https://x/r2'}};
  const send = (filter: Record<string, string>) =>
    call('github', {stream: 'code', ...filter}, fork, {'x-github-event': 'fork'});
  await call('json', {stream: 'code'}, {});
  const {id} = await lastMessage();
  for (const filter of [{only_events: '["push*"]'}, {exclude_events: '["f?rk", "x"]'}]) {
    expect(await send(filter)).toMatchObject({status: 200, result: 'success'});
    expect((await lastMessage()).id).toBe(id);
  }
  await send({only_events: '["push*", "*or*"]', exclude_events: '["forks"]'});
  expect(await lastMessage()).toMatchObject({content: 'amy forked [r2](https://x/r2).'});
  expect(await send({only_events: 'fork'})).toMatchObject({status: 400, code: 'BAD_REQUEST'});
});

import {expect, test} from 'vitest';
import {parseJson} from '#std/parse-json.ts';
import {webhookFixture} from '#test/server/webhooks/webhook-fixture.ts';
import {testServer} from '#test/support/server.ts';

const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const depths = [201, 8000];

test('nested JSON: 200 levels are read, more are not valid JSON', () => {
  for (const nested of [lists, objects, (depth: number) => `[1,"[[[",${objects(depth - 1)},2]`]) {
    expect(parseJson(nested(200))).toEqual(JSON.parse(nested(200)));
    for (const depth of depths) expect(() => parseJson(nested(depth))).toThrow(SyntaxError);
  }
  for (const text of [
    `["${'['.repeat(500)}"]`,
    `["\\"${'['.repeat(500)}"]`,
    `["\\\\",${lists(199)},"${'['.repeat(500)}"]`,
  ]) {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  }
  expect(parseJson(JSON.stringify(Array(500).fill([])))).toHaveLength(500);
});

test('nested JSON: a webhook refuses it as malformed', async () => {
  const {call} = await webhookFixture();
  const malformed = {status: 400, code: 'INVALID_JSON', msg: 'Malformed JSON'};
  for (const depth of depths) {
    expect(await call('json', {stream: 'code'}, objects(depth))).toMatchObject(malformed);
    expect(await call('github', {stream: 'code'}, objects(depth), {'x-github-event': 'ping'})).toMatchObject(malformed);
  }
  expect(await call('json', {stream: 'code'}, objects(100))).toMatchObject({status: 200});
});

test('nested JSON: a parameter is refused with its name', async () => {
  const server = await testServer();
  const meg = server.people.member();
  for (const depth of depths) {
    const refusals = [
      await server.as(meg).raw('POST', '/messages/flags/narrow', {
        anchor: 'newest',
        num_before: 1,
        num_after: 1,
        op: 'add',
        flag: 'read',
        narrow: lists(depth),
      }),
      await server.as(meg).raw('POST', '/register', {narrow: lists(depth)}),
      await server.as(meg).raw('PATCH', '/users/me/profile_data', {data: objects(depth)}),
      await server.as(meg).raw('POST', '/drafts', {drafts: lists(depth)}),
    ];
    for (const {status, body} of refusals) {
      expect([status, body.msg]).toEqual([400, expect.stringMatching(/^(narrow|data|drafts) is not valid JSON$/)]);
    }
  }
});

test('nested JSON: submessages, widgets and test hooks refuse it', async () => {
  const server = await testServer({testHooks: true});
  const meg = server.people.member();
  const otto = server.people.member('Otto');
  const {id} = await server.as(meg).post('/messages', {type: 'direct', to: [otto.id], content: '/poll tides'});
  for (const depth of depths) {
    const submessage = {message_id: id, msg_type: 'widget', content: objects(depth)};
    expect((await server.as(meg).raw('POST', '/submessage', submessage)).body.msg).toBe('Invalid json for submessage');
    const message = {type: 'direct', to: [otto.id], content: 'x', widget_content: objects(depth)};
    expect((await server.as(meg).raw('POST', '/messages', message)).body.msg).toBe(
      'Widgets: API programmer sent invalid JSON content',
    );
    const hook = await fetch(`${server.url}/test-hooks/fault`, {method: 'POST', body: objects(depth)});
    expect([hook.status, await hook.json()]).toMatchObject([400, {msg: 'The body is not JSON'}]);
  }
});

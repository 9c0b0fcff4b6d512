import {expect, test} from 'vitest';
import {ApiClient} from '#test/support/api-client.ts';
import type {Person} from '#test/support/people.ts';
import {testServer} from '#test/support/server.ts';
import type {Endpoint} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';

const bytes = new TextEncoder().encode('plan');

/** An organization that visitors can read, with a message of each kind. Every text but the web-public one is secret. */
async function setup() {
  const server = await testServer({rateLimited: false});
  const [meg, otto] = [server.people.member(), server.people.member('Otto')];
  const channels = {
    web: server.people.channel('web', [meg], {is_web_public: 1}),
    open: server.people.channel('open', [meg]),
    hidden: server.people.channel('hidden', [meg], {invite_only: 1}),
    old: server.people.channel('old', [meg], {is_web_public: 1}),
  };
  server.people.setting('enable_spectator_access', true);
  async function send(to: keyof typeof channels | 'dm', text: string): Promise<{id: number; file: string}> {
    const {body} = await server.as(meg).upload('/user_uploads', `${to}.txt`, bytes);
    const target =
      to === 'dm' ? {type: 'direct', to: [otto.id]} : {type: 'stream', to: channels[to], topic: `${text} topic`};
    const {id} = await server.as(meg).post('/messages', {...target, content: `${text} @**Otto** [file](${body.url})`});
    return {id, file: body.url};
  }
  const shown = await send('web', 'visible');
  const secrets = [await send('open', 'secret'), await send('hidden', 'secret'), await send('dm', 'secret')];
  secrets.push(await send('old', 'secret'));
  server.context.db.run('UPDATE channel SET is_archived = 1 WHERE id = ?', channels.old);
  return {
    server,
    meg,
    otto,
    channels,
    shown,
    secrets,
    anybody: new ApiClient(server.url, undefined, {prefix: '/json'}),
  };
}

const page = {anchor: 'newest', num_before: 100, num_after: 0};
const webPublic = {operator: 'channels', operand: 'web-public'};
const notLoggedIn = {status: 401, code: 'UNAUTHORIZED'};

test('spectators: a browser without a cookie reads what visitors read, even with credentials', async () => {
  const {server, meg, shown, anybody} = await setup();
  const query = new URLSearchParams({...page, num_before: '9', num_after: '0', narrow: JSON.stringify([webPublic])});
  const {messages} = JSON.parse(await (await anybody.web(`/json/messages?${query}`)).text());
  expect(messages).toMatchObject([{id: shown.id}]);
  expect((await server.as(meg).web('/json/users')).status).toBe(401);
  const reply = await fetch(`${server.url}/json/register`, {method: 'POST'});
  expect([reply.status, await reply.json()]).toMatchObject([403, {code: 'CSRF_FAILED'}]);
});

test('spectators: web-public messages, topics and files need no account', async () => {
  const {server, anybody, meg, channels, shown} = await setup();
  const {messages} = await anybody.get('/messages', {...page, narrow: [webPublic]});
  expect(messages).toMatchObject([
    {id: shown.id, flags: ['read'], stream_id: channels.web, sender_full_name: 'Meg Member'},
  ]);
  expect(JSON.stringify(messages)).not.toContain(meg.email);
  expect(messages[0].avatar_url).toEqual(expect.any(String));
  for (const term of [
    {operator: 'search', operand: 'visible'},
    {operator: 'with', operand: shown.id},
    {operator: 'sender', operand: meg.id},
  ]) {
    const found = await anybody.get('/messages', {...page, narrow: [webPublic, term]});
    expect(found.messages, term.operator).toMatchObject([{id: shown.id}]);
  }
  const {message} = await anybody.get(`/messages/${shown.id}`, {apply_markdown: false});
  expect(message).toMatchObject({id: shown.id, flags: ['read'], content: expect.stringContaining('visible')});
  expect((await anybody.get(`/users/me/${channels.web}/topics`)).topics).toMatchObject([{name: 'visible topic'}]);
  expect((await server.anonymous().post('/register', {})).never_subscribed).toMatchObject([{stream_id: channels.web}]);
  expect(await (await anybody.web(shown.file)).text()).toBe('plan');
});

test('spectators: only browsers read messages and topics without an account', async () => {
  const {server, channels, shown} = await setup();
  const program = server.anonymous();
  await program.refused('GET', '/messages', {...page, narrow: [webPublic]}, notLoggedIn);
  await program.refused('GET', `/messages/${shown.id}`, {}, notLoggedIn);
  await program.refused('GET', `/users/me/${channels.web}/topics`, {}, notLoggedIn);
});

test('spectators: other messages, topics and files stay hidden', async () => {
  const {anybody, otto, channels, secrets} = await setup();
  for (const {id, file} of secrets) {
    await anybody.refused('GET', `/messages/${id}`, {}, notLoggedIn);
    expect((await anybody.web(file)).status).toBe(403);
    for (const query of [
      {...page, narrow: [webPublic, {operator: 'with', operand: id}]},
      {message_ids: [id], narrow: [webPublic]},
    ]) {
      const {body} = await anybody.raw('GET', '/messages', query);
      expect((body.messages ?? []).map((message: {id: number}) => message.id)).not.toContain(id);
    }
  }
  for (const id of [channels.open, channels.hidden, channels.old]) {
    await anybody.refused('GET', `/users/me/${id}/topics`, {}, {code: 'BAD_REQUEST'});
  }
  const refused = [
    [],
    [{operator: 'channel', operand: 'web'}],
    [{...webPublic, negated: true}],
    [webPublic, {operator: 'is', operand: 'unread'}],
  ];
  for (const narrow of [...refused, [webPublic, {operator: 'dm', operand: [otto.id]}]]) {
    await anybody.refused('GET', '/messages', {...page, narrow}, notLoggedIn);
  }
});

test('spectators: without the organization’s permission, or without an active web-public channel, nothing is readable', async () => {
  const {server, anybody, channels, shown} = await setup();
  async function expectNothing(): Promise<void> {
    await anybody.refused('GET', '/messages', {...page, narrow: [webPublic]}, notLoggedIn);
    await anybody.refused('GET', `/messages/${shown.id}`, {}, notLoggedIn);
    await anybody.refused('GET', `/users/me/${channels.web}/topics`, {}, notLoggedIn);
    await server.anonymous().refused('POST', '/register', {}, notLoggedIn);
    expect((await anybody.web(shown.file)).status).toBe(403);
  }
  server.people.setting('enable_spectator_access', false);
  await expectNothing();
  server.people.setting('enable_spectator_access', true);
  await anybody.get(`/messages/${shown.id}`);
  server.people.setting('is_deactivated', true);
  await expectNothing();
  server.people.setting('is_deactivated', false);
  server.context.db.run('UPDATE channel SET is_archived = 1');
  await expectNothing();
  server.context.db.run('UPDATE channel SET is_archived = 0, is_web_public = 0');
  await expectNothing();
});

test('spectators: no endpoint shows a visitor what is not web-public', async () => {
  const {server, anybody, meg, otto, channels, secrets, shown} = await setup();
  const before = server.context.db.value('SELECT max(id) FROM message');
  const all: readonly Endpoint[] = Object.values(endpoints);
  const inForce = all.filter(({until}) => until === undefined);
  await Promise.all(
    inForce
      .filter(({auth}) => auth === 'user')
      .map(async (endpoint) => {
        const {status} = await anybody.raw(endpoint.method, pathOf(endpoint, shown.id, meg));
        expect(status, endpoint.id).toBe(401);
      }),
  );
  const ids = [...secrets.map(({id}) => id), ...Object.values(channels), shown.id, meg.id, otto.id];
  for (const endpoint of inForce.filter(({auth}) => auth !== 'user')) {
    for (const id of ids) {
      const narrow = [webPublic, {operator: 'channel', operand: id}];
      const params = {...page, narrow, username: meg.email};
      for (const visitor of [anybody, server.anonymous()]) {
        const {body} = await visitor.raw(endpoint.method, pathOf(endpoint, id, meg), params);
        for (const text of ['secret', 'hidden', meg.email]) {
          expect(JSON.stringify(body), `${endpoint.id} ${id}`).not.toContain(text);
        }
      }
    }
  }
  expect(server.context.db.value('SELECT max(id) FROM message')).toBe(before);
});

function pathOf({path, params}: Endpoint, id: number, person: Person): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    params[name]?.digits ? String(id) : name === 'email' ? person.email : 'x',
  );
}

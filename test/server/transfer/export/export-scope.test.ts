import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {Role} from '#server/organization/permission-rules.ts';
import type {ReadExport} from '#test/server/transfer/read-export.ts';
import {type TestServer, testServer} from '#test/support/server.ts';
import {exported} from './export-fixture.ts';

const agrees = {allow_private_data_export: true};
const hidesAddress = {email_address_visibility: 4};

/** An organization in which Olive and Cora agree that their private data is exported, and Nora and Hugh do not. */
async function dividedOrganization() {
  const server = await testServer({rateLimited: false});
  const {people} = server;
  const olive = people.add('Olive', {role: Role.owner, settings: {...agrees, ...hidesAddress}});
  const cora = people.add('Cora', {settings: {...agrees, enter_sends: true}});
  const nora = people.add('Nora', {settings: {enter_sends: true, color_scheme: 2}});
  const hugh = people.add('Hugh', {settings: hidesAddress});
  const helper = people.bot('Helper', cora);
  people.channel('open', [olive, nora]);
  people.channel('mixed', [cora, nora], {invite_only: 1});
  people.channel('others', [nora, hugh], {invite_only: 1});
  const partial = people.channel('partial', [nora], {invite_only: 1, history_public_to_subscribers: 0});
  for (const channel of ['open', 'mixed', 'others', 'partial']) await send(server, nora, channel, `in ${channel}`);
  people.subscribe(cora, partial);
  await send(server, nora, 'partial', 'in partial, later');
  const pairs = [
    [nora, cora],
    [nora, hugh],
    [nora, helper],
  ] as const;
  for (const [from, to] of pairs) {
    await server.as(from).post('/messages', {type: 'direct', to: [to.id], content: `to ${to.fullName}`});
  }
  for (const person of [cora, nora]) {
    const client = server.as(person);
    await client.post('/users/me/alert_words', {alert_words: JSON.stringify([person.fullName])});
    await client.post('/users/me/subscriptions/properties', {
      subscription_data: JSON.stringify([
        {
          stream_id: server.context.db.value(`SELECT id FROM channel WHERE name = 'mixed'`),
          property: 'pin_to_top',
          value: true,
        },
      ]),
    });
  }
  return {server, olive, cora, nora, hugh};
}

function send(server: TestServer, person: Parameters<TestServer['as']>[0], to: string, content: string) {
  return server.as(person).post('/messages', {type: 'stream', to, topic: 't', content});
}

const texts = ({rows}: ReadExport) => rows('message').map(({content}) => content);
const account = ({rows}: ReadExport, id: number) => rows('userprofile').find((row) => row.id === id);

test('export: with consent, it contains what those may read who agreed, and the accounts of others have to be registered again', async () => {
  const {server, olive, cora, nora, hugh} = await dividedOrganization();
  const {data, violations} = await exported(server.context, {scope: 'consented'});
  expect(violations).toEqual([]);
  expect(texts(data)).toEqual(['in open', 'in mixed', 'in partial, later', 'to Cora', 'to Helper']);
  expect(data.rows('alertword')).toMatchObject([{user_profile: cora.id}]);
  expect(new Set(data.rows('usermessage').map(({user_profile}) => user_profile)).has(nora.id)).toBe(false);
  expect(account(data, cora.id)).toMatchObject({is_active: true, enter_sends: true});
  expect(account(data, olive.id)).toMatchObject({is_active: true, delivery_email: olive.email});
  expect(account(data, nora.id)).toMatchObject({is_active: false, is_mirror_dummy: true, delivery_email: nora.email});
  expect(account(data, nora.id)).not.toHaveProperty('color_scheme');
  expect(account(data, hugh.id)?.delivery_email).toBe(`user${hugh.id}@parley.invalid`);
  const pinned = data.rows('subscription').filter(({pin_to_top}) => pin_to_top === true);
  expect(pinned.map(({user_profile}) => user_profile)).toEqual([cora.id]);
});

test('export: a public one has accounts for everybody, except those who show nobody their address, and no private data', async () => {
  const {server, olive, nora} = await dividedOrganization();
  const {data, violations} = await exported(server.context, {scope: 'public'});
  expect(violations).toEqual([]);
  expect(texts(data)).toEqual(['in open']);
  expect([...data.rows('alertword'), ...data.rows('usermessage'), ...data.rows('huddle')]).toEqual([]);
  expect(account(data, nora.id)).toMatchObject({is_active: true, delivery_email: nora.email});
  expect(account(data, nora.id)).not.toHaveProperty('enter_sends');
  expect(account(data, olive.id)).toMatchObject({is_active: false, is_mirror_dummy: true});
  expect(JSON.stringify(data.rows('userprofile'))).not.toContain(olive.email);
});

test('export: no password and no API key of a person or a bot is in it', async () => {
  const server = await testServer();
  const owner = server.people.owner();
  await server
    .as(owner)
    .post('/users', {email: 'ann@example.com', full_name: 'Ann', password: 'correct horse battery'});
  const bot = server.people.bot('Build bot', owner);
  const {data} = await exported(server.context);
  const files = readdirSync(data.directory, {recursive: true, withFileTypes: true}).filter((entry) => entry.isFile());
  const text = files.map(({parentPath, name}) => readFileSync(join(parentPath, name), 'utf8')).join('');
  const {api_key} = await server.anonymous().post('/fetch_api_key', {
    username: 'ann@example.com',
    password: 'correct horse battery',
  });
  const hash = server.context.db.value<string>(
    "SELECT password_hash FROM user WHERE delivery_email = 'ann@example.com'",
  );
  expect(text).toContain('ann@example.com');
  expect(hash).toMatch(/.{20}/);
  for (const secret of [owner.apiKey, bot.apiKey, api_key, hash]) expect(text).not.toContain(secret);
});

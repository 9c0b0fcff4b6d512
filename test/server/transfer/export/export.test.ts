import {execFileSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {ServerContext} from '#server/context.ts';
import {insertChannels, insertMessages, insertPeople} from '#server/seed/generated-world.ts';
import {seedWorld} from '#server/seed/seed-world.ts';
import {exportOrganization} from '#server/transfer/export/export-organization.ts';
import {Random} from '#std/random.ts';
import {performRandomAction, randomAction} from '#test/server/safety/random-actions.ts';
import {SafetyFixture} from '#test/server/safety/safety-fixture.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';
import {slowTest} from '#test/support/tier.ts';
import {exported, flagsByApi, receivedFlags} from './export-fixture.ts';

slowTest(
  'export: the demo keeps all rules of the importer with everything it has, and with only what is public',
  async () => {
    const prepare = (world: ServerContext) => seedWorld(world, {world: 'demo', size: 'small'}, () => {});
    const server = await testServer({prepare, rateLimited: false});
    const {data, summary, violations} = await exported(server.context);
    expect(violations).toEqual([]);
    const {db} = server.context;
    const tables = {
      userprofile: 'user WHERE is_system_bot = 0',
      stream: 'channel',
      message: 'message',
      reaction: 'reaction',
      submessage: 'submessage',
      namedusergroup: 'user_group',
      realmemoji: 'realm_emoji',
      customprofilefieldvalue: 'profile_value',
      scheduledmessage: 'scheduled_message',
      usertopic: 'user_topic',
    };
    for (const [table, source] of Object.entries(tables)) {
      expect([table, data.original(table).length]).toEqual([table, db.value(`SELECT COUNT(*) FROM ${source}`)]);
    }
    expect(data.rows('attachment')).toHaveLength(9);
    expect(summary.files.files).toBe(13);
    const people = db.all<{id: number; delivery_email: string}>(
      'SELECT id, delivery_email FROM user WHERE is_active = 1 AND is_bot = 0 LIMIT 3',
    );
    for (const {id, delivery_email: email} of people) {
      const apiKey = server.context.secrets.apiKey({id, key_generation: 0});
      const client = server.as({id, email, fullName: '', apiKey});
      expect(receivedFlags(data, id)).toEqual(await flagsByApi(client));
    }
    const open = await exported(server.context, {scope: 'public'});
    expect(open.violations).toEqual([]);
    const publicCount = `SELECT COUNT(*) FROM message WHERE channel_id IN (SELECT id FROM channel WHERE invite_only = 0)`;
    expect(open.data.rows('message')).toHaveLength(db.value(publicCount) ?? 0);
    for (const table of ['huddle', 'usermessage', 'alertword', 'scheduledmessage', 'savedsnippet', 'usertopic']) {
      expect([table, open.data.rows(table).length]).toEqual([table, 0]);
    }
    expect(open.data.rows('stream').some(({invite_only}) => invite_only)).toBe(true);
  },
);

test('export: random organizations keep all rules, and everybody has the flags that the API shows', async () => {
  const actions = fc.sample(randomAction, {seed: 20_260_401, numRuns: 70});
  const fixture = await SafetyFixture.open({clientsOnly: true});
  try {
    for (const action of actions) await performRandomAction(fixture, action);
    const {data, violations} = await exported(fixture.server.context);
    expect(violations).toEqual([]);
    const {db} = fixture.server.context;
    for (const person of fixture.people) {
      if (db.value('SELECT is_active FROM user WHERE id = ?', person.id) === 0) continue;
      const flags = receivedFlags(data, person.id);
      expect(flags).toEqual(await flagsByApi(fixture.client(person), flags.keys()));
    }
  } finally {
    await fixture.close();
  }
});

slowTest('export: a generated organization keeps all rules, also without the receivers of old messages', async () => {
  const scale = {
    people: 410,
    channels: 200,
    messages: 1050,
    unread: 300,
    unreadConversations: 30,
    yourChannels: 20,
    days: 60,
  };
  const {context} = await testServer();
  const now = Math.floor(context.clock.now() / 1000);
  context.db.transaction(() => {
    const random = new Random(7);
    const people = insertPeople(context.db, random, scale, now);
    insertMessages(context.db, random, scale, people, insertChannels(context.db, random, scale, people, now), now);
  });
  const all = await exported(context);
  const recent = await exported(context, {receivedDays: 30});
  expect([...all.violations, ...recent.violations]).toEqual([]);
  expect(all.data.messageFiles.map(({messages}) => messages.length)).toEqual([1000, 50]);
  expect(recent.summary.userMessages).toBeLessThan(all.summary.userMessages * 0.6);
  const flags = ({data}: typeof all) => data.rows('usermessage').filter(({flags_mask}) => flags_mask !== 1);
  expect(flags(recent)).toEqual(flags(all));
});

test('export: the archive has the same files as the directory, also with long names', async () => {
  const server = await testServer();
  const olive = server.people.owner();
  server.people.channel('general', [olive]);
  const name = `${'långt-namn-'.repeat(14)}.txt`;
  const {body} = await server.as(olive).upload('/user_uploads', name, new Uint8Array(5));
  const content = `[file](${body.url})`;
  await server.as(olive).post('/messages', {type: 'stream', to: 'general', topic: 't', content});
  const parent = scratchDirectory();
  await exportOrganization(server.context, {output: join(parent, 'made'), zulipVersion: '12.0'});
  const unpacked = scratchDirectory();
  execFileSync('tar', ['xzf', join(parent, 'made.tar.gz'), '-C', unpacked]);
  const files = (directory: string) =>
    readdirSync(directory, {recursive: true, withFileTypes: true})
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(directory.length), readFileSync(path, 'utf8')])
      .sort();
  expect(files(join(unpacked, 'made'))).toEqual(files(join(parent, 'made')));
  expect(files(unpacked).flat().join()).toContain(name);
});

test('export: an existing output is kept, and an interrupted export leaves nothing', async () => {
  const server = await testServer();
  const olive = server.people.owner();
  await server.as(olive).post('/messages', {type: 'direct', to: [olive.id], content: 'note'});
  const parent = scratchDirectory();
  const output = join(parent, 'made');
  const controller = new AbortController();
  const onProgress = (text: string) => {
    if (text.startsWith('Writing messages')) controller.abort();
  };
  const options = {output, zulipVersion: '12.0', onProgress, signal: controller.signal};
  await expect(exportOrganization(server.context, options)).rejects.toThrow(/abort/);
  expect(readdirSync(parent)).toEqual([]);
  await exportOrganization(server.context, {output, zulipVersion: '12.0'});
  expect(readdirSync(parent).sort()).toEqual(['made', 'made.tar.gz']);
  const again = exportOrganization(server.context, {output, zulipVersion: '12.0'});
  await expect(again).rejects.toThrow('made exists already');
  expect(existsSync(join(output, 'realm.json'))).toBe(true);
});

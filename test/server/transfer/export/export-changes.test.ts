import {cpSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {MessageRow} from '#server/db/rows.ts';
import {organizationDefaults} from '#server/organization/organization-settings.ts';
import {importedServer} from '#test/server/transfer/import/import-fixture.ts';
import {validateExport} from '#test/server/transfer/validate-export.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {type TestServer, testServer} from '#test/support/server.ts';
import {settingDefaults} from '#wire/objects/user-settings.ts';
import {exported} from './export-fixture.ts';

/** Settings whose values are numbers here and not there, or have no place there. */
const ownSettings = /_id$|_file$|^can_|_group$|upload_quota/;

/** An organization with everything that an import could stumble over. */
async function awkwardOrganization() {
  const server = await testServer({rateLimited: false});
  const {people} = server;
  const olive = people.owner();
  const odd = {web_font_size_px: 2 ** 40, notification_sound: 'zulip\ud800'};
  const settings = {...settingDefaults, ...odd, email_address_visibility: 3, translate_emoticons: true};
  const ann = people.add('Ann Archer', {settings});
  const [sam, other] = [people.add('Sam', {email: 'a@example.com'}), people.add('sam', {email: 'b@example.com'})];
  people.add('Robot', {botOwner: ann.id, email: 'robot@127.0.0.1'});
  people.channel('general', [olive, ann, sam, other], {
    permissions: {can_send_message_group: {direct_members: [ann.id], direct_subgroups: [6, 5]}},
  });
  for (const [name, value] of Object.entries(organizationDefaults)) {
    if (!ownSettings.test(name)) people.setting(name, value);
  }
  people.setting('user_setting_defaults', settingDefaults);
  for (const name of ['message_retention_days', 'digest_weekday']) people.setting(name, 2 ** 40);
  const linkifiers = `INSERT INTO linkifier (pattern, url_template, alternative_url_templates, sort_order)
    VALUES ('T-(?P<id>[0-9]+)', 'https://t.example/{id}', '[]', 1), ('(?=x)', 'https://t.example', '[]', 2)`;
  server.context.db.exec(linkifiers);
  const send = async (content: string) => {
    const params = {type: 'stream', to: 'general', topic: 'one', content};
    return Number((await server.as(ann).post('/messages', params)).id);
  };
  return {server, olive, ann, sam, other, send, upload: uploader(server, ann)};
}

function uploader(server: TestServer, person: Parameters<TestServer['as']>[0]) {
  return async (name: string) => {
    const {body} = await server.as(person).upload('/user_uploads', name, new Uint8Array(9));
    return String(body.url);
  };
}

test('export: what an importer would refuse or misread is changed, and nothing else', async () => {
  const {server, olive, ann, sam, other, send, upload} = await awkwardOrganization();
  const named = await send(`@**Ann Archer|${ann.id}** and \`@**Ann Archer|1**\``);
  const ambiguous = await send(`@**Sam|${sam.id}** or @_**sam|${other.id}**`);
  const file = await send(`[notes](${await upload('हिन्दी notes.txt')})`);
  const audio = await send(`![horn](${await upload('horn.wav')})`);
  const horn = await send(`![horn](${await upload('हिन्दी horn.wav')})`);
  const maud = server.people.add('Maud Moss', {email: 'maud@example.com'});
  const [renamed, kept] = [await send('@**Maud Moss**'), await send('@**Ann Archer** in #**general**')];
  for (const name of ['a\uFEFFb.txt', '...']) await send(`[odd](${await upload(name)})`);
  for (const name of ['kirmizi', 'kırmızı']) server.people.channel(name, [olive]);
  for (const topic of ['istanbul', 'İstanbul']) {
    const channel = server.context.db.value(`SELECT id FROM channel WHERE name = 'general'`);
    await server.as(ann).post('/user_topics', {stream_id: channel, topic, visibility_policy: 3});
  }
  const edited = await send('befor');
  await server.as(ann).patch(`/messages/${edited}`, {content: 'before'});
  await server.as(olive).patch(`/users/${maud.id}`, {full_name: 'Maud Mill'});
  server.people.add('Maud Moss', {email: 'other@example.com'});
  const later = Math.floor(server.context.clock.now() / 1000) + 9999;
  const direct = {type: 'direct', to: [sam.id, other.id], content: 'later', scheduled_delivery_timestamp: later};
  await server.as(ann).post('/scheduled_messages', direct);
  await server.as(ann).post('/reminders', {message_id: named, scheduled_delivery_timestamp: later});
  await server.as(olive).patch(`/messages/${file}`, {topic: 'two', send_notification_to_new_thread: true});
  const {data, violations, summary} = await exported(server.context);
  expect(violations).toEqual([]);
  const message = (id: number) => data.rows('message').find((row) => row.id === id);
  expect(message(named)?.content).toBe('@**Ann Archer** and `@**Ann Archer|1**`');
  expect(message(ambiguous)).toMatchObject({rendered_content: expect.stringContaining(`data-user-id="${other.id}"`)});
  expect(message(file)?.content).toMatch(/\/user_uploads\/1\/.*\/[\p{L}]+-notes\.txt\)$/u);
  expect(message(audio)?.rendered_content).toContain('<audio ');
  const [audioPath = 'none'] = /1\/[^)]*wav/.exec(String(message(horn)?.content)) ?? [];
  expect(message(horn)?.rendered_content).toContain(`/user_uploads/${audioPath}`);
  expect(message(renamed)).toMatchObject({rendered_content: expect.stringContaining(`data-user-id="${maud.id}"`)});
  expect(message(kept)).toMatchObject({rendered_content: null, content: '@**Ann Archer** in #**general**'});
  expect(message(edited)?.edit_history).toContain('"prev_rendered_content":"<p>befor</p>"');
  const fromBots = data.rows('message').filter(({sender}) => data.has('userprofile_crossrealm', sender));
  expect(fromBots.length).toBeGreaterThan(0);
  const [, reminder] = data.rows('scheduledmessage');
  expect(data.rows('scheduledmessage').map(({delivery_type}) => delivery_type)).toEqual([1, 1]);
  expect(data.original('scheduledmessage').map(({delivery_type}) => delivery_type)).toEqual([1, 2]);
  expect(reminder?.content).toContain('@_**Ann Archer** [said](#narrow/channel/general/topic/one)');
  expect(data.rows('realmfilter')).toMatchObject([{pattern: 'T-(?P<id>[0-9]+)'}]);
  const user = (id: number) => data.rows('userprofile').find((row) => row.id === id);
  expect(user(ann.id)).toMatchObject({email: `user${ann.id}@parley.invalid`, delivery_email: ann.email});
  expect(Object.fromEntries(summary.changes)).toEqual({
    'e-mail addresses that a Zulip server refuses (replaced)': 1,
    'linkifiers that are not valid (left out)': 1,
    'links to messages (now to the topic)': 2,
    'mentions that need an id (text, once the message is edited)': 2,
    'reminders (now scheduled messages to oneself)': 1,
    'names of channels that a Zulip server takes for those of others (numbered)': 1,
  });
  const general = data.rows('stream').find(({name}) => name === 'general');
  const group = general?.can_send_message_group;
  expect(data.rows('usergroupmembership').filter((row) => row.user_group === group)).toHaveLength(1);
  expect(data.rows('groupgroupmembership').filter((row) => row.supergroup === group)).toHaveLength(2);
});

test('export: a text that a Zulip server renders slowly has its HTML, and one that it renders quickly does not', async () => {
  const {server, olive, send} = await awkwardOrganization();
  const emoji = await send(':tada: '.repeat(500));
  const characters = await send('🎉'.repeat(500));
  const words = await send('word '.repeat(1500));
  const short = await send('**bold** :tada: [x](https://a.example)');
  server.people.channel('plans', [olive]);
  const links = await send('#**plans** '.repeat(50));
  const {data, violations} = await exported(server.context);
  expect(violations).toEqual([]);
  const message = (id: number) => data.rows('message').find((row) => row.id === id);
  for (const id of [emoji, characters]) {
    expect(String(message(id)?.rendered_content).match(/class="emoji emoji-1f389"/g)).toHaveLength(500);
  }
  expect(message(words)).toMatchObject({
    rendered_content: expect.stringContaining('<p>word'),
    rendered_content_version: 1,
  });
  expect(message(short)).toMatchObject({rendered_content: null, rendered_content_version: null});
  expect(message(links)?.rendered_content).toContain('href="/#narrow/channel/plans"');
});

test('export: a message keeps its text if the emoji, person and channel in it got their names later, here and on the next server', async () => {
  const {server, olive, ann, send} = await awkwardOrganization();
  const early = await send(':tern: @**Zoe** #**plans**');
  const picture = new Uint8Array(readFileSync('assets/demo/files/emoji-tern.png'));
  expect((await server.as(olive).upload('/realm/emoji/tern', 'tern.png', picture)).status).toBe(200);
  server.people.add('Zoe');
  server.people.channel('plans', [ann]);
  const late = await send(':tern: @**Zoe** #**plans**');
  const targetIds = {message: 500, stream: 600, userprofile: 700, usergroup: 800, realm: 9};
  const {data, violations} = await exported(server.context, {targetIds});
  expect(violations).toEqual([]);
  const html = '<p>:tern: @<strong>Zoe</strong> #<strong>plans</strong></p>';
  const message = (id: number) => data.rows('message').find((row) => row.id === id);
  expect(message(early)).toMatchObject({rendered_content: html});
  expect(message(late)).toMatchObject({rendered_content: null});
  const {server: next} = await importedServer(data.directory);
  const [first, second] = next.context.db.all<MessageRow & Record<string, unknown>>(
    'SELECT * FROM message ORDER BY id',
  );
  if (first === undefined || second === undefined) throw new Error('Two messages are expected');
  expect(next.context.renderer.messageHtml(first)).toBe(html);
  expect(next.context.renderer.messageHtml(second)).toContain('<img alt=":tern:"');
  // HTML that a Zulip server is given shows the emoji at its address there.
  await send(`${':tern: '.repeat(40)}`);
  const {data: again} = await exported(server.context, {targetIds});
  expect(again.rows('message').at(-1)?.rendered_content).toContain('src="/user_avatars/9/emoji/images/');
});

test('export: the notice that a topic was resolved has its type, and people without a picture get a generated one', async () => {
  const {server, ann, send} = await awkwardOrganization();
  const id = await send('done');
  await server.as(ann).patch(`/messages/${id}`, {topic: '✔ one', propagate_mode: 'change_all'});
  const {data} = await exported(server.context);
  expect(data.rows('message').map(({type}) => type)).toEqual([1, 2]);
  expect(new Set(data.rows('userprofile').map(({avatar_source}) => avatar_source))).toEqual(new Set(['J']));
});

test('export: pictures, custom emoji and playgrounds are part of it', async () => {
  const {server, olive, send} = await awkwardOrganization();
  const client = server.as(olive);
  const picture = new Uint8Array(readFileSync('assets/demo/files/emoji-tern.png'));
  for (const path of ['/users/me/avatar', '/realm/icon', '/realm/logo?night=true', '/realm/emoji/tern']) {
    expect([path, (await client.upload(path, 'tern.png', picture)).status]).toEqual([path, 200]);
  }
  await client.post('/realm/playgrounds', {
    name: 'Try it',
    pygments_language: 'Python',
    url_template: 'https://play.example.com/?code={code}',
  });
  await client.post(`/messages/${await send('look')}/reactions`, {emoji_name: 'tern'});
  const {data, violations} = await exported(server.context);
  expect(violations).toEqual([]);
  const paths = (folder: string) => data.records(folder).map(({path}) => path);
  expect(paths('avatars')).toEqual([`1/${olive.id}.original`]);
  expect(paths('emoji')).toHaveLength(1);
  expect(paths('realm_icons')).toEqual(['1/icon.original', '1/icon.png', '1/night_logo.original', '1/night_logo.png']);
  expect(data.rows('realm')).toMatchObject([{icon_source: 'U', night_logo_source: 'U'}]);
  expect(data.rows('reaction')).toMatchObject([{reaction_type: 'realm_emoji', emoji_name: 'tern'}]);
  expect(data.rows('realmplayground')).toMatchObject([{pygments_language: 'Python'}]);
});

type Rows = Record<string, Record<string, unknown>[]>;

/** A mistake in a file, and the rule that must find it. */
const mistakes: readonly [rule: string, file: string, make: (tables: Rows) => unknown][] = [
  ['keys are known', 'realm.json', (t) => Object.assign(t.zerver_stream?.[0] ?? {}, {color: 'red'})],
  ['stream.folder is there', 'realm.json', (t) => delete t.zerver_stream?.[0]?.folder],
  ['reaction.emoji_name is not null', 'realm.json', (t) => set(t, 'reaction', {emoji_name: null})],
  ['message.sender is a row of user', 'messages-000001.json', (t) => set(t, 'message', {sender: 99})],
  ['message.date_sent is a time', 'messages-000001.json', (t) => set(t, 'message', {date_sent: '2026-01-01'})],
  ['texts have no NUL', 'messages-000001.json', (t) => set(t, 'message', {content: 'a\0'})],
  ['realm.enable_read_receipts is there', 'realm.json', (t) => delete t.zerver_realm?.[0]?.enable_read_receipts],
  ['realm.digest_weekday is a whole number of 16 bits', 'realm.json', (t) => set(t, 'realm', {digest_weekday: 40_000})],
  ['message.date_sent is a time', 'messages-000001.json', (t) => set(t, 'message', {date_sent: 2 ** 38})],
  ['texts have no halves', 'messages-000001.json', (t) => set(t, 'message', {content: '\ud83d'})],
  ['subscription: no two rows share user_profile', 'realm.json', (t) => repeat(t, 'subscription')],
  [
    'uploads/records.json.s3_path is there',
    'uploads/records.json',
    (t) => Reflect.deleteProperty(t[0] ?? {}, 's3_path'),
  ],
  ['profile fields for people', 'realm.json', (t) => set(t, 'customprofilefieldvalue', {value: ''})],
  ['stream.topics_policy is a whole number', 'realm.json', (t) => set(t, 'stream', {topics_policy: 'inherit'})],
  ['recipients are channels', 'realm.json', (t) => set(t, 'recipient', {type: 1})],
  ['e-mail addresses are valid', 'realm.json', (t) => set(t, 'userprofile', {email: 'b@localhost'})],
  ['no two rows share email~', 'realm.json', (t) => set(t, 'userprofile', {email: 'B@EXAMPLE.COM'})],
  ['the system groups are there', 'realm.json', (t) => t.zerver_groupgroupmembership?.splice(0)],
  ['everybody is in the group', 'realm.json', (t) => t.zerver_usergroupmembership?.shift()],
  ['HTML has version 1', 'messages-000001.json', (t) => set(t, 'message', {rendered_content: '<p>x</p>'})],
  ['edits are JSON', 'messages-000001.json', (t) => set(t, 'message', {last_edit_time: 1})],
  ['every active user in a direct', 'messages-000001.json', (t) => t.zerver_usermessage?.splice(0)],
  ["a file's path ends", 'attachment.json', (t) => set(t, 'attachment', {file_name: 'other.txt'})],
  ['the table is there', 'realm.json', (t) => delete t.zerver_client],
];

function set(tables: Rows, table: string, values: object): void {
  Object.assign(tables[`zerver_${table}`]?.[0] ?? {}, values);
}

/** Adds the first row of a table once more, with another id. */
function repeat(tables: Rows, table: string): void {
  const rows = tables[`zerver_${table}`];
  rows?.push({...rows[0], id: 2 ** 40});
}

test('export: what somebody has who is away, and names that were used again, go along', async () => {
  const server = await testServer();
  const {people, context} = server;
  const [olive, ann] = [people.owner(), people.member('Ann Archer')];
  const general = people.channel('general', [olive, ann]);
  const {id} = await server.as(olive).post('/messages', {type: 'channel', to: general, topic: 't', content: 'hi'});
  context.db.exec(`INSERT INTO realm_emoji (id, name, file, author_id, deactivated) VALUES (7, 'tern', 'x.png', NULL, 1);
    INSERT INTO reaction (message_id, user_id, emoji_name, emoji_code, reaction_type) VALUES (${id}, ${ann.id}, 'gull', '7', 'realm_emoji');
    INSERT INTO presence (user_id, active_at, idle_at, update_id) VALUES (${ann.id}, 100, 200, 1);
    INSERT INTO channel_folder (name, name_key, description, sort_order, created_at, is_archived)
      VALUES ('Work', 'work', '', 1, 1, 0), ('WORK', 'work', '', 2, 1, 1)`);
  await server.as(olive).delete(`/users/${ann.id}`);
  const {data} = await exported(context);
  const own = (table: string) => data.rows(table).filter(({user_profile}) => user_profile === ann.id);
  expect(own('subscription')).toMatchObject([{active: true, is_user_active: false}]);
  expect(own('userpresence').map((row) => Number(row.last_connected_time) - Number(row.last_active_time))).toEqual([
    100,
  ]);
  expect(own('reaction')).toMatchObject([{emoji_name: 'tern'}]);
  expect(data.rows('channelfolder').map(({name}) => name)).toEqual(['Work', 'WORK']);
});

test('export: the rules find mistakes', async () => {
  const {server, olive, sam, send, upload} = await awkwardOrganization();
  const id = await send(`[notes](${await upload('notes.txt')})`);
  await server.as(sam).post(`/messages/${id}/reactions`, {emoji_name: 'tada'});
  await server.as(sam).post('/messages', {type: 'direct', to: [sam.id], content: 'note'});
  const field = await server.as(olive).post('/realm/profile_fields', {name: 'Mentor', field_type: 6});
  await server.as(sam).patch('/users/me/profile_data', {data: JSON.stringify([{id: field.id, value: [olive.id]}])});
  const {data, violations} = await exported(server.context);
  expect(violations).toEqual([]);
  for (const [rule, file, make] of mistakes) {
    const copy = join(scratchDirectory(), 'copy');
    cpSync(data.directory, copy, {recursive: true});
    const tables = JSON.parse(readFileSync(join(copy, file), 'utf8'));
    make(tables);
    writeFileSync(join(copy, file), JSON.stringify(tables));
    expect(validateExport(copy).violations.join('\n')).toContain(rule);
  }
});

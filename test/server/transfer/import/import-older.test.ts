import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {changeJson, type ExportFiles, exportDirectory, orchardFiles} from '#test/server/transfer/archive-fixture.ts';
import {personalFacts} from '#test/server/transfer/personal-facts.ts';
import type {Reply} from '#test/support/api-client.ts';
import {importedServer} from './import-fixture.ts';

const expected = JSON.parse(readFileSync('test/fixtures/zulip-export/orchard-expected.json', 'utf8'));

/** The tables that Zulip 7 does not have. */
const laterTables = ['channelfolder', 'navigationview', 'savedsnippet', 'submessage', 'scheduledmessage'];

/** Gives an export the shape that a server of Zulip 7 writes. */
function makeOlder(files: ExportFiles): void {
  files.delete('migration_status.json');
  let personal = new Map<number, readonly number[]>();
  changeJson(files, 'realm.json', (tables) => {
    for (const table of laterTables) delete tables[`zerver_${table}`];
    delete tables.import_source;
    personal = makePersonal(tables);
    makeNumbers(tables);
    for (const row of tables.zerver_usertopic) if (row.topic_name === 'frost watch') row.topic_name = '(no topic)';
  });
  changeJson(files, 'emoji/records.json', (records) => {
    for (const record of Object.values<Reply>(records))
      if (record.path.endsWith('.original')) record.file_name += '.original';
  });
  changeJson(files, 'messages-000001.json', ({zerver_message: messages}) => {
    for (const message of messages) {
      delete message.is_channel_message;
      if (message.subject === '\u0007') message.subject = '';
      else if (message.subject === 'frost watch') message.subject = '(no topic)';
      const people = personal.get(message.recipient);
      if (people === undefined) continue;
      // The recipient is the person who receives the message.
      message.recipient = 100_000 + (people.find((id) => id !== message.sender) ?? message.sender);
    }
  });
}

/** Turns the direct conversations of one or two people into recipients of type 1, and returns who was in them. */
function makePersonal(tables: Reply): Map<number, number[]> {
  const people = new Map<number, number[]>();
  for (const {recipient, user_profile} of tables.zerver_subscription) {
    people.set(recipient, [...(people.get(recipient) ?? []), user_profile]);
  }
  const personal = new Map<number, number[]>();
  for (const {id, group_size} of tables.zerver_huddle) {
    const recipient = tables.zerver_recipient.find((row: Reply) => row.type === 3 && row.type_id === id).id;
    if (group_size <= 2) personal.set(recipient, people.get(recipient) ?? []);
  }
  const users = [...tables.zerver_userprofile, ...tables.zerver_userprofile_crossrealm].map(({id}: Reply) => id);
  tables.zerver_recipient = [
    ...tables.zerver_recipient.filter(({id}: Reply) => !personal.has(id)),
    ...users.map((id) => ({id: 100_000 + id, type: 1, type_id: id})),
  ];
  tables.zerver_subscription = tables.zerver_subscription.filter(({recipient}: Reply) => !personal.has(recipient));
  return personal;
}

/** Turns groups into rows with names, and permissions into numbers. */
function makeNumbers(tables: Reply): void {
  const {zerver_namedusergroup: groups} = tables;
  delete tables.zerver_namedusergroup;
  tables.zerver_usergroup = groups.map(({id, name, description, is_system_group}: Reply) => ({
    id,
    name: is_system_group ? `@${name}` : name,
    description,
    is_system_group,
  }));
  const named = new Set(groups.map(({id}: Reply) => id));
  for (const [table, key] of [
    ['usergroupmembership', 'user_group'],
    ['groupgroupmembership', 'supergroup'],
  ]) {
    tables[`zerver_${table}`] = tables[`zerver_${table}`].filter((row: Reply) => named.has(row[key ?? '']));
  }
  for (const row of [...tables.zerver_stream, ...tables.zerver_realm]) {
    for (const key of Object.keys(row)) if (/^can_|_group$|^topics_policy$/.test(key)) delete row[key];
  }
  for (const stream of tables.zerver_stream) {
    stream.stream_post_policy = stream.name === 'notices' ? 2 : 1;
    if (stream.deactivated) stream.name = `0a1b2c3!DEACTIVATED:${stream.name}`;
  }
  Object.assign(tables.zerver_realm[0], {
    mandatory_topics: true,
    create_public_stream_policy: 4,
    wildcard_mention_policy: 7,
    private_message_policy: 1,
    allow_edit_history: true,
  });
  delete tables.zerver_realm[0].message_edit_history_visibility_policy;
  makeFormerNames(tables);
}

/** Gives columns the names and values that they had. */
function makeFormerNames({
  zerver_realm: [realm],
  zerver_userprofile: users,
  zerver_realmplayground: [playground],
}: Reply) {
  realm.notifications_stream = realm.new_stream_announcements_stream;
  delete realm.new_stream_announcements_stream;
  for (const user of users) {
    user.default_view = user.web_home_view === 'recent' ? 'recent_topics' : 'all_messages';
    delete user.web_home_view;
  }
  playground.url_prefix = 'https://play.orchard.example/?c=';
  delete playground.url_template;
}

test('import: an export in the shape of Zulip 7 gives everybody the same messages and flags', async () => {
  const files = await orchardFiles();
  makeOlder(files);
  const {server, person} = await importedServer(exportDirectory(files));
  const {db} = server.context;
  const archived = new Set(db.pluck('SELECT id FROM channel WHERE is_archived = 1'));
  expect(db.pluck('SELECT name FROM channel WHERE is_archived = 1')).toEqual(['lost-and-found']);
  expect(db.pluck('SELECT name FROM realm_emoji')).toHaveLength(expected.emoji);
  for (const name of Object.keys(expected.per_user)) {
    const facts = {...expected.per_user[name], drafts: 0, snippets: 0, nav: 0, scheduled: 0, reminders: 0};
    expect({[name]: await personalFacts(server.as(person(name)), archived)}).toEqual({[name]: facts});
  }
  const owner = server.as(person('Hedda Vos'));
  const {streams} = await owner.get('/streams');
  const posting = streams.map(({name, stream_post_policy}: Reply) => [name, stream_post_policy]);
  expect(Object.fromEntries(posting)).toMatchObject({notices: 2, rows: 1});
  const state = await owner.post('/register', {fetch_event_types: ['realm', 'realm_user_groups', 'realm_playgrounds']});
  const groups = new Map(state.realm_user_groups.map(({id, name}: Reply) => [id, name]));
  expect(state.realm_topics_policy).toBe('disable_empty_topic');
  const barn = streams.find(({name}: Reply) => name === 'barn').stream_id;
  expect(state.realm_new_stream_announcements_stream_id).toBe(barn);
  expect(state.realm_playgrounds).toMatchObject([{url_template: 'https://play.orchard.example/?c={code}'}]);
  for (const [name, view] of [
    ['Juno Pell', 'recent'],
    ['Hedda Vos', 'all_messages'],
  ] as const) {
    const {user_settings} = await server.as(person(name)).post('/register', {fetch_event_types: ['user_settings']});
    expect(user_settings.web_home_view).toBe(view);
  }
  expect(groups.get(state.realm_can_create_public_channel_group)).toBe('role:moderators');
  expect(groups.get(state.realm_can_mention_many_users_group)).toBe('role:moderators');
  const {topics} = await owner.get(`/users/me/${streams.find(({name}: Reply) => name === 'rows').stream_id}/topics`, {
    allow_empty_topic_name: true,
  });
  expect(topics.map(({name}: Reply) => name)).toContain('');
});

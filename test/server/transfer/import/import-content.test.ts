import {describe, expect, test} from 'vitest';
import {changeJson, exportDirectory, orchardFiles} from '#test/server/transfer/archive-fixture.ts';
import type {Reply} from '#test/support/api-client.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {importedServer, orchardArchive} from './import-fixture.ts';

test('import: ids and paths in texts are those of this server', async () => {
  const files = await orchardFiles();
  changeJson(files, 'messages-000001.json', ({zerver_message: messages}) => {
    const [first, second] = messages;
    first.content = `@**Juno Pell|126** #**rows>row 9@${second.id}** [later](#narrow/channel/84-rows/near/${second.id})`;
    second.content = `@**Nobody|9999** #narrow/dm/125,126-dm/near/${first.id} https://old.example/user_uploads/11/73/y166IyuhSm7Wr4bjyVYK779O/press-notes.txt`;
  });
  const {server, person} = await importedServer(exportDirectory(files));
  const nils = server.as(person('Nils Quarry'));
  const {messages} = await nils.get('/messages', {
    anchor: 'oldest',
    num_before: 0,
    num_after: 2,
    apply_markdown: false,
  });
  const [first, second]: Reply[] = messages;
  const juno = person('Juno Pell').id;
  const rows = (await nils.get('/get_stream_id', {stream: 'rows'})).stream_id;
  expect(first?.content).toBe(
    `@**Juno Pell|${juno}** #**rows>row 9@${second?.id}** [later](#narrow/channel/${rows}-rows/near/${second?.id})`,
  );
  const [, path = ''] = /\((\/user_uploads\/\S+)\)/.exec(second?.content) ?? [];
  expect(second?.content).toBe(
    `@Nobody #narrow/dm/${person('Nils Quarry').id},${juno}-dm/near/${first?.id} [${path}](${path})`,
  );
  expect(path).toMatch(/^\/user_uploads\/1\//);
});

describe('import: a person finds again', () => {
  const imported = () => importedServer(orchardArchive);

  test('files, pictures and emoji, with the bytes that they had', async () => {
    const {server, person} = await imported();
    const nils = person('Nils Quarry');
    const {attachments} = await server.as(nils).get('/attachments');
    expect(attachments).toMatchObject([{name: 'orchard map.png', size: 4119}]);
    const headers = {authorization: `Basic ${btoa(`${nils.email}:${nils.apiKey}`)}`};
    const file = await fetch(`${server.url}/user_uploads/${attachments[0].path_id}`, {headers});
    expect((await file.bytes()).length).toBe(4119);
    const {user} = await server.as(nils).get(`/users/${nils.id}`, {client_gravatar: false});
    expect((await (await fetch(server.url + user.avatar_url)).bytes()).length).toBe(2106);
    const {emoji} = await server.as(nils).get('/realm/emoji');
    const cider: Reply | undefined = Object.values<Reply>(emoji).find(({name}) => name === 'cider');
    expect((await (await fetch(server.url + cider?.source_url)).bytes()).length).toBe(556);
  });

  test('polls with votes, reactions, edits and moves', async () => {
    const files = await orchardFiles();
    changeJson(files, 'realm.json', ({zerver_submessage: [, vote]}) => {
      vote.content = '{"type": "vote", "key": "129,1", "vote": 1}';
    });
    const {server, person} = await importedServer(exportDirectory(files));
    const {messages} = await server
      .as(person('Nils Quarry'))
      .get('/messages', {anchor: 'oldest', num_before: 0, num_after: 1000, apply_markdown: false});
    const poll = messages.find(({submessages}: Reply) => submessages.length > 0);
    expect(poll.submessages.map(({sender_id}: Reply) => sender_id)).toEqual(
      ['Iris Tallow', 'Nils Quarry', 'Juno Pell', 'Vera Lind'].map((name) => person(name).id),
    );
    expect(JSON.parse(poll.submessages[1].content).key).toBe(`${person('Vera Lind').id},1`);
    const reactions = messages.flatMap((message: Reply) => message.reactions);
    const {emoji} = await server.as(person('Nils Quarry')).get('/realm/emoji');
    for (const {emoji_code, emoji_name, reaction_type} of reactions) {
      if (reaction_type === 'realm_emoji') expect(emoji[emoji_code]).toMatchObject({name: emoji_name});
    }
    const moved = messages.find(({content}: Reply) => content.includes('CRATE-41 went out'));
    expect(moved).toMatchObject({
      subject: '✔ pump',
      edit_history: [{user_id: person('Iris Tallow').id, prev_topic: 'pump', topic: '✔ pump'}],
    });
    // A topic that was resolved has not moved.
    expect(moved).not.toHaveProperty('last_moved_timestamp');
    const mentions = messages.filter(({flags}: Reply) => flags.includes('mentioned'));
    const narrow = [{operator: 'mentions', operand: person('Nils Quarry').id}];
    const found = await server
      .as(person('Nils Quarry'))
      .get('/messages', {anchor: 'newest', num_before: 50, num_after: 0, narrow});
    expect(found.messages.length).toBeGreaterThan(0);
    expect(mentions.length).toBeGreaterThanOrEqual(found.messages.length);
  });

  test('profile, status, permissions, reminders and views', async () => {
    const {server, person} = await imported();
    const [nils, juno, iris] = [person('Nils Quarry'), person('Juno Pell'), person('Iris Tallow')];
    const {user} = await server.as(nils).get(`/users/${nils.id}`, {include_custom_profile_fields: true});
    const values = Object.values<Reply>(user.profile_data).map(({value}) => value);
    expect(values).toEqual([
      'Row 12',
      'Keeps the *old* ladder.',
      'early',
      '2019-03-01',
      'https://nils.example/',
      `[${juno.id},${iris.id}]`,
      'nilsq',
      'he/him',
    ]);
    expect((await server.as(nils).get(`/users/${juno.id}/status`)).status).toMatchObject({
      status_text: 'pressing',
      emoji_name: 'cider',
    });
    const {streams} = await server.as(nils).get('/streams', {include_all: true});
    const rows = streams.find(({name}: Reply) => name === 'rows');
    const bram = person('Bram Okoye').id;
    expect(rows).toMatchObject({
      creator_id: bram,
      can_administer_channel_group: {direct_members: [bram], direct_subgroups: []},
    });
    const {navigation_views} = await server.as(nils).get('/navigation_views');
    expect(navigation_views).toMatchObject([
      {fragment: 'narrow/is/starred'},
      {fragment: `narrow/channel/${rows.stream_id}-rows`},
    ]);
    const {reminders} = await server.as(person('Hedda Vos')).get('/reminders');
    const {message} = await server
      .as(nils)
      .get(`/messages/${reminders[0].reminder_target_message_id}`, {apply_markdown: false});
    expect(message.content).toBe('@**all** soup at one in #**barn**');
    expect(reminders[0].content).toContain(`/near/${message.id})`);
  });
});

test('import: what people missed who were away is received, and unread', async () => {
  const files = await orchardFiles();
  const [juno, firstId, lastActive] = [126, 2451, 2500];
  changeJson(files, 'realm.json', ({zerver_userprofile: users}) => {
    Object.assign(
      users.find(({id}: Reply) => id === juno),
      {long_term_idle: true, last_active_message_id: lastActive},
    );
  });
  // As Zulip stores it: all is read, and there is nothing about later messages.
  changeJson(files, 'messages-000001.json', (tables) => {
    tables.zerver_usermessage = tables.zerver_usermessage
      .filter(({user_profile, message}: Reply) => user_profile !== juno || message <= lastActive)
      .map((row: Reply) => (row.user_profile === juno ? {...row, flags_mask: row.flags_mask | 1} : row));
  });
  const {server, person} = await importedServer(exportDirectory(files));
  const {messages} = await server
    .as(person('Juno Pell'))
    .get('/messages', {anchor: 'oldest', num_before: 0, num_after: 1000});
  const inChannels = messages.filter(({type}: Reply) => type === 'stream');
  // All that she received in channels on the Zulip server.
  expect(inChannels).toHaveLength(87);
  const isMissed = ({id, sender_id}: Reply) => id > 1 + lastActive - firstId && sender_id !== person('Juno Pell').id;
  for (const message of inChannels) expect(message.flags.includes('read')).toBe(!isMissed(message));
});

test('import: what somebody deactivated has not read is unread again when the account is reactivated', async () => {
  const {server, person} = await importedServer(orchardArchive);
  await server.as(person('Hedda Vos')).post(`/users/${person('Tamsin Reeve').id}/reactivate`);
  const state = {fetch_event_types: ['message', 'update_message_flags']};
  const {unread_msgs} = await server.as(person('Tamsin Reeve')).post('/register', state);
  expect(unread_msgs.streams).not.toEqual([]);
});

test('import: a mention of a group is one, and a bot hears the channel that it heard', async () => {
  const files = await orchardFiles();
  const nils = 125;
  changeJson(files, 'realm.json', ({zerver_userprofile: users}) => {
    const bot = users.find(({full_name}: Reply) => full_name === 'Frost Bot');
    bot.default_events_register_stream = 84;
  });
  const named: number[] = [];
  changeJson(files, 'messages-000001.json', ({zerver_usermessage: rows}) => {
    for (const row of rows.filter(({user_profile, flags_mask}: Reply) => user_profile === nils && flags_mask < 2)) {
      row.flags_mask |= 64;
      named.push(row.message);
    }
  });
  const {server, person} = await importedServer(exportDirectory(files));
  const narrow = [{operator: 'is', operand: 'mentioned'}];
  const page = {anchor: 'newest', num_before: 1000, num_after: 0, narrow};
  const {messages} = await server.as(person('Nils Quarry')).get('/messages', page);
  expect(messages.length).toBeGreaterThanOrEqual(named.length);
  const {realm_bots} = await server.as(person('Hedda Vos')).post('/register', {fetch_event_types: ['realm_bot']});
  expect(realm_bots).toContainEqual(
    expect.objectContaining({user_id: person('Frost Bot').id, default_events_register_stream: 'rows'}),
  );
});

/** Imports the real export after a change of its tables, and returns its messages as Nils sees them, by topic. */
async function changedImport(change: (realm: Reply, messages: [Reply, Reply]) => void) {
  const files = await orchardFiles();
  changeJson(files, 'realm.json', (realm) => {
    changeJson(files, 'messages-000001.json', ({zerver_message}) => change(realm, zerver_message));
  });
  const imported = await importedServer(exportDirectory(files));
  const nils = imported.server.as(imported.person('Nils Quarry'));
  const page = {anchor: 'oldest', num_before: 0, num_after: 1000};
  const {messages} = await nils.get('/messages', {...page, apply_markdown: false});
  const {messages: rendered} = await nils.get('/messages', page);
  return {...imported, nils, messages: messages as Reply[], rendered: rendered as Reply[]};
}

test('import: a scheduled message whose time has passed is kept as failed and never sent, and a later one waits', async () => {
  const files = await orchardFiles();
  changeJson(files, 'realm.json', ({zerver_scheduledmessage: rows}) => {
    rows.push({...rows[0], id: 9001, failed: true, scheduled_timestamp: 1_799_999_999});
    rows[0].scheduled_timestamp = 1_794_999_999;
    rows.find((row: Reply) => row.delivery_type === 2).reminder_note = 'Bring the map.';
  });
  const clock = new ManualClock(1_795_000_000_000);
  const {server, person} = await importedServer(exportDirectory(files), {clock});
  const [juno, hedda] = [server.as(person('Nils Quarry')), server.as(person('Hedda Vos'))];
  clock.advance(120_000);
  const listed = async (client: typeof juno) => (await client.get('/scheduled_messages')).scheduled_messages;
  // The second one failed on the other server.
  expect(await listed(juno)).toMatchObject([
    {content: 'Scheduled: prune **row 9**', failed: true},
    {scheduled_delivery_timestamp: 1_799_999_999, failed: true},
  ]);
  expect(await listed(hedda)).toMatchObject([{failed: false}]);
  const {reminders} = await hedda.get('/reminders');
  expect(reminders[0].content).toContain('Note:\n > Bring the map.');
  const {messages} = await juno.get('/messages', {
    anchor: 'newest',
    num_before: 1000,
    num_after: 0,
    apply_markdown: false,
  });
  expect(messages.filter(({content}: Reply) => content.startsWith('Scheduled'))).toEqual([]);
});

test('import: a bare address of an own picture stays a link with its preview', async () => {
  const path = '11/2f/w5DUoMUU6z4bDe2Fr6lI3Uau/orchard-map.png';
  const {rendered} = await changedImport((_realm, [first]) => {
    first.content = `https://old.example/user_uploads/${path}`;
    first.rendered_content = null;
  });
  expect(rendered[0]?.content).toMatch(
    /^<div class="message_inline_image"><a href="\/user_uploads\/1\/[^"]*orchard-map.png"><img /,
  );
});

test('import: ids that the export does not have hit nobody and nothing', async () => {
  const {messages, rendered} = await changedImport((_realm, [first]) => {
    first.content =
      '@**Juno Pell|3** [a](#narrow/channel/84-rows/topic/pump/near/5) [b](#narrow/dm/3-x) #**rows>pump@5**';
    first.rendered_content = null;
  });
  expect(messages[0]?.content).toMatch(
    /^@Juno Pell \[a\]\(#narrow\/channel\/\d+-rows\/topic\/pump\) b #\*\*rows>pump\*\*$/,
  );
  expect(rendered[0]?.content).not.toContain('user-mention');
});

test('import: an old version of a message links to later messages, and a move from an unknown channel has its time', async () => {
  const {messages} = await changedImport((_realm, [first, second]) => {
    const edit = {user_id: first.sender, timestamp: 1_790_000_000.5, prev_content: `[x](#narrow/near/${second.id})`};
    first.edit_history = JSON.stringify([{...edit, prev_rendered_content: '<p>x</p>'}]);
    second.edit_history = JSON.stringify([
      {user_id: first.sender, timestamp: 1_790_000_000.5, prev_stream: 3, stream: 4},
    ]);
  });
  const [first, second] = messages;
  expect(first?.edit_history).toMatchObject([{prev_content: `[x](#narrow/near/${second?.id})`}]);
  expect(second).toMatchObject({last_moved_timestamp: 1_790_000_000});
});

test('import: limits that are off stay off, and the quota of files is kept', async () => {
  const {nils} = await changedImport(({zerver_realm: [realm]}) => {
    realm.custom_upload_quota_gb = 2;
    realm.move_messages_within_stream_limit_seconds = null;
  });
  expect(await nils.post('/register', {fetch_event_types: ['realm']})).toMatchObject({
    realm_upload_quota_mib: 2048,
    realm_message_content_edit_limit_seconds: null,
    realm_move_messages_within_stream_limit_seconds: null,
    realm_message_content_delete_limit_seconds: 600,
  });
});

test('import: who does not share the presence is away', async () => {
  const {nils, person} = await changedImport(({zerver_userprofile: users}) => {
    for (const user of users) if (/Juno|Iris/.test(user.full_name)) user.presence_enabled = false;
  });
  const {user_status: statuses} = await nils.post('/register', {fetch_event_types: ['user_status']});
  expect(statuses[person('Juno Pell').id]).toMatchObject({away: true, status_text: 'pressing'});
  expect(statuses[person('Iris Tallow').id]).toMatchObject({away: true});
});

test('import: names and topics lose the characters that no name has here, and a topic that is cut is counted', async () => {
  const {messages, report, nils} = await changedImport((realm, [first, second]) => {
    realm.zerver_stream[0].name = 'or\u0007chard\u202e';
    for (const user of realm.zerver_userprofile) if (user.full_name === 'Juno Pell') user.full_name = '\u001bJuno Pell';
    const group = realm.zerver_namedusergroup.find(({is_system_group}: Reply) => !is_system_group);
    group.name = 'pick\u0085ers';
    first.subject = 'a\u0001b';
    second.subject = 'long '.repeat(20);
  });
  const {streams} = await nils.get('/streams', {include_all: true});
  expect(streams).toContainEqual(expect.objectContaining({name: 'orchard'}));
  const {members} = await nils.get('/users');
  expect(members).toContainEqual(expect.objectContaining({full_name: 'Juno Pell'}));
  const {user_groups} = await nils.get('/user_groups');
  expect(user_groups).toContainEqual(expect.objectContaining({name: 'pickers'}));
  expect(messages.slice(0, 2).map(({subject}) => subject)).toEqual(['ab', `${'long '.repeat(11)}lo...`]);
  expect(report.leftOut.get('ends of topics that have more than 60 characters')).toBe(1);
});

test("import: an export of Zulip's converters has codes of emoji as numbers, and pictures without an ending", async () => {
  const files = await orchardFiles();
  const names = new Map<string, string>();
  changeJson(files, 'realm.json', ({zerver_reaction: reactions, zerver_realmemoji: emoji}) => {
    for (const reaction of reactions) {
      if (reaction.reaction_type === 'realm_emoji') reaction.emoji_code = Number(reaction.emoji_code);
    }
    for (const row of emoji) {
      names.set(row.file_name, row.name);
      row.file_name = row.name;
    }
  });
  const records: Reply[] = JSON.parse(String(files.get('emoji/records.json')));
  const renamed = records.flatMap(({path, ...record}) => {
    const name = names.get(path.replace(/^.*\//, ''));
    if (name === undefined) return [];
    files.set(`emoji/11/emoji/images/${name}`, files.get(`emoji/${path}`) ?? Buffer.alloc(0));
    return [{...record, path: `11/emoji/images/${name}`, file_name: name}];
  });
  for (const path of files.keys()) if (/^emoji.*original$/.test(path)) files.delete(path);
  files.set('emoji/records.json', Buffer.from(JSON.stringify(renamed)));
  const {server, person, report} = await importedServer(exportDirectory(files));
  expect([...report.leftOut.keys()].filter((what) => /emoji/.test(what))).toEqual([]);
  expect(renamed.length).toBeGreaterThan(0);
  const {emoji} = await server.as(person('Nils Quarry')).get('/realm/emoji');
  expect(
    Object.values<Reply>(emoji)
      .map(({name}) => name)
      .sort(),
  ).toEqual(renamed.map(({file_name}) => file_name).sort());
});

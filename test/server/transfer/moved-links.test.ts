import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Database} from '#server/db/database.ts';
import type {MessageRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {exportOrganization} from '#server/transfer/export/export-organization.ts';
import type {TargetIds} from '#server/transfer/export/target-ids.ts';
import {exported} from '#test/server/transfer/export/export-fixture.ts';
import {importedServer} from '#test/server/transfer/import/import-fixture.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import type {TestServer} from '#test/support/server.ts';
import {fewOf, slowTest} from '#test/support/tier.ts';
import {exportDirectory} from './archive-fixture.ts';
import {
  type Directory,
  databaseDirectory,
  destination,
  destinations,
  exportOfImported,
  importedOrganization,
} from './follow-links.ts';
import {linkedOrganization, lostForms} from './link-forms.ts';
import {type ReadExport, type Row, readExport} from './read-export.ts';
import {validateExport} from './validate-export.ts';

/** The next ids of two servers: of one, many old ids are new ones of other rows; of the other, none. */
const targets: readonly TargetIds[] = [
  {message: 9, stream: 2, userprofile: 12, usergroup: 20, realm: 3},
  {message: 212_940, stream: 990, userprofile: 1029, usergroup: 1670, realm: 9},
];

type Organization = Awaited<ReturnType<typeof linkedOrganization>>;

/** Where the links of each form lead on a server, by the position of its message. */
function followed(server: TestServer, {sent}: Organization): Map<string, string[]> {
  const {db, renderer} = server.context;
  const directory = databaseDirectory(db);
  const rows = db.all<MessageRow & Record<string, unknown>>(`SELECT * FROM message WHERE topic = 'forms' ORDER BY id`);
  return new Map([...sent.keys()].map((name, at) => [name, destinations(htmlOf(rows[at]), directory)]));

  function htmlOf(row: MessageRow | undefined): string {
    return row === undefined ? '' : renderer.messageHtml(row);
  }
}

/** What the forms lead to after a move: those to a deleted message lead to its topic. */
function expectedPlaces(organization: Organization): Map<string, string[]> {
  const places = followed(organization.server, organization);
  for (const name of Object.keys(lostForms(organization.targets))) {
    places.set(name, places.get(name)?.map((place) => place.replace(/, (near|with) undefined/, '')) ?? []);
  }
  return places;
}

test('move: every form of a link leads to the same place after Parley to Parley, whatever server the export is for', async () => {
  const organization = await linkedOrganization();
  const expected = expectedPlaces(organization);
  expect(expected.size).toBeGreaterThan(300);
  expect([...expected].filter(([, places]) => places.length === 0)).toEqual([]);
  for (const targetIds of [undefined, ...fewOf(targets)]) {
    const output = join(scratchDirectory(), 'export');
    await exportOrganization(organization.server.context, {output, zulipVersion: '12.0', targetIds});
    const {server} = await importedServer(`${output}.tar.gz`, {publicUrl: 'https://new.example.org'});
    expect(followed(server, organization)).toEqual(expected);
  }
});

slowTest(
  'export: with the next ids of a Zulip server, every form leads to the same place after an import there',
  async () => {
    const organization = await linkedOrganization();
    const expected = expectedPlaces(organization);
    for (const targetIds of targets) {
      const {data, summary, violations} = await exported(organization.server.context, {targetIds});
      expect(violations).toEqual([]);
      expect(placesOn(data, targetIds)).toEqual([...expected]);
      const last = targetIds.message + data.rows('message').length - 1;
      expect(summary.futureMessages).toMatchObject({first: targetIds.message, last});
      expect(Object.fromEntries(summary.changes)).toEqual({
        'links to messages that are not in the export (now to the topic)': 3,
      });
    }

    function placesOn(data: ReadExport, start: TargetIds): [string, string[]][] {
      const {directory, htmlOf} = importedOrganization(data, start);
      const rows = data.rows('message').filter(({subject}) => subject === 'forms');
      return [...organization.sent.keys()].map((name, at) => [
        name,
        destinations(htmlOf(rows[at]?.content, rows[at]?.rendered_content), directory),
      ]);
    }
  },
);

slowTest('move: every form leads to the same place after Parley to a Zulip server and back', async () => {
  const organization = await linkedOrganization();
  await fillPlaces(organization);
  // The export of a Zulip server does not say what its address was.
  const {url, ...expected} = placesOn(organization.server);
  for (const targetIds of fewOf(targets)) {
    const {data} = await exported(organization.server.context, {targetIds});
    const {server} = await importedServer(exportDirectory(exportOfImported(data, targetIds)));
    expect(followed(server, organization)).toEqual(expectedPlaces(organization));
    expect(placesOn(server)).toMatchObject(expected);
  }
});

slowTest(
  'export: without the next ids, a form leads to the same place, to the topic of its message, or nowhere',
  async () => {
    const organization = await linkedOrganization();
    const expected = expectedPlaces(organization);
    const {data, summary, violations} = await exported(organization.server.context);
    expect(violations).toEqual([]);
    const kept = new Map<string, number>();
    for (const start of targets) {
      const {directory, htmlOf} = importedOrganization(data, start);
      const rows = data.rows('message').filter(({subject}) => subject === 'forms');
      for (const [at, name] of [...organization.sent.keys()].entries()) {
        const places = expected.get(name) ?? [];
        const allowed = [
          ...places,
          ...places.flatMap((place) => [place.replace(/, (near|with) \d+$/, ''), ...topic(place)]),
        ];
        const found = destinations(htmlOf(rows[at]?.content, rows[at]?.rendered_content), directory);
        expect([name, found.filter((place) => !allowed.includes(place))]).toEqual([name, []]);
        kept.set(name, found.length);
      }
    }
    const isLost = /direct|sender|^mentions,|person|^group,|settings|^list$|^table$|^spoiler$|words/;
    expect([...kept].filter(([name, count]) => count === 0 && !isLost.test(name))).toEqual([]);
    expect(Object.fromEntries(summary.changes)).toMatchObject({
      'links to messages (now to the topic)': expect.any(Number),
      'links that need an id (now text)': expect.any(Number),
      'mentions that need an id (text, once the message is edited)': 5,
    });
  },
);

/** The topic of the message to which a link leads. */
const topic = (place: string) =>
  /(?:near|id) \d+$/.test(place) ? ['channel blue boats, topic tide (high) & low'] : [];

/** The texts outside of messages that people write, each with the SQL that reads it. */
const texts: Readonly<Record<string, string>> = {
  'description of a channel': `SELECT description FROM channel WHERE name = 'harbor'`,
  'description of a folder': 'SELECT description FROM channel_folder',
  'description of a group': `SELECT description FROM user_group WHERE name = 'crew'`,
  'description of the organization': `SELECT value ->> '$' FROM realm_setting WHERE name = 'description'`,
  'words of welcome': `SELECT value ->> '$' FROM realm_setting WHERE name = 'welcome_message_custom_text'`,
  'profile text': 'SELECT value FROM profile_value AS v JOIN profile_field AS f ON f.id = v.field_id WHERE f.type = 2',
  snippet: 'SELECT content FROM saved_snippet',
  'scheduled message': 'SELECT content FROM scheduled_message WHERE target_message_id IS NULL',
  'old version of a message': `SELECT edit_history ->> '$[0].prev_content' FROM message WHERE content = 'edited'`,
};

/** Fills all places with links to messages, people, channels and groups, and what is done by ids. */
async function fillPlaces({server, client, targets: t, send}: Organization): Promise<void> {
  const {db, clock} = server.context;
  const text = `@**Sam|${t.sam}** [a](#narrow/channel/${t.channel}-blue-boats/near/${t.near}) [b](https://chat.example.com/#narrow/dm/${t.ann}-Ann/near/${t.direct}) #**blue boats>tide@${t.later}** [c](#user/${t.otherSam}) [d](#groups/${t.group}/crew)`;
  await client.post('/channel_folders/create', {name: 'boats', description: text});
  db.run(`UPDATE channel SET description = ? WHERE name = 'harbor'`, text);
  db.run(`UPDATE user_group SET description = ? WHERE name = 'crew'`, text);
  server.people.setting('description', text);
  server.people.setting('welcome_message_custom_text', text);
  for (const [type, value] of [
    [2, text],
    [5, `https://chat.example.com/#narrow/near/${t.near}`],
  ] as const) {
    const field = await client.post('/realm/profile_fields', {name: `Field ${type}`, field_type: type});
    await client.patch('/users/me/profile_data', {data: [{id: field.id, value}]});
  }
  await client.post('/saved_snippets', {title: 's', content: text});
  const later = Math.floor(clock.now() / 1000) + 9999;
  await client.post('/scheduled_messages', {
    type: 'direct',
    to: [t.ann],
    content: text,
    scheduled_delivery_timestamp: later,
  });
  await client.post('/reminders', {message_id: t.near, scheduled_delivery_timestamp: later});
  for (const fragment of [
    `narrow/channel/${t.channel}-blue-boats/topic/tide/with/${t.near}`,
    `narrow/dm/${t.ann}-Ann`,
  ]) {
    await client.post('/navigation_views', {fragment, is_pinned: true, name: fragment.slice(0, 10)});
  }
  await client.patch(`/messages/${await send(text, 'edits')}`, {content: 'edited'});
  const moved = await send('moved', 'edits');
  await client.patch(`/messages/${moved}`, {stream_id: t.harbor});
  const poll = await send('/poll Which?\none', 'polls');
  const list = await send('/todo List\none', 'polls');
  const done = [
    [poll, {type: 'vote', key: `${t.ann},1`, vote: 1}],
    [list, {type: 'strike', key: `1,${t.sam}`}],
    [poll, {type: 'vote', key: 'canned,0', vote: 1}],
  ] as const;
  for (const [message_id, data] of done) {
    await client.post('/submessage', {message_id, msg_type: 'widget', content: JSON.stringify(data)});
  }
}

/** Where all places lead on a server. */
function placesOn(server: TestServer): Record<string, unknown> {
  const {db, renderer} = server.context;
  const directory = databaseDirectory(db);
  const places = Object.entries(texts).map(([name, sql]) => {
    const html = renderer.renderUncached(db.value<string>(sql) ?? '', findUser(db, ownerOf(db)));
    return [name, destinations(html, directory)];
  });
  const submessages = db.pluck<string>('SELECT content FROM submessage ORDER BY id');
  const move = db.get<{from: number; to: number}>(
    `SELECT edit_history ->> '$[0].prev_stream' AS "from", edit_history ->> '$[0].stream' AS "to" FROM message WHERE content = 'moved'`,
  );
  return {
    ...Object.fromEntries(places),
    views: db
      .pluck<string>('SELECT fragment FROM navigation_view ORDER BY rowid')
      .map((one) => destination(`#${one}`, directory)),
    reminded: directory.message(
      db.value('SELECT target_message_id FROM scheduled_message WHERE target_message_id > 0') ?? 0,
    ),
    keys: submessages.flatMap((content) => keyText(content, directory)),
    moves: [directory.channel(move?.from ?? 0), directory.channel(move?.to ?? 0)],
    url: destination(db.value<string>(`SELECT value FROM profile_value WHERE value LIKE 'http%'`) ?? '', directory),
  };
}

const ownerOf = (db: Database) => db.value('SELECT id FROM user WHERE role = 100') ?? 0;

/** The key of an option or task, with the address of whoever added it. */
function keyText(content: string, directory: Directory): string[] {
  const {type, key} = JSON.parse(content);
  const [first, second] = String(key).split(',');
  const user = (id: unknown) => directory.user(Number(id));
  if (type === 'strike') return [`${first},${user(second)}`];
  return type === 'vote' ? [`${user(first) ?? first},${second}`] : [];
}

slowTest(
  'move: links in descriptions, profiles, snippets, scheduled messages, old versions and what is done by ids keep their targets',
  async () => {
    const organization = await linkedOrganization();
    await fillPlaces(organization);
    const {context} = organization.server;
    const expected = placesOn(organization.server);
    expect(expected).toMatchObject({
      'profile text': expect.arrayContaining(['person other.sam@example.com']),
      views: ['channel blue boats, topic tide, with 2', 'dm ann@example.com'],
      reminded: 2,
      keys: ['ann@example.com,1', '1,sam@example.com', 'canned,0'],
      moves: ['blue boats', 'harbor'],
      url: 'near 2',
    });
    for (const targetIds of [undefined, ...fewOf(targets)]) {
      const output = join(scratchDirectory(), 'export');
      await exportOrganization(context, {output, zulipVersion: '12.0', targetIds});
      expect(validateExport(output).violations).toEqual([]);
      const {server} = await importedServer(`${output}.tar.gz`, {publicUrl: 'https://chat.example.com'});
      expect(placesOn(server)).toEqual(expected);
      if (targetIds !== undefined) expect(futurePlaces(readExport(output), targetIds)).toEqual(expected);
    }
  },
);

/** Where all places of an export lead on the Zulip server that imports it. */
function futurePlaces(data: ReadExport, start: TargetIds): Record<string, unknown> {
  const {directory, render, htmlOf} = importedOrganization(data, start);
  const value = (table: string, column: string, matches: (row: Row) => boolean = () => true) =>
    data.rows(table).find(matches)?.[column];
  const isReminder = ({delivery_type}: Row) => delivery_type === 2;
  const [edit] = JSON.parse(String(value('message', 'edit_history', ({content}) => content === 'edited')));
  const [move] = JSON.parse(String(value('message', 'edit_history', ({content}) => content === 'moved')));
  const profile = (type: number) => {
    const field = value('customprofilefield', 'id', ({field_type}) => field_type === type);
    return (column: string) => String(value('customprofilefieldvalue', column, (row) => row.field === field));
  };
  const found: Record<string, string> = {
    'description of a channel': render(value('stream', 'description', ({name}) => name === 'harbor')),
    // Its HTML is used as it is.
    'description of a folder': String(value('channelfolder', 'rendered_description')),
    'description of a group': render(value('namedusergroup', 'description', ({name}) => name === 'crew')),
    'description of the organization': render(value('realm', 'description')),
    'words of welcome': render(value('realm', 'welcome_message_custom_text')),
    'profile text': profile(2)('rendered_value'),
    snippet: render(value('savedsnippet', 'content')),
    'scheduled message': htmlOf(
      '',
      value('scheduledmessage', 'rendered_content', (row) => !isReminder(row)),
    ),
    'old version of a message': htmlOf('', edit.prev_rendered_content),
  };
  return {
    ...Object.fromEntries(Object.entries(found).map(([name, html]) => [name, destinations(html, directory)])),
    views: data.rows('navigationview').map(({fragment}) => destination(`#${fragment}`, directory)),
    reminded: directory.message(Number(value('scheduledmessage', 'reminder_target_message_id', isReminder))),
    keys: data.rows('submessage').flatMap(({content}) => keyText(String(content), directory)),
    moves: [directory.channel(move.prev_stream), directory.channel(move.stream)],
    url: destination(profile(5)('value'), directory),
  };
}

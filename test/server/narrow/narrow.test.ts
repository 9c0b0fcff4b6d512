import {expect, test} from 'vitest';
import {Flag, Trait} from '#server/db/rows.ts';
import {MessageFixtureWriter, newest, term} from '#test/server/message-fixtures.ts';
import {testServer} from '#test/support/server.ts';

/** Starts a server with messages of every kind; `finds` returns the names of the messages in a narrow. */
async function startFixture() {
  const server = await testServer();
  const writer = new MessageFixtureWriter(server.context);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const una = server.people.member('Una Usual');
  const general = server.people.channel('General', [meg, otto, una]);
  const noise = server.people.channel('noise', [meg, otto, una]);
  const ids = {
    lunch: writer.toChannel(otto, general, 'Lunch', {traits: Trait.link}),
    lunchUna: writer.toChannel(una, general, 'lunch', {traits: Trait.image | Trait.attachment, read: true}),
    done: writer.toChannel(otto, general, '✔ chores', {
      flags: [[meg, Flag.mentioned | Flag.mentionedByName]],
    }),
    unnamed: writer.toChannel(otto, general, '', {flags: [[meg, Flag.alertWord]]}),
    noise: writer.toChannel(otto, noise, 'hum', {flags: [[meg, Flag.channelWildcard]]}),
    melody: writer.toChannel(otto, noise, 'melody', {flags: [[meg, Flag.topicWildcard]]}),
    direct: writer.toPeople(otto, [meg]),
    group: writer.toPeople(una, [meg, otto], {flags: [[meg, Flag.starred]]}),
    self: writer.toPeople(meg, []),
  };
  writer.muteChannel(meg, noise);
  writer.topicPolicy(meg, noise, 'melody', 3);
  writer.topicPolicy(meg, general, 'Lunch', 1);
  server.context.db.run(
    `INSERT INTO reaction (message_id, user_id, emoji_name, emoji_code, reaction_type) VALUES (?, ?, 'x', 'x', 'x')`,
    ids.noise,
    una.id,
  );
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  const finds = async (...narrow: unknown[]): Promise<string[]> => {
    const {messages} = await server.as(meg).get('/messages', {...newest, narrow});
    return messages.map(({id}: {id: number}) => names.get(id));
  };
  const allNames = Object.keys(ids);
  const allBut = (...names: string[]) => allNames.filter((name) => !names.includes(name));
  const badNarrow = async (...narrow: unknown[]) => {
    const body = await server.as(meg).refused('GET', '/messages', {...newest, narrow}, {code: 'BAD_NARROW'});
    expect(body.desc).toEqual(expect.any(String));
  };
  return {server, writer, meg, otto, una, general, noise, ids, finds, allNames, allBut, badNarrow};
}

test('channel: accepts a name in any case, an id, the older operator stream, and a pair', async () => {
  const {finds, general, allBut} = await startFixture();
  const inGeneral = ['lunch', 'lunchUna', 'done', 'unnamed'];
  for (const narrow of [
    term('channel', 'general'),
    term('channel', general),
    term('stream', 'GENERAL'),
    ['stream', 'general'],
  ]) {
    expect(await finds(narrow)).toEqual(inGeneral);
  }
  expect(await finds(term('channel', general, true))).toEqual(allBut(...inGeneral));
});

test('topic: matches any case and both names of the empty topic, also without a channel', async () => {
  const {finds, general, allBut} = await startFixture();
  expect(await finds(term('channel', general), term('topic', 'LUNCH'))).toEqual(['lunch', 'lunchUna']);
  expect(await finds(term('subject', 'lunch'))).toEqual(['lunch', 'lunchUna']);
  expect(await finds(term('topic', ''))).toEqual(['unnamed']);
  expect(await finds(term('topic', 'general chat'))).toEqual(['unnamed']);
  expect(await finds(term('topic', 'chores'))).toEqual([]);
  expect(await finds(term('topic', 'lunch', true))).toEqual(allBut('lunch', 'lunchUna'));
});

test('dm: matches the conversation of exactly these users, by id or address, with or without oneself', async () => {
  const {finds, meg, otto, una, allBut} = await startFixture();
  expect(await finds(term('dm', [otto.id]))).toEqual(['direct']);
  expect(await finds(term('dm', [meg.id, otto.id]))).toEqual(['direct']);
  expect(await finds(term('dm', otto.email))).toEqual(['direct']);
  expect(await finds(term('pm-with', `${otto.email}, ${una.email}`))).toEqual(['group']);
  expect(await finds(term('pm-with', [otto.id, una.id]))).toEqual(['group']);
  expect(await finds(term('dm', [meg.id]))).toEqual(['self']);
  expect(await finds(term('dm', [una.id]))).toEqual([]);
  expect(await finds(term('dm', [otto.id], true))).toEqual(allBut('direct'));
});

test('dm-including and group-pm-with: match all conversations with a user', async () => {
  const {finds, otto, allBut} = await startFixture();
  expect(await finds(term('dm-including', otto.id))).toEqual(['direct', 'group']);
  expect(await finds(term('dm-including', otto.email))).toEqual(['direct', 'group']);
  expect(await finds(term('group-pm-with', otto.id))).toEqual(['direct', 'group']);
  expect(await finds(term('dm-including', otto.id, true))).toEqual(allBut('direct', 'group'));
});

test('older names of operators: from and pm_with take texts only', async () => {
  const {server, meg, otto} = await startFixture();
  for (const [operator, operand] of [
    ['from', otto.id],
    ['pm_with', [otto.id]],
  ] as const) {
    const narrow = [term(operator, operand)];
    const {msg} = await server.as(meg).refused('GET', '/messages', {...newest, narrow}, {code: 'BAD_REQUEST'});
    expect(msg).toBe('operand is not a string');
  }
});

test('terms: sixty terms are accepted, more than SQLite can handle are refused', async () => {
  const {finds, server, meg} = await startFixture();
  const direct = ['direct', 'group', 'self'];
  expect(await finds(...Array.from({length: 60}, () => term('is', 'dm')))).toEqual(direct);
  const narrow = Array.from({length: 1100}, () => term('is', 'starred'));
  const range = {anchor: 'newest', num_before: 1, num_after: 0, op: 'add', flag: 'starred'};
  await server.as(meg).refused('POST', '/messages/flags/narrow', {...range, narrow}, {code: 'BAD_NARROW'});
});

test('sender: accepts an id, an address or a dummy address', async () => {
  const {finds, server, una, otto} = await startFixture();
  const byUna = ['lunchUna', 'group'];
  expect(await finds(term('sender', una.id))).toEqual(byUna);
  expect(await finds(term('sender', una.email.toUpperCase()))).toEqual(byUna);
  expect(await finds(term('from', `user${una.id}@${new URL(server.url).hostname}`))).toEqual(byUna);
  expect(await finds(term('sender', otto.id, true))).toEqual([...byUna, 'self']);
});

test('id matches one message, near does not filter', async () => {
  const {finds, ids, allNames, allBut} = await startFixture();
  expect(await finds(term('id', ids.done))).toEqual(['done']);
  expect(await finds(term('id', String(ids.done)))).toEqual(['done']);
  expect(await finds(term('id', ids.done, true))).toEqual(allBut('done'));
  expect(await finds(term('near', String(ids.done)))).toEqual(allNames);
});

test('near: an id as a number is refused, because near wants text', async () => {
  const {server, meg, ids} = await startFixture();
  const narrow = [term('near', ids.done)];
  const refusal = {code: 'BAD_REQUEST', status: 400};
  const body = await server.as(meg).refused('GET', '/messages', {...newest, narrow}, refusal);
  expect(body.msg).toBe('operand is not a string');
});

test('is: matches each operand, and its negation matches the rest', async () => {
  const {finds, allBut} = await startFixture();
  const kinds = {
    dm: ['direct', 'group', 'self'],
    private: ['direct', 'group', 'self'],
    starred: ['group'],
    unread: allBut('lunchUna', 'self'),
    mentioned: ['done', 'noise', 'melody'],
    alerted: ['unnamed'],
    resolved: ['done'],
    followed: ['melody'],
    muted: ['lunch', 'lunchUna', 'noise'],
  };
  for (const [kind, found] of Object.entries(kinds)) {
    expect(await finds(term('is', kind)), kind).toEqual(found);
    if (kind !== 'muted') expect(await finds(term('is', kind, true)), `not ${kind}`).toEqual(allBut(...found));
  }
  expect(await finds(term('is', 'muted', true))).toEqual(allBut('lunch', 'lunchUna', 'noise'));
});

test('has: matches links, images, attachments and reactions', async () => {
  const {finds, allBut} = await startFixture();
  expect(await finds(term('has', 'link'))).toEqual(['lunch']);
  expect(await finds(term('has', 'image'))).toEqual(['lunchUna']);
  expect(await finds(term('has', 'attachment'))).toEqual(['lunchUna']);
  expect(await finds(term('has', 'reaction'))).toEqual(['noise']);
  expect(await finds(term('has', 'link', true))).toEqual(allBut('lunch'));
  expect(await finds(term('has', 'reaction', true))).toEqual(allBut('noise'));
});

test('in: home excludes muted messages, all excludes nothing', async () => {
  const {finds, writer, meg, noise, allNames, allBut} = await startFixture();
  expect(await finds(term('in', 'home'))).toEqual(allBut('lunch', 'lunchUna', 'noise'));
  expect(await finds(term('in', 'home', true))).toEqual(['lunch', 'lunchUna', 'noise']);
  expect(await finds(term('in', 'all'))).toEqual(allNames);
  // A channel that one has left is not muted any more.
  writer.unsubscribe(meg, noise);
  expect(await finds(term('in', 'home'))).toEqual(allBut('lunch', 'lunchUna'));
});

test('mentions: matches messages that mention a user by name', async () => {
  const {finds, meg, otto, allBut} = await startFixture();
  expect(await finds(term('mentions', meg.id))).toEqual(['done']);
  expect(await finds(term('mentions', otto.id))).toEqual([]);
  expect(await finds(term('mentions', meg.id, true))).toEqual(allBut('done'));
});

test('with: matches the present conversation of a message, whatever channel and topic the narrow names', async () => {
  const {finds, ids, server, general, otto} = await startFixture();
  const inLunch = ['lunch', 'lunchUna'];
  expect(await finds(term('with', ids.lunch))).toEqual(inLunch);
  expect(await finds(term('channel', general), term('topic', 'old name'), term('with', ids.lunch))).toEqual(inLunch);
  expect(await finds(term('channel', general), term('topic', 'x'), term('with', String(ids.group)))).toEqual(['group']);
  expect(await finds(term('dm', [otto.id]), term('with', ids.group))).toEqual(['group']);
  expect(await finds(term('dm', [otto.id]), term('with', ids.lunch))).toEqual(inLunch);
  expect(await finds(term('with', ids.lunch), term('sender', otto.id))).toEqual(['lunch']);
  expect(await finds(term('with', ids.lunch), term('sender', otto.id, true))).toEqual(['lunchUna']);
  server.context.db.run('UPDATE message SET topic = ?, topic_key = ? WHERE id = ?', 'Dinner', 'dinner', ids.lunch);
  expect(await finds(term('topic', 'lunch'), term('channel', general), term('with', ids.lunch))).toEqual(['lunch']);
});

test('with: an unreadable message falls back to the conversation that the other terms name', async () => {
  const {finds, badNarrow, general, otto} = await startFixture();
  expect(await finds(term('channel', general), term('topic', 'lunch'), term('with', 999_999))).toEqual([
    'lunch',
    'lunchUna',
  ]);
  expect(await finds(term('dm', [otto.id]), term('with', 999_999))).toEqual(['direct']);
  await badNarrow(term('with', 999_999));
  await badNarrow(term('channel', general), term('with', 999_999));
});

test('a narrow of several terms matches messages that match all of them', async () => {
  const {finds, otto, general} = await startFixture();
  expect(await finds(term('channel', general), term('sender', otto.id), term('is', 'unread'))).toEqual([
    'lunch',
    'done',
    'unnamed',
  ]);
  expect(await finds(term('is', 'dm'), term('is', 'starred'), term('sender', otto.id, true))).toEqual(['group']);
  expect(await finds(term('channel', general), term('channel', 'noise'))).toEqual([]);
  expect(await finds(term('channel', general, true), term('is', 'mentioned'))).toEqual(['noise', 'melody']);
  expect(await finds(term('dm', [otto.id]), term('channel', general, true))).toEqual(['direct']);
  const inNoise = term('channel', 'noise');
  expect(await finds(inNoise, term('topic', 'hum', true), term('topic', 'melody', true))).toEqual([]);
  expect(await finds(inNoise, term('topic', 'melody', true), term('is', 'followed'))).toEqual([]);
});

test('a search for unread messages finds all of them, from the oldest on', async () => {
  const {server, meg, ids, finds, allBut} = await startFixture();
  const narrow = [term('search', 'hello'), term('is', 'unread')];
  const unread = allBut('lunchUna', 'self');
  expect(await finds(...narrow)).toEqual(unread);
  const page = {anchor: 'oldest', num_before: 0, num_after: 100, narrow};
  const {messages} = await server.as(meg).get('/messages', page);
  expect(messages.map(({id}: {id: number}) => id)).toEqual(
    unread.map((name) => new Map(Object.entries(ids)).get(name)),
  );
});

test('unknown operators and operands and contradictions are a bad narrow with a description', async () => {
  const {badNarrow, general, otto, ids} = await startFixture();
  await badNarrow(term('wibble', 'x'));
  await badNarrow(term('is', 'wibble'));
  await badNarrow(term('has', 'wibble'));
  await badNarrow(term('in', 'wibble'));
  await badNarrow(term('channels', 'wibble'));
  await badNarrow(term('channel', 'no such channel'));
  await badNarrow(term('channel', 999));
  await badNarrow(term('dm', [999]));
  await badNarrow(term('dm', 'nobody@example.com'));
  await badNarrow(term('dm-including', 'nobody@example.com'));
  await badNarrow(term('sender', 'nobody@example.com'));
  await badNarrow(term('sender', 999));
  await badNarrow(term('mentions', 'nobody@example.com'));
  await badNarrow(term('id', 'x'));
  await badNarrow(term('id', 2 ** 31));
  await badNarrow(term('with', 'x'));
  await badNarrow(term('with', ids.lunch), term('with', ids.lunch));
  await badNarrow(term('channel', String(general)));
  await badNarrow(term('channel', general), term('dm', [otto.id]));
  await badNarrow(term('topic', 'lunch'), term('is', 'dm'));
  await badNarrow(term('channels', 'public'), term('dm-including', otto.id));
  await badNarrow(term('is', 'dm', true), term('dm', [otto.id]));
  await badNarrow(term('sender', String(otto.id)));
});

test('near with any text does not filter', async () => {
  const {finds, allNames} = await startFixture();
  expect(await finds(term('near', 'x'))).toEqual(allNames);
});

test('sender: a hidden address is an unknown user', async () => {
  const {server, badNarrow, finds, writer, general} = await startFixture();
  const shy = server.people.add('Shy Sheila', {settings: {email_address_visibility: 4}});
  writer.toChannel(shy, general, 'x');
  await badNarrow(term('sender', shy.email));
  expect(await finds(term('sender', shy.id))).toHaveLength(1);
});

const refusedNarrows = [
  ['{', 'narrow is not valid JSON'],
  ['{}', 'narrow is not a list'],
  ['[1]', 'Invalid narrow[0]: Value error, dict or list required'],
  ['[["is"]]', 'Invalid narrow[0]: Value error, element is not a string pair'],
  ['[["id", 5]]', 'Invalid narrow[0]: Value error, element is not a string pair'],
  ['[{"operator":"is"}]', 'Invalid narrow[0]: Value error, operand is missing'],
  ['[{"operator":"is","operand":null}]', 'Invalid narrow[0]: Value error, operand is missing'],
  ['[{"operator":"is","operand":"dm","negated":"x"}]', 'narrow[0]["negated"] is not a boolean'],
  ['[{"operator":"is","operand":{}}]', 'operand is not a string'],
  ['[{"operator":"channel","operand":1.5}]', 'operand is not a string or integer'],
  ['[{"operator":"with","operand":[1]}]', 'operand is not a string or integer'],
  ['[{"operator":"dm","operand":5}]', 'operand is not a string or an integer list'],
  ['[{"operator":"dm","operand":["a@b.example"]}]', 'operand[0] is not an integer'],
  ['[{"operator":"dm","operand":[998,999]}]', 'Invalid narrow operator: unknown user in [998, 999]'],
  ['[{"operator":"search","operand":" "}]', 'operand cannot be blank.'],
  ['[{"operator":"channels","operand":"x"}]', 'Invalid narrow operator: unknown channels operand x'],
  [
    '[{"operator":"with","operand":1},{"operator":"with","operand":1}]',
    "Invalid narrow operator combination: Duplicate 'with' operators.",
  ],
];

test('a narrow that is not a list of terms is refused with 400 and the words of Zulip’s servers', async () => {
  const server = await testServer();
  const client = server.as(server.people.member());
  for (const [narrow, msg] of refusedNarrows) {
    const reply = await client.raw('GET', '/messages', {...newest, narrow});
    expect(reply, narrow).toMatchObject({status: 400, body: {msg}});
  }
});

test('matches_narrow returns the matching messages with their HTML', async () => {
  const {server, meg, ids} = await startFixture();
  const msg_ids = [ids.lunch, ids.done, ids.direct, 999_999];
  const narrow = [term('is', 'resolved')];
  const {messages} = await server.as(meg).get('/messages/matches_narrow', {msg_ids, narrow});
  expect(messages).toEqual({
    [ids.done]: {match_content: '<p>hello</p>', match_subject: '✔ chores'},
  });
  const many = Array.from({length: 300}, (_, index) => 1_000_000 + index);
  const among = {msg_ids: [...many, ids.done], narrow};
  expect(Object.keys((await server.as(meg).get('/messages/matches_narrow', among)).messages)).toEqual([`${ids.done}`]);
});

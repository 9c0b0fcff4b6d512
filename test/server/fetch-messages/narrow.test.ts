import {expect, test} from 'vitest';
import {Flag, Trait} from '#server/db/rows.ts';
import {testServer} from '#test/support/server.ts';
import {MessageFixtureWriter, newest, term} from './message-fixtures.ts';

/** A small world with one of everything; `finds` gives the names of the messages that a narrow holds. */
async function world() {
  const server = await testServer();
  const mail = new MessageFixtureWriter(server.world);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const una = server.people.member('Una Usual');
  const general = server.people.channel('General', [meg, otto, una]);
  const noise = server.people.channel('noise', [meg, otto, una]);
  const ids = {
    lunch: mail.toChannel(otto, general, 'Lunch', {traits: Trait.link}),
    lunchUna: mail.toChannel(una, general, 'lunch', {traits: Trait.image | Trait.attachment, read: true}),
    done: mail.toChannel(otto, general, '✔ chores', {flags: [[meg, Flag.mentioned | Flag.mentionedByName]]}),
    unnamed: mail.toChannel(otto, general, '', {flags: [[meg, Flag.alertWord]]}),
    noise: mail.toChannel(otto, noise, 'hum', {flags: [[meg, Flag.channelWildcard]]}),
    melody: mail.toChannel(otto, noise, 'melody', {flags: [[meg, Flag.topicWildcard]]}),
    direct: mail.toPeople(otto, [meg]),
    group: mail.toPeople(una, [meg, otto], {flags: [[meg, Flag.starred]]}),
    self: mail.toPeople(meg, []),
  };
  mail.muteChannel(meg, noise);
  mail.topicPolicy(meg, noise, 'melody', 3);
  mail.topicPolicy(meg, general, 'Lunch', 1);
  server.world.db.run(
    `INSERT INTO reaction (message_id, user_id, emoji_name, emoji_code, reaction_type) VALUES (?, ?, 'x', 'x', 'x')`,
    ids.noise,
    una.id,
  );
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  const finds = async (...narrow: unknown[]): Promise<string[]> => {
    const {messages} = await server.as(meg).get('/messages', {...newest, narrow});
    return messages.map(({id}: {id: number}) => names.get(id));
  };
  const everything = Object.keys(ids);
  const except = (...gone: string[]) => everything.filter((name) => !gone.includes(name));
  const badNarrow = async (...narrow: unknown[]) => {
    const body = await server.as(meg).refused('GET', '/messages', {...newest, narrow}, {code: 'BAD_NARROW'});
    expect(body.desc).toEqual(expect.any(String));
  };
  return {server, mail, meg, otto, una, general, noise, ids, finds, everything, except, badNarrow};
}

test('channel: by name in any case, by id, by its older name, as a pair', async () => {
  const {finds, general, except} = await world();
  const inGeneral = ['lunch', 'lunchUna', 'done', 'unnamed'];
  for (const narrow of [
    term('channel', 'general'),
    term('channel', general),
    term('channel', String(general)),
    term('stream', 'GENERAL'),
    ['stream', 'general'],
  ]) {
    expect(await finds(narrow)).toEqual(inGeneral);
  }
  expect(await finds(term('channel', general, true))).toEqual(except(...inGeneral));
});

test('topic: in any case, the empty one by either name, and without its channel', async () => {
  const {finds, general, except} = await world();
  expect(await finds(term('channel', general), term('topic', 'LUNCH'))).toEqual(['lunch', 'lunchUna']);
  expect(await finds(term('subject', 'lunch'))).toEqual(['lunch', 'lunchUna']);
  expect(await finds(term('topic', ''))).toEqual(['unnamed']);
  expect(await finds(term('topic', 'general chat'))).toEqual(['unnamed']);
  expect(await finds(term('topic', 'chores'))).toEqual([]);
  expect(await finds(term('topic', 'lunch', true))).toEqual(except('lunch', 'lunchUna'));
});

test('dm: exactly those people, by id or address, oneself optional', async () => {
  const {finds, meg, otto, una, except} = await world();
  expect(await finds(term('dm', [otto.id]))).toEqual(['direct']);
  expect(await finds(term('dm', [meg.id, otto.id]))).toEqual(['direct']);
  expect(await finds(term('dm', otto.email))).toEqual(['direct']);
  expect(await finds(term('pm-with', `${otto.email}, ${una.email}`))).toEqual(['group']);
  expect(await finds(term('pm_with', [otto.id, una.id]))).toEqual(['group']);
  expect(await finds(term('dm', [meg.id]))).toEqual(['self']);
  expect(await finds(term('dm', [una.id]))).toEqual([]);
  expect(await finds(term('dm', [otto.id], true))).toEqual(except('direct'));
});

test('dm-including and group-pm-with: any conversation with somebody, or groups only', async () => {
  const {finds, otto, except} = await world();
  expect(await finds(term('dm-including', otto.id))).toEqual(['direct', 'group']);
  expect(await finds(term('dm-including', otto.email))).toEqual(['direct', 'group']);
  expect(await finds(term('group-pm-with', otto.id))).toEqual(['group']);
  expect(await finds(term('dm-including', otto.id, true))).toEqual(except('direct', 'group'));
});

test('sender: by id, address or dummy address', async () => {
  const {finds, server, una, otto} = await world();
  const byUna = ['lunchUna', 'group'];
  expect(await finds(term('sender', una.id))).toEqual(byUna);
  expect(await finds(term('sender', una.email.toUpperCase()))).toEqual(byUna);
  expect(await finds(term('from', `user${una.id}@${new URL(server.url).hostname}`))).toEqual(byUna);
  expect(await finds(term('sender', otto.id, true))).toEqual([...byUna, 'self']);
});

test('id and near: one message, or no restriction', async () => {
  const {finds, ids, everything, except} = await world();
  expect(await finds(term('id', ids.done))).toEqual(['done']);
  expect(await finds(term('id', String(ids.done)))).toEqual(['done']);
  expect(await finds(term('id', ids.done, true))).toEqual(except('done'));
  expect(await finds(term('near', ids.done))).toEqual(everything);
});

test('is: each kind and its opposite', async () => {
  const {finds, except} = await world();
  const kinds = {
    dm: ['direct', 'group', 'self'],
    private: ['direct', 'group', 'self'],
    starred: ['group'],
    unread: except('lunchUna', 'self'),
    mentioned: ['done', 'noise', 'melody'],
    alerted: ['unnamed'],
    resolved: ['done'],
    followed: ['melody'],
    muted: ['lunch', 'lunchUna', 'noise'],
  };
  for (const [kind, found] of Object.entries(kinds)) {
    expect(await finds(term('is', kind)), kind).toEqual(found);
    if (kind !== 'muted')
      expect(await finds(term('is', kind, true)), `not ${kind}`).toEqual(except(...found));
  }
  expect(await finds(term('is', 'muted', true))).toEqual(except('lunch', 'lunchUna', 'noise'));
});

test('has: link, image, attachment, reaction', async () => {
  const {finds, except} = await world();
  expect(await finds(term('has', 'link'))).toEqual(['lunch']);
  expect(await finds(term('has', 'image'))).toEqual(['lunchUna']);
  expect(await finds(term('has', 'attachment'))).toEqual(['lunchUna']);
  expect(await finds(term('has', 'reaction'))).toEqual(['noise']);
  expect(await finds(term('has', 'link', true))).toEqual(except('lunch'));
  expect(await finds(term('has', 'reaction', true))).toEqual(except('noise'));
});

test('in: home leaves out what is muted, all leaves out nothing', async () => {
  const {finds, everything, except} = await world();
  expect(await finds(term('in', 'home'))).toEqual(except('lunch', 'lunchUna', 'noise'));
  expect(await finds(term('in', 'home', true))).toEqual(['lunch', 'lunchUna', 'noise']);
  expect(await finds(term('in', 'all'))).toEqual(everything);
});

test('mentions: messages that name a user', async () => {
  const {finds, meg, otto, except} = await world();
  expect(await finds(term('mentions', meg.id))).toEqual(['done']);
  expect(await finds(term('mentions', otto.id))).toEqual([]);
  expect(await finds(term('mentions', meg.id, true))).toEqual(except('done'));
});

test('with: the conversation that holds a message now, whatever the other terms say', async () => {
  const {finds, ids, server, general, otto} = await world();
  const inLunch = ['lunch', 'lunchUna'];
  expect(await finds(term('with', ids.lunch))).toEqual(inLunch);
  expect(await finds(term('channel', general), term('topic', 'old name'), term('with', ids.lunch))).toEqual(
    inLunch,
  );
  expect(await finds(term('channel', general), term('topic', 'x'), term('with', String(ids.group)))).toEqual([
    'group',
  ]);
  expect(await finds(term('with', ids.lunch), term('sender', otto.id))).toEqual(['lunch']);
  server.world.db.run(
    'UPDATE message SET topic = ?, topic_key = ? WHERE id = ?',
    'Dinner',
    'dinner',
    ids.lunch,
  );
  expect(await finds(term('topic', 'lunch'), term('channel', general), term('with', ids.lunch))).toEqual([
    'lunch',
  ]);
});

test('with an unreadable message falls back on the conversation beside it', async () => {
  const {finds, badNarrow, general, otto} = await world();
  expect(await finds(term('channel', general), term('topic', 'lunch'), term('with', 999_999))).toEqual([
    'lunch',
    'lunchUna',
  ]);
  expect(await finds(term('dm', [otto.id]), term('with', 999_999))).toEqual(['direct']);
  await badNarrow(term('with', 999_999));
  await badNarrow(term('channel', general), term('with', 999_999));
});

test('terms add up', async () => {
  const {finds, otto, general} = await world();
  expect(await finds(term('channel', general), term('sender', otto.id), term('is', 'unread'))).toEqual([
    'lunch',
    'done',
    'unnamed',
  ]);
  expect(await finds(term('is', 'dm'), term('is', 'starred'), term('sender', otto.id, true))).toEqual([
    'group',
  ]);
  expect(await finds(term('channel', general), term('channel', 'noise'))).toEqual([]);
  expect(await finds(term('channel', general, true), term('is', 'mentioned'))).toEqual(['noise', 'melody']);
  expect(await finds(term('dm', [otto.id]), term('channel', general, true))).toEqual(['direct']);
});

test('what makes no sense is a bad narrow, and says why', async () => {
  const {badNarrow, general, otto, ids} = await world();
  await badNarrow(term('wibble', 'x'));
  await badNarrow(term('is', 'wibble'));
  await badNarrow(term('has', 'wibble'));
  await badNarrow(term('in', 'wibble'));
  await badNarrow(term('channels', 'wibble'));
  await badNarrow(term('channel', 'no such channel'));
  await badNarrow(term('channel', 999));
  await badNarrow(term('channel', [general]));
  await badNarrow(term('dm', [999]));
  await badNarrow(term('dm', 'nobody@example.com'));
  await badNarrow(term('dm-including', 'nobody@example.com'));
  await badNarrow(term('sender', 'nobody@example.com'));
  await badNarrow(term('sender', 999));
  await badNarrow(term('mentions', 999));
  await badNarrow(term('id', 'x'));
  await badNarrow(term('near', 'x'));
  await badNarrow(term('with', 'x'));
  await badNarrow(term('search', ''));
  await badNarrow(term('with', ids.lunch), term('with', ids.lunch));
  await badNarrow(term('with', ids.lunch, true));
  await badNarrow(term('channel', general), term('dm', [otto.id]));
  await badNarrow(term('topic', 'lunch'), term('is', 'dm'));
  await badNarrow(term('channels', 'public'), term('dm-including', otto.id));
});

test('a hidden address finds nobody', async () => {
  const {server, badNarrow, finds, mail, general} = await world();
  const shy = server.people.add('Shy Sheila', {settings: {email_address_visibility: 4}});
  mail.toChannel(shy, general, 'x');
  await badNarrow(term('sender', shy.email));
  expect(await finds(term('sender', shy.id))).toHaveLength(1);
});

test('a narrow that is not a list of terms is malformed', async () => {
  const {server, meg} = await world();
  for (const narrow of [
    '{',
    '{}',
    '[1]',
    '[["is"]]',
    '[{"operator":"is"}]',
    '[{"operator":"is","operand":null}]',
  ]) {
    const reply = await server.as(meg).raw('GET', '/messages', {...newest, narrow});
    expect(reply.status, narrow).toBe(400);
  }
});

test('matches_narrow tells which messages match, with their HTML', async () => {
  const {server, meg, ids} = await world();
  const msg_ids = [ids.lunch, ids.done, ids.direct, 999_999];
  const narrow = [term('is', 'resolved')];
  const {messages} = await server.as(meg).get('/messages/matches_narrow', {msg_ids, narrow});
  expect(messages).toEqual({
    [ids.done]: {match_content: '<p>hello</p>', match_subject: '✔ chores'},
  });
});

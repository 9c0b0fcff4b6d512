import {expect, test} from 'vitest';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import {MessageFixtureWriter, newest, term} from '#test/server/message-fixtures.ts';
import type {Person} from '#test/support/people.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

async function fetchMessages(server: TestServer, person: Person, narrow: unknown[] = []) {
  const {messages} = await server.as(person).get('/messages', {...newest, narrow});
  return messages as {id: number; flags: string[]}[];
}

const idsOf = (messages: {id: number}[]) => messages.map(({id}) => id);

test('combined feed: contains only messages from the time of the subscription', async () => {
  const server = await testServer();
  const writer = new MessageFixtureWriter(server.context);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const general = server.people.channel('general', [otto]);
  writer.toChannel(otto, general, 'before');
  server.people.subscribe(meg, general);
  const during = writer.toChannel(otto, general, 'during');
  writer.unsubscribe(meg, general);
  writer.toChannel(otto, general, 'after');
  expect(idsOf(await fetchMessages(server, meg))).toEqual([during]);
  expect(idsOf(await fetchMessages(server, meg, [term('search', 'hello')]))).toEqual([during]);
});

test('-is:unread: contains only messages from the time of the subscription', async () => {
  const server = await testServer();
  const writer = new MessageFixtureWriter(server.context);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const general = server.people.channel('general', [otto]);
  writer.toChannel(otto, general, 'before');
  server.people.subscribe(meg, general);
  const read = writer.toChannel(otto, general, 'during', {read: true});
  writer.toChannel(otto, general, 'during');
  expect(idsOf(await fetchMessages(server, meg, [term('is', 'unread', true)]))).toEqual([read]);
});

test('public channel: all of it is readable, with unreceived messages flagged historical', async () => {
  const server = await testServer();
  const writer = new MessageFixtureWriter(server.context);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const general = server.people.channel('general', [otto]);
  const before = writer.toChannel(otto, general, 'before');
  server.people.subscribe(meg, general);
  const during = writer.toChannel(otto, general, 'during');
  expect(await fetchMessages(server, meg, [term('channel', 'general')])).toMatchObject([
    {id: before, flags: ['read', 'historical']},
    {id: during, flags: []},
  ]);
  expect(idsOf(await fetchMessages(server, meg, [term('channels', 'public')]))).toEqual([before, during]);
  expect(idsOf(await fetchMessages(server, meg, [term('topic', 'before')]))).toEqual([]);
  const inGeneral = async (...more: unknown[]) =>
    idsOf(await fetchMessages(server, meg, [term('channel', 'general'), ...more]));
  expect(await inGeneral(term('is', 'resolved', true))).toEqual([before, during]);
  // Flags, following and muting are about one's own messages.
  expect(await inGeneral(term('is', 'followed', true))).toEqual([during]);
  expect(await inGeneral(term('is', 'starred', true))).toEqual([during]);
  writer.muteChannel(meg, general);
  expect(await inGeneral(term('is', 'muted'))).toEqual([during]);
});

test('private channel with shared history: readable only for subscribers', async () => {
  const server = await testServer();
  const writer = new MessageFixtureWriter(server.context);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const ada = server.people.admin();
  const secret = server.people.channel('secret', [otto], {invite_only: 1});
  const before = writer.toChannel(otto, secret, 'plan');
  const narrow = [term('channel', 'secret')];
  for (const person of [meg, ada]) expect(await fetchMessages(server, person, narrow)).toEqual([]);
  server.people.subscribe(meg, secret);
  expect(idsOf(await fetchMessages(server, meg, narrow))).toEqual([before]);
  expect(await fetchMessages(server, meg, [term('channels', 'public')])).toEqual([]);
  writer.toChannel(otto, secret, 'plan');
  writer.unsubscribe(meg, secret);
  expect(await fetchMessages(server, meg)).toEqual([]);
});

test('protected history: subscribers read what they received, former subscribers nothing', async () => {
  const server = await testServer();
  const writer = new MessageFixtureWriter(server.context);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const options = {invite_only: 1, history_public_to_subscribers: 0};
  const closed = server.people.channel('closed', [otto], options);
  const early = writer.toChannel(otto, closed, 'plan');
  server.people.subscribe(meg, closed);
  const late = writer.toChannel(otto, closed, 'plan');
  const narrow = [term('channel', closed)];
  expect(idsOf(await fetchMessages(server, meg, narrow))).toEqual([late]);
  expect(idsOf(await fetchMessages(server, meg, [term('with', late)]))).toEqual([late]);
  const byId = await server.as(meg).get('/messages', {message_ids: [early, late]});
  expect(idsOf(byId.messages)).toEqual([late]);
  writer.unsubscribe(meg, closed);
  expect(await fetchMessages(server, meg)).toEqual([]);
  expect((await server.as(meg).get('/messages', {message_ids: [late]})).messages).toEqual([]);
});

test('protected history: a former subscriber who may subscribe again reads nothing until then', async () => {
  const server = await testServer();
  const writer = new MessageFixtureWriter(server.context);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const permissions = {can_subscribe_group: SystemGroup.members};
  const closed = server.people.channel('closed', [otto, meg], {
    invite_only: 1,
    history_public_to_subscribers: 0,
    permissions,
  });
  const received = writer.toChannel(otto, closed, 'plan');
  const byId = async () => idsOf((await server.as(meg).get('/messages', {message_ids: [received]})).messages);
  expect(await byId()).toEqual([received]);
  writer.unsubscribe(meg, closed);
  expect(await byId()).toEqual([]);
  await server.as(meg).refused('GET', `/messages/${received}`, {}, {code: 'BAD_REQUEST'});
  await server.as(meg).post('/users/me/subscriptions', {subscriptions: [{name: 'closed'}]});
  expect(await byId()).toEqual([received]);
});

test('combined feed: a starred message from before the subscription is in it, until the history is protected', async () => {
  const server = await testServer();
  const writer = new MessageFixtureWriter(server.context);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const general = server.people.channel('general', [otto]);
  const before = writer.toChannel(otto, general, 'before');
  await server.as(meg).post('/messages/flags', {messages: [before], op: 'add', flag: 'starred'});
  server.people.subscribe(meg, general);
  expect(idsOf(await fetchMessages(server, meg))).toEqual([before]);
  server.context.db.run('UPDATE channel SET history_public_to_subscribers = 0');
  expect(idsOf(await fetchMessages(server, meg))).toEqual([]);
});

test('combined feed: a starred message of a channel that became private is in it only for those who can read it', async () => {
  const server = await testServer();
  const writer = new MessageFixtureWriter(server.context);
  const [meg, otto, nina] = [server.people.member(), server.people.member('Otto Other'), server.people.member('Nina')];
  const general = server.people.channel('general', [otto]);
  const before = writer.toChannel(otto, general, 'before');
  for (const person of [meg, nina]) {
    await server.as(person).post('/messages/flags', {messages: [before], op: 'add', flag: 'starred'});
  }
  server.people.subscribe(nina, general);
  server.context.db.run('UPDATE channel SET invite_only = 1');
  server.context.derivedFacts.invalidateAll();
  expect(idsOf(await fetchMessages(server, meg))).toEqual([]);
  expect(idsOf(await fetchMessages(server, nina))).toEqual([before]);
});

test('private channel: a group that may subscribe can read it', async () => {
  const server = await testServer();
  const writer = new MessageFixtureWriter(server.context);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const permissions = {can_subscribe_group: {direct_members: [meg.id], direct_subgroups: []}};
  const open = server.people.channel('half open', [otto, meg], {invite_only: 1, permissions});
  const received = writer.toChannel(otto, open, 'plan');
  writer.unsubscribe(meg, open);
  const later = writer.toChannel(otto, open, 'plan');
  expect(idsOf(await fetchMessages(server, meg))).toEqual([received]);
  expect(idsOf(await fetchMessages(server, meg, [term('channel', 'half open')]))).toEqual([received, later]);
});

test('guest: reads the history of subscribed and web-public channels', async () => {
  const server = await testServer();
  const writer = new MessageFixtureWriter(server.context);
  const gus = server.people.guest();
  const otto = server.people.member('Otto Other');
  const hidden = server.people.channel('members only', [otto]);
  const web = server.people.channel('web', [otto], {is_web_public: 1});
  const joined = server.people.channel('joined', [otto]);
  writer.toChannel(otto, hidden, 'a');
  const open = writer.toChannel(otto, web, 'a');
  const old = writer.toChannel(otto, joined, 'a');
  server.people.subscribe(gus, joined);
  const fresh = writer.toChannel(otto, joined, 'a');
  expect(idsOf(await fetchMessages(server, gus, [term('channel', 'joined')]))).toEqual([old, fresh]);
  expect(idsOf(await fetchMessages(server, gus, [term('channels', 'public')]))).toEqual([fresh]);
  expect(idsOf(await fetchMessages(server, gus, [term('channels', 'web-public')]))).toEqual([open]);
  expect(idsOf(await fetchMessages(server, gus, [term('channel', hidden)]))).toEqual([]);
  const narrow = [term('channel', 'hidden')];
  await server.as(gus).refused('GET', '/messages', {...newest, narrow}, {code: 'BAD_NARROW'});
});

test('channels:archived: matches messages of archived channels that the user can read', async () => {
  const server = await testServer();
  const writer = new MessageFixtureWriter(server.context);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const attic = server.people.channel('attic', [otto], {is_archived: 1});
  const vault = server.people.channel('vault', [otto], {is_archived: 1, invite_only: 1});
  const general = server.people.channel('general', [meg]);
  const archivedId = writer.toChannel(otto, attic, 'a');
  writer.toChannel(otto, vault, 'a');
  const live = writer.toChannel(otto, general, 'a');
  expect(idsOf(await fetchMessages(server, meg, [term('channels', 'archived')]))).toEqual([archivedId]);
  expect(idsOf(await fetchMessages(server, meg, [term('channels', 'archived', true)]))).toEqual([live]);
});

test('direct messages of other users are in no narrow', async () => {
  const server = await testServer();
  const writer = new MessageFixtureWriter(server.context);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const una = server.people.member('Una Usual');
  writer.toPeople(otto, [una], {content: 'psst'});
  const mine = writer.toPeople(otto, [meg], {content: 'psst'});
  for (const narrow of [
    [],
    [term('is', 'dm')],
    [term('sender', otto.id)],
    [term('search', 'psst')],
    [term('dm-including', otto.id)],
  ]) {
    expect(idsOf(await fetchMessages(server, meg, narrow))).toEqual([mine]);
  }
  expect(await fetchMessages(server, meg, [term('dm', [otto.id, una.id])])).toEqual([]);
});

import {expect, test} from 'vitest';
import type {Person} from '#test/support/people.ts';
import {type TestServer, testServer} from '#test/support/server.ts';
import {MessageFixtureWriter, newest, term} from './message-fixtures.ts';

async function read(server: TestServer, person: Person, narrow: unknown[] = []) {
  const {messages} = await server.as(person).get('/messages', {...newest, narrow});
  return messages as {id: number; flags: string[]}[];
}

const idsOf = (messages: {id: number}[]) => messages.map(({id}) => id);

test('the combined feed holds what arrived while subscribed, and nothing else', async () => {
  const server = await testServer();
  const mail = new MessageFixtureWriter(server.world);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const general = server.people.channel('general', [otto]);
  mail.toChannel(otto, general, 'before');
  server.people.subscribe(meg, general);
  const during = mail.toChannel(otto, general, 'during');
  mail.unsubscribe(meg, general);
  mail.toChannel(otto, general, 'after');
  expect(idsOf(await read(server, meg))).toEqual([during]);
});

test('naming a public channel opens all of it, with what never arrived marked historical', async () => {
  const server = await testServer();
  const mail = new MessageFixtureWriter(server.world);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const general = server.people.channel('general', [otto]);
  const before = mail.toChannel(otto, general, 'before');
  server.people.subscribe(meg, general);
  const during = mail.toChannel(otto, general, 'during');
  expect(await read(server, meg, [term('channel', 'general')])).toMatchObject([
    {id: before, flags: ['read', 'historical']},
    {id: during, flags: []},
  ]);
  expect(idsOf(await read(server, meg, [term('channels', 'public')]))).toEqual([before, during]);
  expect(idsOf(await read(server, meg, [term('topic', 'before')]))).toEqual([]);
});

test('a private channel with shared history is open to its subscribers alone', async () => {
  const server = await testServer();
  const mail = new MessageFixtureWriter(server.world);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const ada = server.people.admin();
  const secret = server.people.channel('secret', [otto], {invite_only: 1});
  const before = mail.toChannel(otto, secret, 'plan');
  const narrow = [term('channel', 'secret')];
  await server.as(meg).refused('GET', '/messages', {...newest, narrow}, {code: 'BAD_NARROW'});
  // An administrator knows that it exists, and may not read it.
  expect(await read(server, ada, narrow)).toEqual([]);
  server.people.subscribe(meg, secret);
  expect(idsOf(await read(server, meg, narrow))).toEqual([before]);
  expect(await read(server, meg, [term('channels', 'public')])).toEqual([]);
  mail.toChannel(otto, secret, 'plan');
  mail.unsubscribe(meg, secret);
  expect(await read(server, meg)).toEqual([]);
});

test('protected history shows what arrived, and only to those still subscribed', async () => {
  const server = await testServer();
  const mail = new MessageFixtureWriter(server.world);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const options = {invite_only: 1, history_public_to_subscribers: 0};
  const closed = server.people.channel('closed', [otto], options);
  const early = mail.toChannel(otto, closed, 'plan');
  server.people.subscribe(meg, closed);
  const late = mail.toChannel(otto, closed, 'plan');
  const narrow = [term('channel', closed)];
  expect(idsOf(await read(server, meg, narrow))).toEqual([late]);
  expect(idsOf(await read(server, meg, [term('with', late)]))).toEqual([late]);
  const byId = await server.as(meg).get('/messages', {message_ids: [early, late]});
  expect(idsOf(byId.messages)).toEqual([late]);
  mail.unsubscribe(meg, closed);
  expect(await read(server, meg)).toEqual([]);
  expect((await server.as(meg).get('/messages', {message_ids: [late]})).messages).toEqual([]);
});

test('a group that may subscribe to a private channel may read it', async () => {
  const server = await testServer();
  const mail = new MessageFixtureWriter(server.world);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const permissions = {can_subscribe_group: {direct_members: [meg.id], direct_subgroups: []}};
  const open = server.people.channel('half open', [otto, meg], {invite_only: 1, permissions});
  const received = mail.toChannel(otto, open, 'plan');
  mail.unsubscribe(meg, open);
  const later = mail.toChannel(otto, open, 'plan');
  expect(idsOf(await read(server, meg))).toEqual([received]);
  expect(idsOf(await read(server, meg, [term('channel', 'half open')]))).toEqual([received, later]);
});

test('a guest reads the history of channels they are in, and web-public ones', async () => {
  const server = await testServer();
  const mail = new MessageFixtureWriter(server.world);
  const gus = server.people.guest();
  const otto = server.people.member('Otto Other');
  const hidden = server.people.channel('members only', [otto]);
  const web = server.people.channel('web', [otto], {is_web_public: 1});
  const joined = server.people.channel('joined', [otto]);
  mail.toChannel(otto, hidden, 'a');
  const open = mail.toChannel(otto, web, 'a');
  const old = mail.toChannel(otto, joined, 'a');
  server.people.subscribe(gus, joined);
  const fresh = mail.toChannel(otto, joined, 'a');
  expect(idsOf(await read(server, gus, [term('channel', 'joined')]))).toEqual([old, fresh]);
  expect(idsOf(await read(server, gus, [term('channels', 'public')]))).toEqual([fresh]);
  expect(idsOf(await read(server, gus, [term('channels', 'web-public')]))).toEqual([open]);
  const narrow = [term('channel', hidden)];
  await server.as(gus).refused('GET', '/messages', {...newest, narrow}, {code: 'BAD_NARROW'});
});

test('channels:archived is about archived channels one may read', async () => {
  const server = await testServer();
  const mail = new MessageFixtureWriter(server.world);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const attic = server.people.channel('attic', [otto], {is_archived: 1});
  const vault = server.people.channel('vault', [otto], {is_archived: 1, invite_only: 1});
  const general = server.people.channel('general', [meg]);
  const kept = mail.toChannel(otto, attic, 'a');
  mail.toChannel(otto, vault, 'a');
  const live = mail.toChannel(otto, general, 'a');
  expect(idsOf(await read(server, meg, [term('channels', 'archived')]))).toEqual([kept]);
  expect(idsOf(await read(server, meg, [term('channels', 'archived', true)]))).toEqual([live]);
});

test('other people’s direct messages are in no view', async () => {
  const server = await testServer();
  const mail = new MessageFixtureWriter(server.world);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const una = server.people.member('Una Usual');
  mail.toPeople(otto, [una], {content: 'psst'});
  const mine = mail.toPeople(otto, [meg], {content: 'psst'});
  for (const narrow of [
    [],
    [term('is', 'dm')],
    [term('sender', otto.id)],
    [term('search', 'psst')],
    [term('dm-including', otto.id)],
  ]) {
    expect(idsOf(await read(server, meg, narrow))).toEqual([mine]);
  }
  expect(await read(server, meg, [term('dm', [otto.id, una.id])])).toEqual([]);
});

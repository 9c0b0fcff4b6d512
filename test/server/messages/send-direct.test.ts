import {expect, test} from 'vitest';
import {SystemGroup} from '#server/permissions/system-groups.ts';
import {messagesFixture, sendDirect} from './messages-fixture.ts';

const refusal = {code: 'BAD_REQUEST'};

test('people can be named by id, by address, by lists of either and by addresses with commas', async () => {
  const {server, asMeg, otto, nina} = await messagesFixture();
  const dummy = `user${otto.id}@127.0.0.1`;
  const forms = [
    [otto.id, nina.id],
    [otto.email, nina.email],
    [dummy, nina.email.toUpperCase()],
    `${otto.email},${nina.email}`,
    `${otto.email}, ${nina.email}`,
  ];
  for (const to of forms) await asMeg.post('/messages', {type: 'private', to, content: 'Hi'});
  await asMeg.post('/messages', {type: 'direct', to: otto.id, content: 'Hi'});
  await asMeg.post('/messages', {type: 'direct', to: otto.email, content: 'Hi'});
  expect(server.world.db.all('SELECT size FROM dm ORDER BY id')).toEqual([{size: 3}, {size: 2}]);
});

test('the topic of a direct message is ignored', async () => {
  const {server, asMeg, otto} = await messagesFixture();
  const {id} = await asMeg.post('/messages', {type: 'direct', to: [otto.id], topic: 'x', content: 'Hi'});
  expect(server.world.db.value('SELECT topic FROM message WHERE id = ?', id)).toBe('');
});

test('naming only oneself writes a note to oneself', async () => {
  const {server, asMeg, meg} = await messagesFixture();
  await sendDirect(asMeg, [meg.id]);
  expect(server.world.db.all('SELECT key FROM dm')).toEqual([{key: String(meg.id)}]);
});

test('unknown, deactivated and missing recipients are refused', async () => {
  const {server, asMeg} = await messagesFixture();
  const gone = server.people.add('Gone Gary', {active: false});
  for (const to of [
    ['nobody@example.com'],
    'nobody@example.com',
    [99_999],
    99_999,
    [gone.id],
    [],
    '',
    '[]',
  ]) {
    await asMeg.refused('POST', '/messages', {type: 'direct', to, content: 'Hi'}, refusal);
  }
  expect(server.world.db.value('SELECT COUNT(*) FROM message')).toBe(0);
});

test('a hidden address cannot be written to, so nobody learns whose it is', async () => {
  const {server, asMeg} = await messagesFixture();
  const shy = server.people.add('Shy Shirley', {settings: {email_address_visibility: 4}});
  await asMeg.refused('POST', '/messages', {type: 'direct', to: [shy.email], content: 'Hi'}, refusal);
  await sendDirect(asMeg, [shy.id]);
});

test('direct messages can be turned off, except with bots', async () => {
  const {server, asMeg, meg, otto} = await messagesFixture();
  const bot = server.people.bot('Robbie', otto);
  server.people.setting('direct_message_permission_group', SystemGroup.nobody);
  await asMeg.refused('POST', '/messages', {type: 'direct', to: [otto.id], content: 'Hi'}, refusal);
  await sendDirect(asMeg, [bot.id]);
  await sendDirect(server.as(bot), [otto.id]);
  await sendDirect(asMeg, [meg.id]);
});

test('one person who may authorize a conversation is enough', async () => {
  const {server, asMeg, otto} = await messagesFixture();
  const mo = server.people.moderator();
  server.people.setting('direct_message_permission_group', SystemGroup.moderators);
  await asMeg.refused('POST', '/messages', {type: 'direct', to: [otto.id], content: 'Hi'}, refusal);
  await sendDirect(asMeg, [otto.id, mo.id]);
});

test('starting a conversation can need a permission that answering does not', async () => {
  const {server, asMeg, meg} = await messagesFixture();
  const mo = server.people.moderator();
  server.people.setting('direct_message_initiator_group', SystemGroup.moderators);
  await asMeg.refused('POST', '/messages', {type: 'direct', to: [mo.id], content: 'Hi'}, refusal);
  await sendDirect(server.as(mo), [meg.id]);
  await sendDirect(asMeg, [mo.id]);
});

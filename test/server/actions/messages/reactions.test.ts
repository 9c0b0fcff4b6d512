import {expect, test} from 'vitest';
import {eventsOf, messagesFixture, sendDirect, sendToChannel} from './messages-fixture.ts';

const octopus = {emoji_name: 'octopus', emoji_code: '1f419', reaction_type: 'unicode_emoji'};

test('reactions: adding and removing a reaction is sent to all readers of the message', async () => {
  const {asMeg, asOtto, asNina, otto, general} = await messagesFixture();
  const id = await sendToChannel(asMeg, general);
  const megs = await asMeg.listen();
  const ninas = await asNina.listen();
  await asOtto.post(`/messages/${id}/reactions`, {emoji_name: 'octopus'});
  await asOtto.delete(`/messages/${id}/reactions`, {emoji_code: '1f419', reaction_type: 'unicode_emoji'});
  const common = {type: 'reaction', message_id: id, user_id: otto.id, ...octopus};
  expect(await eventsOf(megs, 'reaction')).toEqual([
    {id: expect.any(Number), op: 'add', ...common},
    {id: expect.any(Number), op: 'remove', ...common},
  ]);
  expect(await ninas.events()).toEqual([]);
});

test('reactions: a duplicate reaction and a missing one have their own error codes', async () => {
  const {asMeg, general} = await messagesFixture();
  const id = await sendToChannel(asMeg, general);
  const path = `/messages/${id}/reactions`;
  await asMeg.refused('DELETE', path, octopus, {code: 'REACTION_DOES_NOT_EXIST'});
  await asMeg.post(path, octopus);
  await asMeg.refused('POST', path, {emoji_name: 'octopus'}, {code: 'REACTION_ALREADY_EXISTS'});
  await asMeg.delete(path, {emoji_name: 'octopus'});
  await asMeg.refused('DELETE', path, {emoji_name: 'octopus'}, {code: 'REACTION_DOES_NOT_EXIST'});
});

test('reactions: an unknown emoji is refused', async () => {
  const {asMeg, general} = await messagesFixture();
  const path = `/messages/${await sendToChannel(asMeg, general)}/reactions`;
  const bad = [
    {emoji_name: 'no_such_emoji'},
    {emoji_name: 'no_such_emoji', emoji_code: '1f419'},
    {emoji_name: 'octopus', emoji_code: 'beef', reaction_type: 'unicode_emoji'},
    {emoji_name: 'smile', emoji_code: '1f419', reaction_type: 'unicode_emoji'},
    {emoji_name: 'octopus', emoji_code: '99', reaction_type: 'realm_emoji'},
    {emoji_name: 'octopus', emoji_code: '1f419', reaction_type: 'wrong'},
    {emoji_name: 'zulip', emoji_code: 'other', reaction_type: 'extra_emoji'},
  ];
  for (const request of bad) {
    await asMeg.refused('POST', path, request, {code: 'BAD_REQUEST'});
  }
  for (const request of bad.slice(1)) await asMeg.refused('DELETE', path, request, {code: 'REACTION_DOES_NOT_EXIST'});
  await asMeg.refused('DELETE', path, {}, {code: 'BAD_REQUEST'});
  await asMeg.refused('POST', path, {emoji_code: '1f419'}, {code: 'REQUEST_VARIABLE_MISSING'});
});

test('reactions: the extra emoji accepts both names of its type', async () => {
  const {asMeg, asOtto, general} = await messagesFixture();
  const path = `/messages/${await sendToChannel(asMeg, general)}/reactions`;
  const megs = await asMeg.listen();
  await asMeg.post(path, {emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji'});
  await asMeg.delete(path, {emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'extra_emoji'});
  await asOtto.post(path, {emoji_name: 'zulip'});
  const types = (await eventsOf(megs, 'reaction')).map((event) => event.reaction_type);
  expect(types).toEqual(['extra_emoji', 'extra_emoji', 'extra_emoji']);
});

test('reactions: a deactivated custom emoji can be added to existing reactions and removed, but not newly used', async () => {
  const {server, asMeg, asOtto, general} = await messagesFixture();
  const code = String(server.context.db.insert(`INSERT INTO realm_emoji (name, file) VALUES ('party', 'party.png')`));
  const path = `/messages/${await sendToChannel(asMeg, general)}/reactions`;
  const other = `/messages/${await sendToChannel(asMeg, general)}/reactions`;
  await asMeg.post(path, {emoji_name: 'party'});
  server.context.db.run('UPDATE realm_emoji SET deactivated = 1');
  const party = {emoji_name: 'party', emoji_code: code, reaction_type: 'realm_emoji'};
  await asMeg.refused('POST', other, party, {code: 'BAD_REQUEST'});
  await asOtto.post(path, party);
  await asMeg.delete(path, party);
  // A built-in emoji that it had replaced is there again.
  server.context.db.run(`UPDATE realm_emoji SET name = 'tada'`);
  await asMeg.post(other, {emoji_name: 'tada'});
  const {message} = await asMeg.get(other.replace('/reactions', ''));
  expect(message.reactions).toMatchObject([{emoji_name: 'tada', reaction_type: 'unicode_emoji'}]);
});

test('reactions: all reactions with one emoji have the name of the first one', async () => {
  const {asMeg, asOtto, general} = await messagesFixture();
  const path = `/messages/${await sendToChannel(asMeg, general)}/reactions`;
  const megs = await asMeg.listen();
  await asMeg.post(path, {emoji_name: '+1'});
  await asOtto.post(path, {emoji_name: 'thumbs_up', emoji_code: '1f44d', reaction_type: 'unicode_emoji'});
  expect((await eventsOf(megs, 'reaction')).map((event) => event.emoji_name)).toEqual(['+1', '+1']);
});

test('reactions: reacting to an unreadable message is refused', async () => {
  const {server, asMeg, asNina, meg, otto} = await messagesFixture();
  const secret = server.people.channel('secret', [meg], {invite_only: 1});
  for (const id of [await sendToChannel(asMeg, secret), await sendDirect(asMeg, [otto.id]), 99_999]) {
    await asNina.refused('POST', `/messages/${id}/reactions`, octopus, {code: 'BAD_REQUEST'});
  }
});

test('reactions: with protected history only recipients get the event', async () => {
  const {server, asMeg, meg, otto} = await messagesFixture();
  const vault = server.people.channel('vault', [meg], {invite_only: 1, history_public_to_subscribers: 0});
  const id = await sendToChannel(asMeg, vault);
  server.people.subscribe(otto, vault);
  const ottos = await server.as(otto).listen();
  await asMeg.post(`/messages/${id}/reactions`, octopus);
  expect(await eventsOf(ottos, 'reaction')).toEqual([]);
});

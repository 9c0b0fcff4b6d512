import {expect, test} from 'vitest';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import {messagesFixture, sendDirect} from './messages-fixture.ts';

const refusal = {code: 'BAD_REQUEST'};

test('send direct: recipients can be ids, addresses, lists of either or comma-separated addresses', async () => {
  const {server, asMeg, meg, otto, nina} = await messagesFixture();
  const dummy = `user${otto.id}@127.0.0.1`;
  const forms = [
    [otto.id, nina.id],
    [otto.email, nina.email],
    [dummy, nina.email.toUpperCase()],
    `${otto.email},${nina.email}`,
    `${otto.email}, ${nina.email}`,
  ];
  for (const to of forms) await asMeg.post('/messages', {type: 'private', to, content: 'Hi'});
  const one = await asMeg.post('/messages', {type: 'direct', to: otto.email, content: 'Hi'});
  expect(one.message_url).toBe(`${server.url}/#narrow/dm/${meg.id},${otto.id}/near/${one.id}`);
  const two = await asMeg.post('/messages', {type: 'direct', to: [nina.id, otto.id], content: 'Hi'});
  expect(two.message_url).toBe(`${server.url}/#narrow/dm/${meg.id},${otto.id},${nina.id}-group/near/${two.id}`);
  expect(server.context.db.all('SELECT size FROM dm ORDER BY id')).toEqual([{size: 3}, {size: 2}]);
});

test('send direct: JSON that is neither a list nor a text is refused', async () => {
  const {asMeg, otto} = await messagesFixture();
  for (const to of [otto.id, 1.5, {}, true, 'null', [null], [1e21]]) {
    const {body} = await asMeg.raw('POST', '/messages', {type: 'direct', to, content: 'Hi'});
    expect(body.msg, JSON.stringify(to)).toBe('Invalid data type for recipients');
  }
});

test('send direct: the topic of a direct message is ignored', async () => {
  const {server, asMeg, otto} = await messagesFixture();
  const {id} = await asMeg.post('/messages', {type: 'direct', to: [otto.id], topic: 'x', content: 'Hi'});
  expect(server.context.db.value('SELECT topic FROM message WHERE id = ?', id)).toBe('');
});

test('send direct: a message to only oneself is a note to self', async () => {
  const {server, asMeg, meg} = await messagesFixture();
  await sendDirect(asMeg, [meg.id]);
  expect(server.context.db.all('SELECT key FROM dm')).toEqual([{key: String(meg.id)}]);
});

test('send direct: unknown, deactivated and missing recipients are refused', async () => {
  const {server, asMeg} = await messagesFixture();
  const deactivated = server.people.add('Gone Gary', {active: false});
  for (const to of [['nobody@example.com'], 'nobody@example.com', [99_999], 99_999, [deactivated.id], [], '', '[]']) {
    await asMeg.refused('POST', '/messages', {type: 'direct', to, content: 'Hi'}, refusal);
  }
  expect(server.context.db.value('SELECT COUNT(*) FROM message')).toBe(0);
});

test('send direct: a hidden address is refused like an unknown one', async () => {
  const {server, asMeg} = await messagesFixture();
  const shy = server.people.add('Shy Shirley', {settings: {email_address_visibility: 4}});
  await asMeg.refused('POST', '/messages', {type: 'direct', to: [shy.email], content: 'Hi'}, refusal);
  await sendDirect(asMeg, [shy.id]);
});

test('send direct: disabling direct messages does not affect bots', async () => {
  const {server, asMeg, meg, otto} = await messagesFixture();
  const bot = server.people.bot('Robbie', otto);
  server.people.setting('direct_message_permission_group', SystemGroup.nobody);
  await asMeg.refused('POST', '/messages', {type: 'direct', to: [otto.id], content: 'Hi'}, refusal);
  await sendDirect(asMeg, [bot.id]);
  await sendDirect(server.as(bot), [otto.id]);
  await sendDirect(asMeg, [meg.id]);
});

test('send direct: one participant with the permission is enough', async () => {
  const {server, asMeg, otto} = await messagesFixture();
  const mo = server.people.moderator();
  server.people.setting('direct_message_permission_group', SystemGroup.moderators);
  await asMeg.refused('POST', '/messages', {type: 'direct', to: [otto.id], content: 'Hi'}, refusal);
  await sendDirect(asMeg, [otto.id, mo.id]);
});

test('send direct: a bot in the conversation does not permit it to people', async () => {
  const {server, asMeg, meg, otto} = await messagesFixture();
  const bot = server.people.bot('Robo', meg);
  server.people.setting('direct_message_permission_group', {direct_members: [bot.id], direct_subgroups: []});
  server.context.derivedFacts.invalidateAll();
  await asMeg.refused('POST', '/messages', {type: 'direct', to: [otto.id, bot.id], content: 'Hi'}, refusal);
  await sendDirect(asMeg, [bot.id]);
});

test('send direct: starting a conversation can need a permission that replying does not', async () => {
  const {server, asMeg, meg} = await messagesFixture();
  const mo = server.people.moderator();
  server.people.setting('direct_message_initiator_group', SystemGroup.moderators);
  await asMeg.refused('POST', '/messages', {type: 'direct', to: [mo.id], content: 'Hi'}, refusal);
  await sendDirect(server.as(mo), [meg.id]);
  await sendDirect(asMeg, [mo.id]);
});

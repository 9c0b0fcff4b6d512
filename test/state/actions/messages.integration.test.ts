import {expect, test} from 'vitest';
import {
  deleteMessage,
  editMessage,
  moveMessages,
  sendSubmessage,
  updateTopicResolved,
} from '#state/actions/messages.ts';
import {apiWithLookUps} from '#state/lost-responses/api-with-look-ups.ts';
import {MessageFixtureWriter} from '#test/server/message-fixtures.ts';
import {fewOf} from '#test/support/tier.ts';
import {PermanentFailure} from '#wire/failure.ts';
import {type ActionsFixture, actionsFixture, expectInSync, loadMessages} from './actions-fixture.ts';

async function ownMessage(fixture: ActionsFixture, content = 'draft one'): Promise<number> {
  const args = {type: 'stream', to: fixture.channelId, topic: 'talk', content};
  const {id} = await fixture.otherClient().post('/messages', args);
  await fixture.client.pollEvents();
  return id;
}

const contentOf = async (fixture: ActionsFixture, id: number) =>
  (await fixture.server.as(fixture.otto).get(`/messages/${id}`, {apply_markdown: false})).message.content;

test('edit: reaches all clients, and returns the files that are no longer linked', async () => {
  const fixture = await actionsFixture();
  const {client} = fixture;
  const id = await ownMessage(fixture);
  const edit = {before: 'draft one', after: 'draft two'};
  expect(await editMessage(client.context, id, edit)).toEqual({kind: 'edited', detached: []});
  expect(await contentOf(fixture, id)).toBe('draft two');
  await client.pollEvents();
  expect(client.state.messages.byId.get(id)).toMatchObject({content: 'draft two'});
  await expectInSync(fixture);
});

test.each(fewOf([509, 371, 277, 122]))(
  'edit: a message changed by another user is not overwritten (level %i)',
  async (level) => {
    const fixture = await actionsFixture({level});
    const id = await ownMessage(fixture);
    await fixture.otherClient().patch(`/messages/${id}`, {content: 'changed on the phone'});
    const edit = {before: 'draft one', after: 'my long text'};
    const outcome = await editMessage(fixture.client.context, id, edit);
    expect(outcome).toMatchObject({kind: 'conflict', theirs: 'changed on the phone'});
    expect(outcome.kind === 'conflict' && outcome.problem).toMatch(/edited this message.*your text is kept\.$/);
    expect(await contentOf(fixture, id)).toBe('changed on the phone');
    const again = {before: 'changed on the phone', after: 'my long text'};
    expect(await editMessage(fixture.client.context, id, again)).toMatchObject({kind: 'edited'});
    expect(await contentOf(fixture, id)).toBe('my long text');
  },
);

test('edit: an edit can be reversed with the text as it was written, which servers store without spaces at its end', async () => {
  const fixture = await actionsFixture();
  const id = await ownMessage(fixture);
  const written = '\n  draft two \n';
  const {context} = fixture.client;
  expect(await editMessage(context, id, {before: 'draft one', after: written})).toMatchObject({kind: 'edited'});
  expect(await editMessage(context, id, {before: written, after: 'draft one'})).toMatchObject({kind: 'edited'});
});

test('edit: a conflict whose content cannot be fetched is still a conflict', async () => {
  const fixture = await actionsFixture();
  const id = await ownMessage(fixture);
  await fixture.otherClient().patch(`/messages/${id}`, {content: 'changed on the phone'});
  await fixture.hook('fault', {method: 'GET', path: `/messages/${id}`, kind: 'html'});
  const outcome = await editMessage(fixture.client.context, id, {before: 'draft one', after: 'mine'});
  expect(outcome).toMatchObject({kind: 'conflict', theirs: undefined});
});

/** The context of a session, which looks after a lost response. */
function withLookUps({client: {context}}: ActionsFixture) {
  return {...context, api: apiWithLookUps(context)};
}

test.each(['drop_after', 'truncate'])('edit: an edit with a lost response is recognized as done (%s)', async (kind) => {
  const fixture = await actionsFixture();
  const id = await ownMessage(fixture);
  await fixture.hook('fault', {method: 'PATCH', path: `/messages/${id}`, kind});
  const outcome = await editMessage(withLookUps(fixture), id, {before: 'draft one', after: 'draft two  \n'});
  expect(outcome).toEqual({kind: 'edited', detached: []});
  expect(await contentOf(fixture, id)).toBe('draft two');
});

test('edit: an undelivered edit fails and can be retried', async () => {
  const fixture = await actionsFixture();
  const id = await ownMessage(fixture);
  await fixture.hook('fault', {method: 'PATCH', path: `/messages/${id}`, kind: 'html'});
  const edit = {before: 'draft one', after: 'draft two'};
  await expect(editMessage(fixture.client.context, id, edit)).rejects.toMatchObject({kind: 'retry'});
  expect(await editMessage(fixture.client.context, id, edit)).toMatchObject({kind: 'edited'});
});

test('edit: a refused edit says why', async () => {
  const fixture = await actionsFixture();
  const edit = {before: 'hello', after: 'goodbye'};
  await expect(editMessage(fixture.client.context, fixture.messageId, edit)).rejects.toThrow(/permission.*\.$/);
  expect(await contentOf(fixture, fixture.messageId)).toBe('hello');
});

test('edit: a forbidden wildcard mention is refused with a sentence', async () => {
  const fixture = await actionsFixture();
  const {server, client} = fixture;
  for (let n = 0; n < 16; n++) server.people.subscribe(server.people.member(`Member ${n}`), fixture.channelId);
  const id = await ownMessage(fixture);
  server.people.setting('can_mention_many_users_group', 8);
  const edit = {before: 'draft one', after: '@**all** look'};
  const failure = await editMessage(client.context, id, edit).catch((error: unknown) => error);
  if (failure instanceof PermanentFailure) {
    expect(failure.code).toBe('STREAM_WILDCARD_MENTION_NOT_ALLOWED');
    expect(failure.message).toMatch(/wildcard mentions.*\.$/);
  } else {
    expect.fail(`not refused: ${JSON.stringify(failure)}`);
  }
});

test.each(fewOf([509, 122]))('delete: a message is deleted for all users (level %i)', async (level) => {
  const fixture = await actionsFixture({level, role: 'admin'});
  await deleteMessage(fixture.client.context, fixture.messageId);
  await fixture.client.pollEvents();
  expect(fixture.client.state.messages.byId.has(fixture.messageId)).toBe(false);
  await expectInSync(fixture);
});

test.each(['drop_after', 'truncate', 'html'])(
  'delete: a deletion with a lost response happens once (%s)',
  async (kind) => {
    const fixture = await actionsFixture({role: 'admin'});
    await fixture.hook('fault', {method: 'DELETE', path: `/messages/${fixture.messageId}`, kind});
    await deleteMessage(withLookUps(fixture), fixture.messageId);
    await fixture.server.as(fixture.otto).refused('GET', `/messages/${fixture.messageId}`, {}, {code: 'BAD_REQUEST'});
  },
);

test('delete: a forbidden deletion is refused at once', async () => {
  const fixture = await actionsFixture();
  await expect(deleteMessage(fixture.client.context, fixture.messageId)).rejects.toMatchObject({
    kind: 'permanent',
  });
});

test.each(fewOf([509, 371, 122]))(
  'move: a topic moves to another channel with its unread messages (level %i)',
  async (level) => {
    const fixture = await actionsFixture({level, role: 'admin'});
    const {client, server, messageId, otto, meg} = fixture;
    const elsewhere = server.people.channel('elsewhere', [meg, otto]);
    await client.register();
    const move = {messageId, channelId: elsewhere, topic: 'moved', mode: 'change_all'} as const;
    expect(await moveMessages(client.context, {...move, notifyNewTopic: false})).toEqual({kind: 'moved'});
    await client.pollEvents();
    expect(client.state.unreads.byId.get(messageId)).toBe(`c${elsewhere}:moved`);
    await expectInSync(fixture);
  },
);

test('move: for messages too old to move, moving the newer ones is offered and works', async () => {
  const fixture = await actionsFixture();
  const {client, server, otto, channelId} = fixture;
  const mail = new MessageFixtureWriter(server.context);
  const old = mail.toChannel(otto, channelId, 'history', {sentAt: 1_600_000_000});
  const [first, second] = [mail.toChannel(otto, channelId, 'history'), mail.toChannel(otto, channelId, 'history')];
  await client.register();
  const outcome = await moveMessages(client.context, {messageId: second, topic: 'news', mode: 'change_all'});
  expect(outcome).toMatchObject({kind: 'partOnly', firstMovableId: first, movable: 2, total: 3});
  if (outcome.kind !== 'partOnly') return;
  expect(outcome.problem).toMatch(/recent messages.*\.$/);
  expect(await moveMessages(client.context, outcome.partialMove)).toEqual({kind: 'moved'});
  await loadMessages(client);
  const topicOf = (id: number) => {
    const message = client.state.messages.byId.get(id);
    return message?.kind === 'channel' ? message.topic : undefined;
  };
  expect([old, first, second].map(topicOf)).toEqual(['history', 'news', 'news']);
});

test.each(fewOf([509, 122]))('resolve: a topic is resolved and unresolved (level %i)', async (level) => {
  const fixture = await actionsFixture({level});
  const {client, messageId, channelId} = fixture;
  const topics = () => [...client.state.unreads.conversations.keys()];
  const resolve = (topic: string, isResolved: boolean) =>
    updateTopicResolved(client.context, {messageId, topic, isResolved});
  expect(await resolve('talk', true)).toEqual({kind: 'moved'});
  await client.pollEvents();
  expect(topics()).toContain(`c${channelId}:✔ talk`);
  expect(await resolve('✔ talk', true)).toEqual({kind: 'moved'});
  expect(await resolve('✔ talk', false)).toEqual({kind: 'moved'});
  await client.pollEvents();
  expect(topics()).toContain(`c${channelId}:talk`);
  await expectInSync(fixture);
});

test('submessage: a vote counts', async () => {
  const fixture = await actionsFixture();
  const id = await fixture.postMessage('/poll tea?\nyes\nno');
  await fixture.client.pollEvents();
  await sendSubmessage(fixture.client.context, id, {type: 'vote', key: 'canned,0', vote: 1});
  await fixture.client.pollEvents();
  expect(fixture.client.state.messages.byId.get(id)?.submessages).toHaveLength(2);
});

test('report: a message is reported where reports are enabled', async () => {
  const fixture = await actionsFixture();
  const moderation = fixture.server.people.channel('moderation', [fixture.ada], {invite_only: 1});
  fixture.server.people.setting('moderation_request_channel_id', moderation);
  const report = {message_id: fixture.messageId, report_type: 'spam', description: 'again'};
  await fixture.client.context.api.reportMessage(report);
  const {messages} = await fixture.server
    .as(fixture.ada)
    .get('/messages', {anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false});
  expect(messages[0].content).toContain('again');
});

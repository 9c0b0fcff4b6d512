import {expect, test} from 'vitest';
import {resubscribe, subscribe, unsubscribe} from '#state/actions/channels.ts';
import {
  deleteMessage,
  editMessage,
  moveMessages,
  sendSubmessage,
  updateTopicResolved,
  uploadFile,
} from '#state/actions/messages.ts';
import {directConversation, topicConversation} from '#state/model/conversation.ts';
import {channelNarrow, narrowKey, topicNarrow} from '#state/model/narrow.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import type {Session} from '#state/session.ts';
import type {AccountState} from '#state/state.ts';
import {hasMessage, waitForState} from '#test/state/session-fixture.ts';
import {markNarrowRead} from '#test/support/mark-narrow-read.ts';
import {narrowFromWire} from '#test/support/state-builders.ts';
import {storyFixture} from './story-fixture.ts';

/** Returns the id of the loaded message with this content once it is confirmed and known. */
async function idOf(session: Session, content: string): Promise<number> {
  const find = ({messages}: AccountState) => [...messages.byId.values()].find((message) => message.content === content);
  const state = await waitForState(session, (current) => find(current) !== undefined && current.outbox.length === 0);
  return find(state)?.id ?? 0;
}

function idsIn(state: AccountState, narrow: Parameters<typeof narrowKey>[0]): readonly number[] {
  return state.timelines.get(narrowKey(narrow))?.ids.toArray() ?? [];
}

test('two users chat in a topic and directly; each message arrives once and is unread for the other', async () => {
  const {owner, meg, general, session, expectInSync} = await storyFixture();
  const [olive, megs] = [await session(owner), await session(meg)];
  const topic = topicNarrow(general, 'talk');
  await olive.timelines.open(topic, 'newest');
  await megs.timelines.open(topic, 'newest');
  olive.outbox.send({conversation: topicConversation(general, 'talk'), content: 'high tide at nine'});
  const first = await idOf(megs, 'high tide at nine');
  expect(megs.cache.state.unreads.byId.has(first)).toBe(true);
  megs.outbox.send({conversation: topicConversation(general, 'talk'), content: '    indented, kept as typed'});
  const second = await idOf(olive, '    indented, kept as typed');
  olive.outbox.send({conversation: directConversation([meg.id, owner.id], owner.id), content: 'a word in private'});
  const direct = await idOf(megs, 'a word in private');
  expect(megs.cache.state.unreads.byId.has(direct)).toBe(true);
  expect(idsIn(megs.cache.state, topic)).toEqual([first, second]);
  await waitForState(olive, (state) => idsIn(state, topic).length === 2);
  await expectInSync(megs, meg);
  await expectInSync(olive, owner);
  await deleteMessage(olive.context, direct).catch(() => {});
});

test('a conversation marked read is read on the server, and unread again after undo', async () => {
  const {owner, meg, general, send, session, server, expectInSync} = await storyFixture();
  const megs = await session(meg);
  const ids = [await send(owner, 'one'), await send(owner, 'two')];
  await waitForState(megs, (state) => ids.every((id) => state.unreads.byId.has(id)));
  const flagsOnServer = async () => {
    const {messages} = await server.as(meg).get('/messages', {
      anchor: ids[0],
      num_before: 0,
      num_after: 1,
      narrow: [{operator: 'channel', operand: general}],
    });
    return messages.map(({flags}: {flags: string[]}) => flags.includes('read'));
  };
  const change = markNarrowRead(megs, topicNarrow(general, 'talk'));
  expect(megs.cache.state.unreads.byId.has(ids[0] ?? 0)).toBe(false);
  await expect.poll(flagsOnServer).toEqual([true, true]);
  change?.undo();
  await expect.poll(flagsOnServer).toEqual([false, false]);
  await expectInSync(megs, meg);
});

test('an edit, a reaction, a star and a deletion reach the other user', async () => {
  const {owner, meg, general, session, expectInSync} = await storyFixture();
  const [olive, megs] = [await session(owner), await session(meg)];
  olive.outbox.send({conversation: topicConversation(general, 'talk'), content: 'the chart is reday'});
  const id = await idOf(megs, 'the chart is reday');
  await editMessage(olive.context, id, {before: 'the chart is reday', after: 'the chart is ready'});
  await waitForState(megs, ({messages}) => messages.byId.get(id)?.content === 'the chart is ready');
  megs.pendingChanges.perform({
    kind: 'reaction',
    op: 'add',
    messageId: id,
    emojiName: 'tada',
    emojiCode: '1f389',
    reactionType: 'unicode_emoji',
  });
  await waitForState(olive, ({messages}) => messages.byId.get(id)?.reactions.length === 1);
  megs.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'starred', ids: [id]});
  await expectInSync(megs, meg);
  await deleteMessage(olive.context, id);
  await waitForState(megs, (state) => !hasMessage(id)(state));
  await expectInSync(megs, meg);
});

test('a topic is renamed, resolved and moved; both users see it in one place', async () => {
  const {owner, meg, general, send, session, expectInSync} = await storyFixture();
  const [olive, megs] = [await session(owner), await session(meg)];
  const id = await send(owner, 'where does this belong?');
  await waitForState(megs, hasMessage(id));
  await waitForState(olive, hasMessage(id));
  const topicIs = (topic: string) => (state: AccountState) => {
    const message = state.messages.byId.get(id);
    return message?.kind === 'channel' && message.topic === topic;
  };
  await moveMessages(olive.context, {messageId: id, topic: 'harbour', mode: 'change_all', notifyNewTopic: false});
  await waitForState(megs, topicIs('harbour'));
  await updateTopicResolved(olive.context, {messageId: id, topic: 'harbour', isResolved: true});
  await waitForState(megs, topicIs('✔ harbour'));
  await megs.timelines.open(topicNarrow(general, '✔ harbour'), 'newest');
  expect(idsIn(megs.cache.state, topicNarrow(general, '✔ harbour'))).toContain(id);
  await expectInSync(megs, meg);
});

test('a message sent to a channel without a subscription stays on the screen and is sent once', async () => {
  const {owner, meg, general, server, send, session} = await storyFixture();
  await send(owner, 'before');
  const megs = await session(meg);
  await unsubscribe(megs.context, [general]);
  await waitForState(megs, (state) => !isSubscribed(state, general));
  const topic = topicNarrow(general, 'talk');
  await megs.timelines.open(topic, 'newest');
  megs.outbox.send({conversation: topicConversation(general, 'talk'), content: 'from outside'});
  const id = await idOf(megs, 'from outside');
  await waitForState(megs, (state) => idsIn(state, topic).includes(id));
  const params = {anchor: 'newest', num_before: 10, num_after: 0, narrow: [{operator: 'channel', operand: general}]};
  const {messages} = await server.as(owner).get('/messages', params);
  expect(messages.filter((message: {sender_id: number}) => message.sender_id === meg.id)).toHaveLength(1);
});

test('after unsubscribing and subscribing again a channel shows what was sent meanwhile', async () => {
  const {owner, meg, general, send, session, expectInSync} = await storyFixture();
  const megs = await session(meg);
  const before = await send(owner, 'before');
  await megs.timelines.open(channelNarrow(general), 'newest');
  const left = await unsubscribe(megs.context, [general]);
  await waitForState(megs, (state) => !isSubscribed(state, general));
  const missed = await send(owner, 'missed');
  await resubscribe(megs.context, left);
  await waitForState(megs, (state) => isSubscribed(state, general));
  await megs.timelines.open(channelNarrow(general), 'newest');
  const after = await send(owner, 'after');
  await waitForState(megs, (state) => {
    const ids = idsIn(state, channelNarrow(general));
    return [before, missed, after].every((id) => ids.includes(id));
  });
  await expectInSync(megs, meg);
});

test('a lost event queue costs no message', async () => {
  const {owner, meg, general, server, send, session, expectInSync} = await storyFixture();
  const megs = await session(meg);
  await megs.timelines.open(channelNarrow(general), 'newest');
  const first = await send(owner, 'first');
  await waitForState(megs, hasMessage(first));
  const queue = megs.context.queueId();
  await server.as(meg).delete('/events', {queue_id: queue});
  const missed = await send(owner, 'missed');
  await waitForState(megs, (state) => megs.context.queueId() !== queue && hasMessage(missed)(state));
  await waitForState(megs, (state) => idsIn(state, channelNarrow(general)).includes(missed));
  await expectInSync(megs, meg);
});

test('a draft written on one machine appears on the other and is gone after sending', async () => {
  const {owner, meg, general, server, session} = await storyFixture();
  const [here, there] = [await session(meg), await session(meg)];
  const conversation = topicConversation(general, 'talk');
  const draft = here.drafts.edit(undefined, {target: conversation, content: '    half a thought'});
  const draftsOnServer = async () =>
    (await server.as(meg).get('/drafts')).drafts.filter(({to}: {to: number[]}) => to.includes(general));
  await here.drafts.flush();
  await expect.poll(async () => (await draftsOnServer()).length).toBe(1);
  await expect.poll(() => there.drafts.forConversation(conversation).length).toBe(1);
  expect(here.drafts.get(draft?.id ?? '')?.content).toBe('    half a thought');
  here.outbox.send({conversation, content: '    half a thought, finished', draftId: draft?.id});
  const megsId = await idOf(here, '    half a thought, finished');
  await expect.poll(draftsOnServer).toEqual([]);
  await expect.poll(() => there.drafts.forConversation(conversation).length).toBe(0);
  const {message} = await server.as(owner).get(`/messages/${megsId}`, {apply_markdown: false});
  expect(message.content).toBe('    half a thought, finished');
});

test('a search finds a message by its words and its sender', async () => {
  const {owner, meg, general, send, session} = await storyFixture();
  const id = await send(owner, 'the lighthouse keeper signed the register');
  const megs = await session(meg);
  const narrow = narrowFromWire([
    {operator: 'channel', operand: general},
    {operator: 'search', operand: 'lighthouse'},
    {operator: 'sender', operand: owner.id},
  ]);
  const found = await megs.timelines.open(narrow, 'newest');
  await waitForState(megs, (state) => idsIn(state, found).includes(id));
});

test('a file is uploaded, linked in a message and downloaded by the other user', async () => {
  const {owner, meg, general, server, session} = await storyFixture();
  const megs = await session(meg);
  const bytes = new TextEncoder().encode('a small note');
  const file = {name: 'note.txt', type: 'text/plain', size: bytes.length, data: new Blob([bytes])};
  const {markdown, url} = await uploadFile(megs.context, {file});
  megs.outbox.send({conversation: topicConversation(general, 'talk'), content: `see ${markdown}`});
  await idOf(megs, `see ${markdown}`);
  const {url: temporary} = await server.as(owner).get(url.replace(/^.*\/user_uploads\//, '/user_uploads/'));
  const response = await fetch(new URL(temporary, server.url));
  expect(await response.text()).toBe('a small note');
});

test('a vote in a poll reaches its author', async () => {
  const {owner, meg, general, session} = await storyFixture();
  const [olive, megs] = [await session(owner), await session(meg)];
  olive.outbox.send({conversation: topicConversation(general, 'talk'), content: '/poll Tea?\nyes\nno'});
  const id = await idOf(megs, '/poll Tea?\nyes\nno');
  await sendSubmessage(megs.context, id, {type: 'vote', key: 'canned,0', vote: 1});
  await waitForState(olive, ({messages}) =>
    (messages.byId.get(id)?.submessages ?? []).some(({senderId}) => senderId === meg.id),
  );
});

test('a new channel with both users is live for both at once', async () => {
  const {owner, meg, nameOf, server, session, expectInSync} = await storyFixture();
  const [olive, megs] = [await session(owner), await session(meg)];
  const subscriptions = [{name: nameOf('pier')}];
  await server.as(owner).post('/users/me/subscriptions', {subscriptions, principals: [owner.id]});
  const state = await waitForState(olive, ({channels}) =>
    [...channels.values()].some(({name}) => name === nameOf('pier')),
  );
  const pier = [...state.channels.values()].find(({name}) => name === nameOf('pier'))?.id ?? 0;
  await waitForState(megs, ({channels}) => channels.has(pier));
  await subscribe(megs.context, [pier]);
  await waitForState(megs, (state) => isSubscribed(state, pier));
  olive.outbox.send({conversation: topicConversation(pier, 'opening'), content: 'welcome'});
  await idOf(megs, 'welcome');
  await expectInSync(megs, meg);
  await expectInSync(olive, owner);
});

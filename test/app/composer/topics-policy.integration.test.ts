import {expect, test} from 'vitest';
import {openConversation} from '#app/navigation/navigation.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {channelNarrow} from '#state/model/narrow.ts';
import {untilApp} from '#test/app/message-actions/message-fixture.ts';
import {emptyTimelineText} from '#ui/message-pane/lines/edge-lines.ts';
import {composeFixture} from './compose-fixture.ts';

type Fixture = Awaited<ReturnType<typeof composeFixture>>;

/** Changes the channel's policy on the server while Meg's client runs. */
async function setPolicy({fixture, until}: Fixture, policy: string): Promise<void> {
  const owner = fixture.server.people.owner('Olga');
  await fixture.server.as(owner).patch(`/streams/${fixture.channelId}`, {topics_policy: policy});
  await until(({channels}) => channels.get(fixture.channelId)?.topicsPolicy === policy);
}

/** Moves the only message to the empty topic: a channel with other topics cannot lose them. */
async function moveToGeneralChat({fixture, until, app}: Fixture): Promise<void> {
  const [id] = app.state.messages.byId.keys();
  await fixture.server.as(fixture.otto).patch(`/messages/${id}`, {topic: '', propagate_mode: 'change_all'});
  await until(({messages}) => [...messages.byId.values()].every((one) => one.kind === 'channel' && one.topic === ''));
}

/** Waits for the message of Meg with this text and returns its topic. */
async function sentTopic({until}: Fixture, content: string): Promise<string | undefined> {
  const {messages} = await until(({messages: {byId}}) => [...byId.values()].some((one) => one.content === content));
  const sent = [...messages.byId.values()].find((one) => one.content === content);
  return sent?.kind === 'channel' ? sent.topic : undefined;
}

test('topics policy: an empty topic field is the general chat, and its draft keeps the channel', async () => {
  const compose = await composeFixture();
  const {press, type, rows, session, fixture} = compose;
  press('c', 'Tab');
  expect(rows()[0]).toMatch(/^to #general › general chat {2}not here/);
  type('for everyone');
  press('Esc');
  expect(session.drafts.all()).toMatchObject([{target: {kind: 'topic', channelId: fixture.channelId, topic: ''}}]);
  press('c', 'Ctrl-E', 'Tab');
  type('to all');
  press('Ctrl-D');
  expect(await sentTopic(compose, 'to all')).toBe('');
});

test('topics policy: a channel that lost its topics while running is written to without a topic field', async () => {
  const compose = await composeFixture();
  const {press, type, rows} = compose;
  await moveToGeneralChat(compose);
  await setPolicy(compose, 'empty_topic_only');
  press('c');
  expect(rows()[0]).toMatch(/to #general › general chat/);
  type('plain');
  press('Enter');
  expect(await sentTopic(compose, 'plain')).toBe('');
});

test('topics policy: a new topic written while the channel lost its topics goes to the general chat, after a notice', async () => {
  const compose = await composeFixture();
  const {press, type, app} = compose;
  press('c');
  type('picnic');
  press('Tab');
  type('cake');
  await moveToGeneralChat(compose);
  await setPolicy(compose, 'empty_topic_only');
  press('Enter');
  expect(app.screen.toast?.text).toBe('This channel has no topics: now to general chat');
  press('Enter');
  expect(await sentTopic(compose, 'cake')).toBe('');
});

test('topics policy: an empty channel without topics offers to write, not to start a topic', async () => {
  const compose = await composeFixture();
  const {app, fixture} = compose;
  const keys = () => emptyTimelineText(app.frame, channelNarrow(fixture.channelId)).keys;
  expect(keys()).toEqual(['c starts a topic']);
  await moveToGeneralChat(compose);
  await setPolicy(compose, 'empty_topic_only');
  expect(keys()).toEqual(['c writes the first message']);
});

test('topics policy: a channel that requires topics while running keeps the topic field open until one is given', async () => {
  const compose = await composeFixture();
  const {press, type, rows, app} = compose;
  await setPolicy(compose, 'disable_empty_topic');
  press('c');
  expect(rows()[1]).toBe(' Topic   topic (required)');
  press('Tab');
  expect(app.screen.composer.activePart).toBe('topic');
  expect(app.screen.toast?.text).toBe('Messages in #general need a topic.');
  type('picnic');
  press('Tab');
  type('cake');
  press('Enter');
  expect(await sentTopic(compose, 'cake')).toBe('picnic');
});

test('topics policy: sending without the topic that the channel requires by now asks for it and keeps the text', async () => {
  const compose = await composeFixture();
  const {press, type, app, text} = compose;
  press('c', 'Tab');
  type('cake');
  await setPolicy(compose, 'disable_empty_topic');
  press('Enter');
  expect(app.screen.composer.activePart).toBe('topic');
  expect(app.screen.toast?.text).toBe('Messages in #general need a topic.');
  type('picnic');
  press('Tab');
  expect(text()).toBe('cake');
  press('Enter');
  expect(await sentTopic(compose, 'cake')).toBe('picnic');
});

test('topics policy: topics required by the organization while running are required in the composer', async () => {
  const compose = await composeFixture();
  const {press, rows, fixture, until} = compose;
  const owner = fixture.server.people.owner();
  await fixture.server.as(owner).patch('/realm', {topics_policy: 'disable_empty_topic'});
  await until(({realm}) => realm.topicsPolicy === 'disable_empty_topic');
  press('c');
  expect(rows()[1]).toBe(' Topic   topic (required)');
});

test('long topic: the composer says that the server cuts it, and names the topic as the server does', async () => {
  const compose = await composeFixture();
  const {press, type, rows} = compose;
  const long = `${'a'.repeat(56)}🎉🎉🎉🎉🎉`;
  press('c');
  type(long.slice(0, 50));
  expect(rows().join('\n')).not.toContain('cuts');
  type(long.slice(50));
  expect(rows().at(-1)).toBe(' Topic 61/60: the server cuts the end');
  press('Tab');
  const cut = `${'a'.repeat(56)}🎉...`;
  expect(rows()[0]).toContain(`to #general › ${cut}`);
  type('body');
  press('Enter');
  expect(await sentTopic(compose, 'body')).toBe(cut);
  expect(compose.app.state.outbox).toEqual([]);
});

test('resolved topic: the composer says so while writing, and Enter asks once more', async () => {
  const compose = await composeFixture();
  const {press, type, rows, fixture, until} = compose;
  const [id] = compose.app.state.messages.byId.keys();
  await fixture.server.as(fixture.otto).patch(`/messages/${id}`, {topic: '✔ talk', propagate_mode: 'change_all'});
  await until(({messages}) =>
    [...messages.byId.values()].some((one) => one.kind === 'channel' && one.topic === '✔ talk'),
  );
  openConversation(compose.app, topicConversation(fixture.channelId, '✔ talk'));
  press('r');
  expect(rows().at(-1)).toBe(' This topic is resolved');
  type('one more thing');
  press('Enter');
  expect(rows().slice(-2)).toEqual([' ! This topic is resolved. Ctrl-X y unresolves it.', ' Enter again to send']);
  type('u');
  expect(compose.text()).toBe('one more thingu');
  press('Backspace', 'Enter', 'Ctrl-X', 'y');
  await until(({messages}) =>
    [...messages.byId.values()].some((one) => one.kind === 'channel' && one.topic === 'talk'),
  );
});

test('mention of somebody outside the channel: Ctrl-X y says that it adds them, and the warning stays until they are added', async () => {
  const compose = await composeFixture();
  const {press, type, rows, fixture, until, app} = compose;
  const nora = fixture.server.people.member('Nora');
  await fixture.hook('expire-queues');
  await until(({users, subscribers}) => users.has(nora.id) && subscribers.get(fixture.channelId)?.complete === true);
  openConversation(app, topicConversation(fixture.channelId, 'talk'));
  press('r');
  type('hello @**Nora**');
  press('Enter');
  expect(rows().join('\n')).toContain('Nora is not in #general');
  press('Ctrl-X', 'y');
  expect(app.screen.toast?.text).toBe('Adding to #general…');
  expect(rows().join('\n')).toContain('Nora is not in #general');
  await until(({subscribers}) => subscribers.get(fixture.channelId)?.ids.has(nora.id) === true);
  await untilApp(app, () => !rows().join('\n').includes('Nora is not in'));
});

import {expect, test} from 'vitest';
import {combinedFeedNarrow, narrowKey} from '#state/model/narrow.ts';
import {firstUnreadId, unreadCountIn} from '#state/selectors/timeline.ts';
import type {Session} from '#state/session.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';
import {type SessionFixture, sessionFixture, waitForState} from './session-fixture.ts';

const feedOf = ({cache}: Session) => cache.state.timelines.get(narrowKey(combinedFeedNarrow));

/** Returns Meg's client, and Ida, a third user who posts in a noisy channel. */
async function feedStage(level?: number) {
  const stage = await sessionFixture(level === undefined ? {} : {level});
  const {server, meg, otto} = stage;
  const ida = server.people.member('Ida');
  // Otherwise a mention would make Meg follow the topic.
  const settings = {automatically_follow_topics_where_mentioned: false};
  if (level !== 122) await server.as(meg).patch('/settings', settings);
  const channelId = server.people.channel('noisy', [meg, otto, ida]);
  const shout = async (content: string, topic = 'noise') =>
    (await server.as(ida).post('/messages', {type: 'stream', to: channelId, topic, content})).id as number;
  const mine = server.as(meg);
  const property = (isMuted: boolean) =>
    mine.post('/users/me/subscriptions/properties', {
      subscription_data: [{stream_id: channelId, property: 'is_muted', value: isMuted}],
    });
  const setTopic = (topic: string, policy: number) =>
    mine.post('/user_topics', {stream_id: channelId, topic, visibility_policy: policy});
  return {...stage, stage, ida, mine, shout, muteChannel: property, setTopic, named: `@**${meg.fullName}**`};
}

async function openFeed({session: make}: SessionFixture) {
  const session = make();
  session.start();
  await session.ready();
  await session.timelines.open(combinedFeedNarrow, 'firstUnread');
  const settles = async (...wanted: readonly number[]) => {
    await waitForState(session, () => {
      const feed = feedOf(session);
      return String(feed?.ids.toArray()) === String(wanted) && feed?.isStale === false;
    });
  };
  return {session, settles};
}

test.each([122, 277, 509])(
  'combined feed: leaves out muted topics and shows every mention (level %i)',
  async (level) => {
    const {stage, say, shout, muteChannel, named} = await feedStage(level);
    await muteChannel(true);
    const [first, , loud] = [await say('hello'), await shout('blah'), await shout(`${named} look`)];
    const second = await say('again');
    const {session, settles} = await openFeed(stage);
    expect(feedOf(session)?.ids.toArray()).toEqual([first, loud, second]);
    expect(unreadCountIn(session.cache.state, combinedFeedNarrow)).toBe(3);
    await shout('blah again');
    const [named2, third] = [await shout(`${named} look again`), await say('and again')];
    await settles(first, loud, second, named2, third);
    expect(unreadCountIn(session.cache.state, combinedFeedNarrow)).toBe(5);
  },
);

test('combined feed: opens at the first unread message it shows, even a mention in a muted topic', async () => {
  const {stage, mine, say, shout, muteChannel, named} = await feedStage();
  await muteChannel(true);
  const before: number[] = [];
  for (let n = 0; n < 60; n++) before.push(await say(`read ${n}`));
  await mine.post('/messages/flags', {messages: before, op: 'add', flag: 'read'});
  const loud = await shout(named);
  for (let n = 0; n < 60; n++) await say(`unread ${n}`);
  const {session} = await openFeed(stage);
  expect(firstUnreadId(session.cache.state, combinedFeedNarrow)).toBe(loud);
  expect(feedOf(session)?.ids.has(loud)).toBe(true);
  expect(feedOf(session)?.anchor).toBe(loud);
});

test('combined feed: a page contains all mentions in its range, however many', async () => {
  const {stage, say, shout, muteChannel, named} = await feedStage();
  await muteChannel(true);
  const first = await say('hello');
  const loud: number[] = [];
  for (let n = 0; n < 70; n++) loud.push(await shout(`${named} ${n}`));
  const {session} = await openFeed(stage);
  expect(feedOf(session)?.ids.toArray()).toEqual([first, ...loud]);
});

test('combined feed: muting and unmuting in another client changes what is shown', async () => {
  const {stage, say, shout, setTopic} = await feedStage();
  const [hello, blah] = [await say('hello'), await shout('blah')];
  const {session, settles} = await openFeed(stage);
  expect(feedOf(session)?.ids.toArray()).toEqual([hello, blah]);
  await setTopic('noise', visibilityPolicies.muted);
  await settles(hello);
  const more = await shout('unheard');
  await setTopic('noise', visibilityPolicies.none);
  await settles(hello, blah, more);
  expect(unreadCountIn(session.cache.state, combinedFeedNarrow)).toBe(3);
});

test('combined feed: a followed topic is shown although its channel is muted', async () => {
  const {stage, say, shout, muteChannel, setTopic} = await feedStage();
  const [hello, , news] = [await say('hello'), await shout('blah'), await shout('news', 'news')];
  await muteChannel(true);
  const {settles} = await openFeed(stage);
  await settles(hello);
  await setTopic('news', visibilityPolicies.followed);
  await settles(hello, news);
});

test('combined feed: muting is shown before the server confirms it, and undo restores all messages', async () => {
  const {stage, say, shout, hook} = await feedStage();
  const [hello, blah] = [await say('hello'), await shout('blah')];
  const {session, settles} = await openFeed(stage);
  const channelId = [...session.cache.state.channels.values()].find(({name}) => name === 'noisy')?.id ?? 0;
  await hook('fault', {method: 'POST', path: '/user_topics', kind: 'drop_before', times: 2});
  const done = session.pendingChanges.perform({
    kind: 'topicPolicy',
    channelId,
    topic: 'noise',
    policy: visibilityPolicies.muted,
  });
  expect(feedOf(session)?.ids.toArray()).toEqual([hello]);
  expect(done).toBeDefined();
  await waitForState(session, () => session.cache.base.userTopics.size === 1);
  await settles(hello);
  done?.undo();
  await settles(hello, blah);
});

test('combined feed: messages of muted users are left out, fetched or live, even whole pages of them', async () => {
  const {stage, ida, mine, say, shout} = await feedStage();
  const hello = await say('hello');
  for (let n = 0; n < 130; n++) await shout(`blah ${n}`);
  await mine.post(`/users/me/muted_users/${ida.id}`);
  const session = stage.session();
  session.start();
  await session.ready();
  await session.timelines.open(combinedFeedNarrow, 'newest');
  expect(feedOf(session)?.ids.toArray()).toEqual([hello]);
  expect(feedOf(session)).toMatchObject({hasOldest: true, hasNewest: true});
  await shout('blah');
  const again = await say('again');
  await waitForState(session, () => feedOf(session)?.ids.has(again) === true);
  expect(feedOf(session)?.ids.toArray()).toEqual([hello, again]);
});

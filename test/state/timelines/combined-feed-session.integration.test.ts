import {expect, test} from 'vitest';
import {combinedFeedNarrow, narrowKey} from '#state/model/narrow.ts';
import {firstUnreadId, unreadCountIn} from '#state/selectors/timeline.ts';
import type {Session} from '#state/session.ts';
import {type SessionFixture, sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {visibilityPolicies} from '#wire/objects/channel.ts';

const feedOf = ({cache}: Session) => cache.state.timelines.get(narrowKey(combinedFeedNarrow));

/** Returns Meg's client, and Ida, a third user who posts in a noisy channel. */
async function feedFixture(level?: number) {
  const fixture = await sessionFixture(level === undefined ? {} : {level});
  const {server, meg, otto} = fixture;
  const ida = server.people.member('Ida');
  // Otherwise a mention would make Meg follow the topic.
  const settings = {automatically_follow_topics_where_mentioned: false};
  if (level !== 122) await server.as(meg).patch('/settings', settings);
  const channelId = server.people.channel('noisy', [meg, otto, ida]);
  const postNoise = async (content: string, topic = 'noise') =>
    (await server.as(ida).post('/messages', {type: 'stream', to: channelId, topic, content})).id as number;
  const megsClient = server.as(meg);
  const property = (isMuted: boolean) =>
    megsClient.post('/users/me/subscriptions/properties', {
      subscription_data: [{stream_id: channelId, property: 'is_muted', value: isMuted}],
    });
  const setTopic = (topic: string, policy: number) =>
    megsClient.post('/user_topics', {stream_id: channelId, topic, visibility_policy: policy});
  return {
    ...fixture,
    fixture,
    ida,
    megsClient,
    postNoise,
    muteChannel: property,
    setTopic,
    mention: `@**${meg.fullName}**`,
  };
}

async function openFeed({session: make}: SessionFixture) {
  const session = make();
  session.start();
  await session.ready();
  await session.timelines.open(combinedFeedNarrow, 'firstUnread');
  const waitForFeed = async (...expected: readonly number[]) => {
    await waitForState(session, () => {
      const feed = feedOf(session);
      return String(feed?.ids.toArray()) === String(expected) && feed?.isStale === false;
    });
  };
  return {session, waitForFeed};
}

test.each([122, 277, 509])(
  'combined feed: leaves out muted topics and shows every mention (level %i)',
  async (level) => {
    const {fixture, postMessage: say, postNoise, muteChannel, mention} = await feedFixture(level);
    await muteChannel(true);
    const [first, , mentionId] = [await say('hello'), await postNoise('blah'), await postNoise(`${mention} look`)];
    const second = await say('again');
    const {session, waitForFeed} = await openFeed(fixture);
    expect(feedOf(session)?.ids.toArray()).toEqual([first, mentionId, second]);
    expect(unreadCountIn(session.cache.state, combinedFeedNarrow)).toBe(3);
    await postNoise('blah again');
    const [named2, third] = [await postNoise(`${mention} look again`), await say('and again')];
    await waitForFeed(first, mentionId, second, named2, third);
    expect(unreadCountIn(session.cache.state, combinedFeedNarrow)).toBe(5);
  },
);

test('combined feed: opens at the first unread message it shows, even a mention in a muted topic', async () => {
  const {fixture, megsClient, postMessage: say, postNoise, muteChannel, mention} = await feedFixture();
  await muteChannel(true);
  const before: number[] = [];
  for (let n = 0; n < 60; n++) before.push(await say(`read ${n}`));
  await megsClient.post('/messages/flags', {messages: before, op: 'add', flag: 'read'});
  const mentionId = await postNoise(mention);
  for (let n = 0; n < 60; n++) await say(`unread ${n}`);
  const {session} = await openFeed(fixture);
  expect(firstUnreadId(session.cache.state, combinedFeedNarrow)).toBe(mentionId);
  expect(feedOf(session)?.ids.has(mentionId)).toBe(true);
  expect(feedOf(session)?.anchor).toBe(mentionId);
});

test('combined feed: a page contains all mentions in its range, however many', async () => {
  const {fixture, postMessage: say, postNoise, muteChannel, mention} = await feedFixture();
  await muteChannel(true);
  const first = await say('hello');
  const mentionId: number[] = [];
  for (let n = 0; n < 70; n++) mentionId.push(await postNoise(`${mention} ${n}`));
  const {session} = await openFeed(fixture);
  expect(feedOf(session)?.ids.toArray()).toEqual([first, ...mentionId]);
});

test('combined feed: muting and unmuting in another client changes what is shown', async () => {
  const {fixture, postMessage: say, postNoise, setTopic} = await feedFixture();
  const [hello, blah] = [await say('hello'), await postNoise('blah')];
  const {session, waitForFeed} = await openFeed(fixture);
  expect(feedOf(session)?.ids.toArray()).toEqual([hello, blah]);
  await setTopic('noise', visibilityPolicies.muted);
  await waitForFeed(hello);
  const more = await postNoise('unheard');
  await setTopic('noise', visibilityPolicies.none);
  await waitForFeed(hello, blah, more);
  expect(unreadCountIn(session.cache.state, combinedFeedNarrow)).toBe(3);
});

test('combined feed: a followed topic is shown although its channel is muted', async () => {
  const {fixture, postMessage: say, postNoise, muteChannel, setTopic} = await feedFixture();
  const [hello, , news] = [await say('hello'), await postNoise('blah'), await postNoise('news', 'news')];
  await muteChannel(true);
  const {waitForFeed} = await openFeed(fixture);
  await waitForFeed(hello);
  await setTopic('news', visibilityPolicies.followed);
  await waitForFeed(hello, news);
});

test('combined feed: muting is shown before the server confirms it, and undo restores all messages', async () => {
  const {fixture, postMessage: say, postNoise, hook} = await feedFixture();
  const [hello, blah] = [await say('hello'), await postNoise('blah')];
  const {session, waitForFeed} = await openFeed(fixture);
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
  await waitForFeed(hello);
  done?.undo();
  await waitForFeed(hello, blah);
});

test('combined feed: messages of muted users are left out, fetched or live, even whole pages of them', async () => {
  const {fixture, ida, megsClient, postMessage: say, postNoise} = await feedFixture();
  const hello = await say('hello');
  for (let n = 0; n < 130; n++) await postNoise(`blah ${n}`);
  await megsClient.post(`/users/me/muted_users/${ida.id}`);
  const session = fixture.session();
  session.start();
  await session.ready();
  await session.timelines.open(combinedFeedNarrow, 'newest');
  expect(feedOf(session)?.ids.toArray()).toEqual([hello]);
  expect(feedOf(session)).toMatchObject({hasOldest: true, hasNewest: true});
  await postNoise('blah');
  const again = await say('again');
  await waitForState(session, () => feedOf(session)?.ids.has(again) === true);
  expect(feedOf(session)?.ids.toArray()).toEqual([hello, again]);
});

import {describe, expect, test} from 'vitest';
import {channelNarrow, combinedFeedNarrow, type Narrow, narrowIs, narrowKey, topicNarrow} from '#state/model/narrow.ts';
import {restoreState} from '#state/persistence/persistence.ts';
import type {Session} from '#state/session.ts';
import {systemClock} from '#std/clock.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {
  expectTimeline,
  hasMessage,
  type SessionFixture,
  sessionFixture,
  waitForState,
} from '#test/state/session-fixture.ts';

const searchNarrow = (text: string): Narrow => [{operator: 'search', operand: text}];
const timelineOf = ({cache}: Session, narrow: Narrow) => cache.state.timelines.get(narrowKey(narrow));
const idsOf = (session: Session, narrow: Narrow) => timelineOf(session, narrow)?.ids.toArray();

/** Cuts every connection at once. */
async function goOffline(fixture: SessionFixture, session: Session): Promise<void> {
  await fixture.hook('fault', {kind: 'drop_before', times: 100_000});
  session.wake('resumed');
  await waitForState(session, ({connection}) => connection.phase === 'offline');
}

async function comeBack(fixture: SessionFixture, session: Session): Promise<void> {
  await fixture.hook('clear-faults');
  session.wake('manual');
  await waitForState(session, ({connection}) => connection.phase === 'online');
}

/** Returns a client with three saved messages of two topics. */
async function savedMessagesFixture() {
  const fixture = await sessionFixture();
  const ids = [
    await fixture.postMessage('brown bread'),
    await fixture.postMessage('white tea', 'tea'),
    await fixture.postMessage('brown tea', 'tea'),
  ];
  const {store} = openAccountStore({path: ':memory:', clock: systemClock, random: () => 0.5, log: () => {}});
  const first = fixture.session({store});
  first.start();
  await first.ready();
  await waitForState(first, hasMessage(ids[2] ?? 0));
  await first.stop();
  const session = fixture.session({store, initial: restoreState(store)});
  return {fixture, session, store, ids, narrow: channelNarrow(fixture.channelId)};
}

describe('saved messages, offline', () => {
  test('every view shows its saved messages, and refetches when the server is back', async () => {
    const {fixture, session, ids, narrow} = await savedMessagesFixture();
    const [bread = 0, white = 0, brown = 0] = ids;
    await fixture.hook('fault', {kind: 'drop_before', times: 100_000});
    session.start();
    await waitForState(session, ({connection}) => connection.phase === 'offline');
    const views: [Narrow, number[]][] = [
      [narrow, ids],
      [combinedFeedNarrow, ids],
      [topicNarrow(fixture.channelId, 'tea'), [white, brown]],
      [searchNarrow('brown'), [bread, brown]],
      [[...narrow, ...searchNarrow('brown tea')], [brown]],
      [[{operator: 'sender', operand: fixture.otto.id}], ids],
      [narrowIs('starred'), []],
      [[{operator: 'has', operand: 'link'}], []],
    ];
    const opened = views.map(([view]) => session.timelines.open(view, 'newest'));
    await waitForState(session, ({timelines}) => timelines.size === views.length);
    for (const [view, savedIds] of views) {
      expect(timelineOf(session, view)).toMatchObject({isStale: true, hasNewest: false, loading: undefined});
      expect([view, idsOf(session, view)]).toEqual([view, savedIds]);
    }
    expect(session.cache.state.unreads.byId.size).toBe(3);
    const late = await server(fixture).said('brown sugar');
    await comeBack(fixture, session);
    await Promise.all(opened);
    expect(idsOf(session, searchNarrow('brown'))).toEqual([bread, brown, late]);
    for (const [view] of views) await expectTimeline(fixture, session, view);
  });

  test('views with fetched messages stay as they are', async () => {
    const fixture = await sessionFixture();
    const id = await fixture.postMessage('hello');
    const session = fixture.session();
    session.start();
    await session.ready();
    await session.timelines.open(combinedFeedNarrow, 'newest');
    await goOffline(fixture, session);
    void session.timelines.open(combinedFeedNarrow, 'newest');
    expect(timelineOf(session, combinedFeedNarrow)).toMatchObject({isStale: false, hasNewest: true});
    expect(idsOf(session, combinedFeedNarrow)).toEqual([id]);
  });

  test('a view that is loading when the connection is lost shows its saved messages', async () => {
    const fixture = await sessionFixture();
    const id = await fixture.postMessage('hello');
    const session = fixture.session();
    session.start();
    await session.ready();
    await waitForState(session, hasMessage(id));
    await fixture.hook('fault', {path: '/messages', kind: 'delay', delay_ms: 60_000, times: 10});
    const narrow = channelNarrow(fixture.channelId);
    const opened = session.timelines.open(narrow, 'newest');
    await waitForState(session, () => timelineOf(session, narrow)?.loading === 'first');
    await goOffline(fixture, session);
    await waitForState(session, () => timelineOf(session, narrow)?.isStale === true);
    expect(idsOf(session, narrow)).toEqual([id]);
    await comeBack(fixture, session);
    await opened;
    await expectTimeline(fixture, session, narrow);
  });
});

test('saved messages: the server’s version replaces the saved one', async () => {
  const {fixture, session, store, ids, narrow} = await savedMessagesFixture();
  const [bread = 0] = ids;
  session.start();
  await session.ready();
  await waitForState(session, hasMessage(bread));
  // On disk only, as if it had been read long ago, and not updated since.
  const {messages} = session.cache.state;
  const bare = {...session.cache.base, messages: {...messages, byId: messages.byId.without(bread)}};
  const without = {
    ...bare.messages,
    byConversation: messages.byConversation.without(messages.byId.get(bread)?.conversationKey ?? ''),
  };
  session.cache.apply({type: 'state_replaced', state: {...bare, messages: without}});
  expect(store.messages.byIds([bread])).toHaveLength(1);
  await goOffline(fixture, session);
  const opened = session.timelines.open(narrow, 'newest');
  await waitForState(session, () => idsOf(session, narrow)?.includes(bread) === true);
  expect(session.cache.state.messages.byId.get(bread)?.reactions).toEqual([]);
  await fixture.hook('clear-faults');
  await fixture.server.as(fixture.otto).post(`/messages/${bread}/reactions`, {emoji_name: 'tada'});
  await comeBack(fixture, session);
  await opened;
  expect(session.cache.state.messages.byId.get(bread)?.reactions).toHaveLength(1);
  await expectTimeline(fixture, session, narrow);
});

/** Posts messages while the client is offline. */
function server(fixture: SessionFixture) {
  return {
    said: async (content: string) => {
      await fixture.hook('clear-faults');
      return fixture.postMessage(content);
    },
  };
}

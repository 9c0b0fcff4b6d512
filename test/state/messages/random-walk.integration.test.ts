import fc from 'fast-check';
import {expect, test} from 'vitest';
import {Cache} from '#state/cache.ts';
import {coversId} from '#state/timelines/timeline-changes.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {fewOrAll} from '#test/support/tier.ts';
import {threeChannelState} from './messages-fixture.ts';
import {NaiveServer, type ServerAction} from './naive-server.ts';
import {messageInResponse, type Post} from './naive-server-posts.ts';
import {RandomWalk, type WalkStep, walkNarrows} from './random-walk.ts';

const topics = fc.constantFrom('a', 'A', 'b', '✔ b', '');
const channelIds = fc.integer({min: 1, max: 3});
const which = fc.nat({max: 30});
const several = fc.array(which, {minLength: 1, maxLength: 4});
const contents = fc.constantFrom('x', 'y', 'xy');
const mentions = fc.subarray(['mentioned', 'topic_wildcard_mentioned', 'has_alert_word']);

const serverActions: fc.Arbitrary<ServerAction> = fc.oneof<fc.MaybeWeightedArbitrary<ServerAction>[]>(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      to: fc.integer({min: 1, max: 6}),
      topic: topics,
      flags: mentions,
      isUnread: fc.boolean(),
      content: contents,
    }),
  },
  fc.record({kind: fc.constant('edit' as const), which, content: contents, flags: mentions}),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      which,
      mode: fc.constantFrom('change_one' as const, 'change_later' as const, 'change_all' as const),
      channelId: channelIds,
      topic: topics,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('delete' as const, 'read' as const, 'unread' as const, 'star' as const, 'unstar' as const),
      which: several,
    }),
  },
  fc.record({kind: fc.constant('react' as const), which, by: fc.constantFrom(11, 12)}),
  fc.record({kind: fc.constant('readAll' as const)}),
  fc.record({
    kind: fc.constantFrom(
      'subscribe' as const,
      'unsubscribe' as const,
      'muteChannel' as const,
      'unmuteChannel' as const,
    ),
    channelId: channelIds,
  }),
  fc.record({
    kind: fc.constant('policy' as const),
    channelId: channelIds,
    topic: topics,
    policy: fc.integer({min: 0, max: 3}),
  }),
);

const narrowIndex = fc.nat({max: walkNarrows.length - 1});
const steps = fc.array(
  fc.oneof<fc.MaybeWeightedArbitrary<WalkStep>[]>(
    {weight: 5, arbitrary: fc.record({kind: fc.constant('wish' as const), wish: serverActions})},
    {
      weight: 2,
      arbitrary: fc.record({kind: fc.constant('deliver' as const), count: fc.integer({min: 1, max: 6})}),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('ask' as const),
        narrow: narrowIndex,
        how: fc.constantFrom('newest' as const, 'oldest' as const, 'older' as const, 'newer' as const),
        answersAtOnce: fc.boolean(),
      }),
    },
    {weight: 2, arbitrary: fc.record({kind: fc.constant('land' as const), flight: fc.nat({max: 3})})},
    fc.record({kind: fc.constant('close' as const), narrow: narrowIndex}),
    fc.record({kind: fc.constant('evict' as const), center: which, reach: fc.nat({max: 2})}),
    fc.record({kind: fc.constant('restore' as const), narrow: narrowIndex, center: which, reach: fc.nat({max: 3})}),
  ),
  {maxLength: 60, size: 'max'},
);

/** Actions before the client starts; subscriptions and policies are then as in the initial state. */
const early = fc.array(
  serverActions.filter(({kind}) => ['send', 'edit', 'move', 'read', 'star'].includes(kind)),
  {maxLength: 12, size: 'max'},
);

function expectSame({server, state}: RandomWalk): void {
  const unread = server.posts.filter(({isUnread}) => isUnread);
  const keyOf = ({conversation: place}: Post) =>
    'topic' in place ? `c${place.channelId}:${place.topic.toLowerCase()}` : `d${place.userIds.join()}`;
  expect(Object.fromEntries(state.unreads.byId)).toEqual(
    Object.fromEntries(unread.map((post) => [post.id, keyOf(post)])),
  );
  const mentioned = unread.filter((post) => server.isMention(post)).map(({id}) => id);
  expect(state.unreads.mentions.toArray()).toEqual(mentioned);
  const starred = server.posts.filter(({flags}) => flags.has('starred')).map(({id}) => id);
  expect(state.starred.toArray()).toEqual(starred);
  const existing = new Map(server.posts.map((post) => [post.id, post]));
  for (const message of state.messages.byId.values()) {
    const post = existing.get(message.id);
    expect(post, `message ${message.id} was deleted`).toBeDefined();
    if (post === undefined) continue;
    const {movedAt: _m, topicLinks: _t, flags: clientFlags, reactions: had, ...rest} = {topicLinks: [], ...message};
    const {
      movedAt: _n,
      topicLinks: _l,
      flags: serverFlags,
      reactions: have,
      ...truth
    } = {topicLinks: [], ...messageInResponse(post)};
    expect(rest).toEqual(truth);
    expect([...clientFlags].sort()).toEqual([...serverFlags].sort());
    expect(had.map(({userId}) => userId).sort()).toEqual(have.map(({userId}) => userId).sort());
  }
}

function expectTimelines({server, state}: RandomWalk): void {
  for (const timeline of state.timelines.values()) {
    const {narrow, ids} = timeline;
    const expected = server
      .select(narrow)
      .map(({id}) => id)
      .filter((id) => coversId(timeline, id));
    const isUnreadView = narrow.some(({operand}) => operand === 'unread');
    // Messages that were read in it stay.
    const stillShown = isUnreadView ? ids.toArray().filter((id) => !state.unreads.byId.has(id)) : [];
    expect(ids.toArray(), JSON.stringify(narrow)).toEqual(
      [...new Set([...expected, ...stillShown])].sort((a, b) => a - b),
    );
    expect(timeline.undecidedIds.size).toBe(0);
  }
}

test("random walk: after any order of events and responses, the client's state equals the server's", () => {
  fc.assert(
    fc.property(early, steps, (before, walked) => {
      const walk = new RandomWalk();
      walk.begin(before);
      for (const step of walked) walk.take(step);
      walk.settle();
      expectSame(walk);
      expectTimelines(walk);
    }),
    {numRuns: fewOrAll(60, 1000), seed: 1},
  );
});

test('random walk: a batch commits once and has the same result as its events one by one', () => {
  fc.assert(
    fc.property(fc.array(serverActions, {minLength: 5, maxLength: 40, size: 'max'}), (actions) => {
      const server = new NaiveServer();
      for (const action of actions) server.do(action);
      const events = server.drain();
      const [single, batched] = [new Cache(threeChannelState()), new Cache(threeChannelState())];
      for (const event of events) single.apply(event);
      const commits: unknown[] = [];
      batched.client.getQueryCache().subscribe((notice) => {
        if (notice.type === 'updated' && notice.query.queryKey[1] === 'messages') commits.push(notice);
      });
      batched.apply(...events);
      expect(commits.length).toBeLessThanOrEqual(1);
      expect(deepEqual(batched.state, single.state)).toBe(true);
    }),
    {numRuns: fewOrAll(12, 100), seed: 1},
  );
});

import {expect, test} from 'vitest';
import {EvictedMessages} from '#state/fetches/saved-messages.ts';
import {narrowKey, topicNarrow} from '#state/model/narrow.ts';
import {emptyTimeline} from '#state/model/timeline.ts';
import {withWindow} from '#state/timelines/timeline-changes.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {loadedMessages} from '#test/state/selectors/selector-builders.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import * as eg from '#test/support/state-builders.ts';
import {unstartedSession} from '#test/support/unstarted-session.ts';

const narrow = topicNarrow(1, 'talk');
const all = Array.from({length: 1000}, (_, at) => eg.message({id: at + 1}));

/** Returns the ids that are loaded after the user looked at a message, where 400 to 600 of 1 to 1000 were loaded. */
function loadedAround(messageId: number): readonly (number | undefined)[] {
  const whole = {
    ...emptyTimeline(narrow),
    ids: SortedSet.from(all.map(({id}) => id)),
    hasOldest: true,
    hasNewest: true,
  };
  const state = eg.state({
    channels: eg.byId(eg.channel({id: 1})),
    subscriptions: SortedMap.from([[1, eg.subscription({channelId: 1})]]),
    messages: loadedMessages(...all.filter(({id}) => id >= 400 && id <= 600)),
    timelines: SortedMap.from([[narrowKey(narrow), withWindow({...whole, isStale: false}, [400, 600])]]),
  });
  const session = unstartedSession(eg.state(), new ManualClock());
  const {cache, store} = session.context;
  store.messages.save(all);
  const evicted = new EvictedMessages(session.context);
  evicted.check();
  cache.apply({type: 'state_replaced', state});
  evicted.loadAround(narrow, messageId);
  const ids = cache.base.timelines.get(narrowKey(narrow))?.ids;
  return [ids?.first(), ids?.last()];
}

test('evicted messages: they are loaded as soon as fewer than a hundred are loaded before or after the viewed one', () => {
  expect(loadedAround(500)).toEqual([400, 600]);
  expect(loadedAround(499)).toEqual([299, 699]);
  expect(loadedAround(501)).toEqual([301, 701]);
  expect(loadedAround(402)).toEqual([202, 602]);
});

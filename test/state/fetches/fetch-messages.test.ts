import {expect, test} from 'vitest';
import type {Api} from '#api/api.ts';
import {fetchNarrowMatches} from '#state/fetches/fetch-messages.ts';
import {type Narrow, narrowKey} from '#state/model/narrow.ts';
import {emptyTimeline} from '#state/model/timeline.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {fakeApiFixture} from '#test/state/fake-api-fixture.ts';
import * as eg from '#test/support/state-builders.ts';

const search: Narrow = [{operator: 'search', operand: 'lunch'}];

test('narrow matches: a message that is edited during the request is asked about again', async () => {
  const timeline = {...emptyTimeline(search), hasNewest: true, undecidedIds: SortedSet.from<number>([1, 2])};
  const {cache, context} = fakeApiFixture({timelines: SortedMap.from([[narrowKey(search), timeline]])});
  const messages = [eg.message({id: 1}), eg.message({id: 2})];
  cache.apply({type: 'messages_fetched', messages, unreadIds: [], since: undefined, page: undefined});
  const requests: (readonly number[])[] = [];
  const matchNarrow = async ({msg_ids: ids}: {msg_ids: readonly number[]}) => {
    requests.push(ids);
    if (requests.length === 1) {
      cache.apply({
        id: 1,
        type: 'update_message',
        flags: [],
        message_id: 2,
        message_ids: [2],
        content: 'breakfast',
        user_id: 11,
        rendering_only: false,
        edit_timestamp: 5,
      });
    }
    const stillMatching = requests.length === 1 ? ids : [];
    const match = {match_content: '<b>', match_subject: 't'};
    return {messages: Object.fromEntries(stillMatching.map((id) => [id, match]))};
  };
  const api = {matchNarrow} as unknown as Api; // No other endpoint is called.
  await fetchNarrowMatches({...context, api}, timeline);
  expect(requests).toEqual([[1, 2], [2]]);
  const judged = cache.state.timelines.get(narrowKey(search));
  expect(judged?.ids.toArray()).toEqual([1]);
  expect(judged?.undecidedIds.size).toBe(0);
});

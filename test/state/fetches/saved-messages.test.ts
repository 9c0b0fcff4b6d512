import {expect, test} from 'vitest';
import {savedMessagesOf} from '#state/fetches/saved-messages.ts';
import {channelNarrow, topicNarrow} from '#state/model/narrow.ts';
import {channelMessage, openTestStore, scratchFile} from '#test/storage/storage-fixture.ts';
import * as eg from '#test/support/state-builders.ts';

test('saved messages of a view: newest first, without those whose events are still to come, and only what the view shows', () => {
  const {store} = openTestStore(scratchFile());
  const topics = ['lunch', 'tea', 'lunch', 'lunch'];
  store.messages.save(
    topics.map((topic, at) =>
      channelMessage(at + 1, {topic, conversationKey: `c1:${topic}`, content: `soup ${at + 1}`}),
    ),
  );
  const state = (maxMessageId: number) => eg.state({channels: eg.byId(eg.channel({id: 1})), maxMessageId});
  const ids = (narrow: Parameters<typeof savedMessagesOf>[2], maxMessageId = 4) =>
    savedMessagesOf(store, state(maxMessageId), narrow).map(({id}) => id);
  const words = {operator: 'search', operand: 'soup'};
  expect(ids(topicNarrow(1, 'lunch'))).toEqual([4, 3, 1]);
  expect(ids(channelNarrow(1))).toEqual([4, 3, 2, 1]);
  expect(ids([words, ...topicNarrow(1, 'tea')])).toEqual([2]);
  expect(ids(topicNarrow(1, 'lunch'), 3)).toEqual([3, 1]);
  expect(ids([words], 2)).toEqual([2, 1]);
  expect(ids([{operator: 'has', operand: 'link'}])).toEqual([]);
});

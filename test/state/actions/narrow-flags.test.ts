import {expect, test} from 'vitest';
import type {Api} from '#api/api.ts';
import {narrowFlagInverse} from '#state/actions/mark-read.ts';
import {messageHandlers} from '#state/actions/message-flags.ts';
import {fetchNarrowMessages} from '#state/fetches/fetch-messages.ts';
import {channelNarrow} from '#state/model/narrow.ts';
import {fakeApiFixture} from '#test/state/fake-api-fixture.ts';
import {applyChecked, threeChannelState, unreadIds} from '#test/state/messages/messages-fixture.ts';
import {channelMessage} from '#test/state/messages/wire-events.ts';
import {topic} from '#test/state/selectors/selector-builders.ts';

test('mark a view read: the inverse makes messages that are not loaded unread again where they were', () => {
  const messages = [
    {id: 5, key: 'c1:tea', conversation: topic(1, 'tea'), isMention: true},
    {id: 6, key: 'c2:cake', conversation: topic(2, 'cake'), isMention: false},
  ] as const;
  const inverse = narrowFlagInverse({op: 'add', flag: 'read'}, messages);
  const state = threeChannelState();
  const undone = applyChecked(state, ...messageHandlers.flags.optimisticEvents(state, inverse, 0));
  expect(unreadIds(undone)).toEqual({'c1:tea': [5], 'c2:cake': [6]});
  expect(undone.unreads.mentions.toArray()).toEqual([5]);
  const starred = {kind: 'flags', op: 'remove', flag: 'starred', ids: [5, 6]};
  expect(narrowFlagInverse({op: 'add', flag: 'starred'}, messages)).toEqual(starred);
});

test('messages of a view: as many pages are fetched as the limit needs, and none beyond it', async () => {
  const {context} = fakeApiFixture(threeChannelState());
  let requests = 0;
  const getMessages = async ({anchor}: {anchor: number | string}) => {
    requests += 1;
    const end = anchor === 'newest' ? 100 : Number(anchor);
    return {messages: [end - 2, end - 1].map((id) => ({...channelMessage({id}), flags: []})), found_oldest: end === 92};
  };
  const api = {getMessages} as unknown as Api; // No other endpoint is called.
  const fetchUpTo = (maxCount: number) => fetchNarrowMessages({...context, api}, channelNarrow(1), maxCount);
  const ids = async (maxCount: number) => (await fetchUpTo(maxCount)).messages.map(({id}) => id);
  expect(await ids(4)).toEqual([96, 97, 98, 99]);
  expect(requests).toBe(2);
  expect(await ids(5)).toEqual([94, 95, 96, 97, 98, 99]);
  expect(await fetchUpTo(4)).toMatchObject({isComplete: false});
  expect(await fetchUpTo(11)).toMatchObject({messages: {length: 10}, isComplete: true});
});

import {expect, test} from 'vitest';
import type {Api} from '#api/api.ts';
import {FactKeeper} from '#state/facts/fact-keeper.ts';
import {TimelineFetcher} from '#state/fetches/timeline-fetcher.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import {fakeApiFixture} from '#test/state/fake-api-fixture.ts';
import {threeChannelState} from '#test/state/messages/messages-fixture.ts';
import {buildMessageEvent, channelMessage} from '#test/state/messages/wire-events.ts';

test('facts: after a failure and a success, the rendering of the next message is fetched as soon as ever', async () => {
  const {context, cache, clock} = fakeApiFixture({...threeChannelState(), connection: {phase: 'online'}});
  const wire = (id: number) => ({...channelMessage({id, content: '@**Former Name**'}), flags: []});
  const renderings: (readonly number[] | undefined)[] = [];
  const getMessages = async ({apply_markdown, message_ids}: {apply_markdown: boolean; message_ids?: number[]}) => {
    if (!apply_markdown) return {messages: [wire(1)], found_oldest: true, found_newest: true, found_anchor: true};
    renderings.push(message_ids);
    if (renderings.length === 1) throw new Error('lost');
    return {messages: (message_ids ?? []).map(wire)};
  };
  const api = {getMessages} as unknown as Api; // No other endpoint is called.
  const timelines = new TimelineFetcher({...context, api});
  new FactKeeper({...context, api}, timelines);
  const talk = topicNarrow(1, 'talk');
  await timelines.open(talk, 'newest');
  timelines.keepOpen(talk);
  timelines.setViewedMessage(talk, 1);
  const isRendered = (id: number) => cache.state.messages.byId.get(id)?.facts?.isRendered;
  clock.advance(500);
  await expect.poll(() => [renderings.length, clock.pending]).toEqual([1, 1]);
  clock.advance(30_000);
  await expect.poll(() => [isRendered(1), clock.pending]).toEqual([true, 1]);
  cache.apply(buildMessageEvent(channelMessage({id: 2, content: '@**Other Name**'})));
  clock.advance(500);
  await expect.poll(() => isRendered(2)).toBe(true);
  expect(renderings).toEqual([[1], [1], [2]]);
});

import type {Context} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {once, patiently} from './fetch-once.ts';

/** How often an answer may be crossed by an event before it is taken all the same. */
const crossings = 3;

/** All topics of a channel. */
export function fetchTopics(context: Context, channelId: number): Promise<void> {
  const {api, cache} = context;
  return once(context, ['topics', channelId], async (signal) => {
    const args = {stream_id: channelId, allow_empty_topic_name: true};
    const {topics} = await uncrossed(
      context,
      ({topics}) => topics.get(channelId),
      () => patiently(context, signal, () => api.getTopics(args, {signal})),
    );
    signal.throwIfAborted();
    const found = topics.map(({name, max_id: maxId}) => ({name, maxId}));
    cache.apply({type: 'topics_fetched', channelId, topics: found});
  });
}

/** All subscribers of a channel. */
export function fetchSubscribers(context: Context, channelId: number): Promise<void> {
  const {api, cache} = context;
  return once(context, ['subscribers', channelId], async (signal) => {
    const args = {stream_id: channelId};
    const {subscribers} = await uncrossed(
      context,
      (state) => state.subscribers.get(channelId),
      () => patiently(context, signal, () => api.getSubscribers(args, {signal})),
    );
    signal.throwIfAborted();
    cache.apply({type: 'subscribers_fetched', channelId, userIds: subscribers});
  });
}

/** Asks again when what the answer is about changed on the way: it may be older than the change. */
async function uncrossed<T>(
  context: Context,
  subject: (state: AccountState) => unknown,
  ask: () => Promise<T>,
): Promise<T> {
  const mark = () => ({queueId: context.queueId(), subject: subject(context.cache.state)});
  for (let round = 1; ; round++) {
    const before = mark();
    const answer = await ask();
    const after = mark();
    if (after.queueId === before.queueId && (after.subject === before.subject || round >= crossings)) {
      return answer;
    }
  }
}

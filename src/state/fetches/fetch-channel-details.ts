import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {fetchOnce, fetchWithRetries} from './fetch-once.ts';

/** How often an answer may be crossed by an event before it is taken all the same. */
const crossings = 3;

/** All topics of a channel. */
export function fetchTopics(context: SessionContext, channelId: number): Promise<void> {
  const {api, cache} = context;
  return fetchOnce(context, ['topics', channelId], async (signal) => {
    const args = {stream_id: channelId, allow_empty_topic_name: true};
    const {topics} = await refetchIfChanged(
      context,
      ({topics}) => topics.get(channelId),
      () => fetchWithRetries(context, signal, () => api.getTopics(args, {signal})),
    );
    signal.throwIfAborted();
    const found = topics.map(({name, max_id: maxId}) => ({name, maxId}));
    cache.apply({type: 'topics_fetched', channelId, topics: found});
  });
}

/** All subscribers of a channel. */
export function fetchSubscribers(context: SessionContext, channelId: number): Promise<void> {
  const {api, cache} = context;
  return fetchOnce(context, ['subscribers', channelId], async (signal) => {
    const args = {stream_id: channelId};
    const {subscribers} = await refetchIfChanged(
      context,
      (state) => state.subscribers.get(channelId),
      () => fetchWithRetries(context, signal, () => api.getSubscribers(args, {signal})),
    );
    signal.throwIfAborted();
    cache.apply({type: 'subscribers_fetched', channelId, userIds: subscribers});
  });
}

/** Asks again when what the answer is about changed on the way: it may be older than the change. */
async function refetchIfChanged<T>(
  context: SessionContext,
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

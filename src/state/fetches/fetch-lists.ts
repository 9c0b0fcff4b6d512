import {attachmentFromWire} from '#state/model/organization.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {fetchOnce, fetchWithRetries} from './fetch-once.ts';

/** The number of attempts after which a response is used although an event changed its subject meanwhile. */
const maxAttempts = 3;

/** Fetches all topics of a channel. */
export function fetchTopics(context: SessionContext, channelId: number): Promise<void> {
  const {api, cache} = context;
  return fetchOnce(context, ['topics', channelId], async (signal) => {
    const args = {stream_id: channelId, allow_empty_topic_name: true};
    const {response, isCurrent} = await refetchIfChanged(
      context,
      ({topics}) => topics.get(channelId),
      () => fetchWithRetries(context, signal, () => api.getTopics(args, {signal})),
    );
    signal.throwIfAborted();
    const topics = response.topics.map(({name, max_id: maxId}) => ({name, maxId}));
    cache.apply({type: 'topics_fetched', channelId, topics, isCurrent});
  });
}

/** Fetches all subscribers of a channel. */
export function fetchSubscribers(context: SessionContext, channelId: number): Promise<void> {
  const {api, cache} = context;
  return fetchOnce(context, ['subscribers', channelId], async (signal) => {
    const args = {stream_id: channelId};
    const {response} = await refetchIfChanged(
      context,
      (state) => state.subscribers.get(channelId),
      () => fetchWithRetries(context, signal, () => api.getSubscribers(args, {signal})),
    );
    signal.throwIfAborted();
    cache.apply({type: 'subscribers_fetched', channelId, userIds: response.subscribers});
  });
}

/** Repeats the request when its subject changed meanwhile: the response may be older than the change. */
export async function refetchIfChanged<T>(
  context: SessionContext,
  subject: (state: AccountState) => unknown,
  send: () => Promise<T>,
): Promise<{readonly response: T; readonly isCurrent: boolean}> {
  const readVersion = () => ({queueId: context.queueId(), subject: subject(context.cache.state)});
  for (let attempt = 1; ; attempt++) {
    const before = readVersion();
    const response = await send();
    const after = readVersion();
    const isCurrent = after.subject === before.subject;
    if (after.queueId === before.queueId && (isCurrent || attempt >= maxAttempts)) return {response, isCurrent};
  }
}

export interface UploadSpace {
  /** The bytes that all files of the organization use; undefined if the server does not say. */
  readonly used: number | undefined;
}

/** Fetches the user's uploaded files, which events keep current afterwards, and the space that files use. */
export function fetchAttachments(context: SessionContext): Promise<UploadSpace> {
  const {api, cache} = context;
  return fetchOnce(context, ['attachments'], async (signal) => {
    const {response} = await refetchIfChanged(
      context,
      ({attachments}) => attachments,
      () => fetchWithRetries(context, signal, () => api.getAttachments({}, {signal})),
    );
    signal.throwIfAborted();
    cache.apply({type: 'attachments_fetched', attachments: response.attachments.map(attachmentFromWire)});
    return {used: response.upload_space_used};
  });
}

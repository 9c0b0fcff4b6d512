import {invalidCallFailure} from '#api/failure.ts';
import {withRetries} from '#api/retry.ts';
import {channelNarrow} from '#state/model/narrow.ts';
import type {SessionContext} from '#state/session-context.ts';
import {unreadIdsOf} from '#state/unreads/unread-ids.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import {subscribe as joining, unsubscribe as leaving} from '#wire/endpoints/subscriptions.ts';
import type {Endpoints} from '#wire/endpoints.ts';

const attempts = 4;

/** Requests name channels, and an unknown name would create one: so only channels that are known are subscribed to. */
function namesOf({cache}: SessionContext, channelIds: readonly number[], endpoint: string): string[] {
  return channelIds.map((id) => {
    const name = cache.state.channels.get(id)?.name;
    if (name === undefined)
      throw invalidCallFailure(endpoint, 'There is no such channel, or you cannot see it.');
    return name;
  });
}

export interface SubscribeOutcome {
  /** Channels that the server did not let anybody into, by name. */
  readonly unauthorized: readonly string[];
}

/** `userIds` adds others instead of oneself. */
export async function subscribe(
  context: SessionContext,
  channelIds: readonly number[],
  userIds: readonly number[] = [],
): Promise<SubscribeOutcome> {
  const {api, signal} = context;
  const names = namesOf(context, channelIds, joining.id);
  const answer = await api.subscribe(
    {
      subscriptions: names.map((name) => ({name})),
      ...(userIds.length > 0 && {principals: [...userIds]}),
      authorization_errors_fatal: false,
    },
    {signal},
  );
  return {unauthorized: answer.unauthorized ?? []};
}

/** What leaving channels took away. Plain data: it may be kept, and given to `rejoin`. */
export interface LeftChannels {
  readonly channelIds: readonly number[];
  /** What was unread there. */
  readonly unread: readonly number[];
}

/**
 * Not shown before the server says so: a private channel lets nobody back in by themselves, and what is said in the
 * meantime never arrives, so there is no exact way back.
 */
export async function unsubscribe(
  context: SessionContext,
  channelIds: readonly number[],
): Promise<LeftChannels> {
  const {api, cache, signal} = context;
  const names = namesOf(context, channelIds, leaving.id);
  const unread = channelIds.flatMap((id) => unreadIdsOf(cache.state, channelNarrow(id)));
  await api.unsubscribe({subscriptions: names}, {signal});
  return {channelIds, unread};
}

/** Takes part again, and has the same messages unread as before leaving. */
export async function resubscribe(
  context: SessionContext,
  {channelIds, unread}: LeftChannels,
): Promise<void> {
  const {unauthorized} = await subscribe(context, channelIds);
  if (unauthorized.length > 0) {
    throw invalidCallFailure(joining.id, `Somebody in #${unauthorized.join(', #')} has to add you again.`);
  }
  if (unread.length === 0) return;
  const {api, signal} = context;
  // Not a deed: nothing can be unread here until the event says that one takes part again.
  const mark = () => api.updateFlags({messages: [...unread], op: 'remove', flag: 'read'}, {signal});
  await withRetries(mark, {...context, idempotent: true, limit: attempts});
}

export async function removeSubscribers(
  context: SessionContext,
  channelId: number,
  userIds: readonly number[],
): Promise<void> {
  const names = namesOf(context, [channelId], leaving.id);
  await context.api.unsubscribe({subscriptions: names, principals: [...userIds]}, {signal: context.signal});
}

export interface NewChannel {
  readonly name: string;
  readonly description?: string;
  /** Oneself is always in it. */
  readonly subscriberIds?: readonly number[];
  readonly isPrivate?: boolean;
  readonly isWebPublic?: boolean;
  readonly hasSharedHistory?: boolean;
  readonly announce?: boolean;
  readonly folderId?: number;
}

/** Gives the id of the new channel. */
export async function createChannel(
  {api, cache, signal}: SessionContext,
  channel: NewChannel,
): Promise<number> {
  const subscribers = new Set([cache.state.self.userId, ...(channel.subscriberIds ?? [])]);
  const {id} = await api.createChannel(
    {
      name: channel.name.trim(),
      description: channel.description ?? '',
      subscribers: [...subscribers],
      invite_only: channel.isPrivate ?? false,
      is_web_public: channel.isWebPublic ?? false,
      announce: channel.announce ?? false,
      ...(channel.hasSharedHistory !== undefined && {
        history_public_to_subscribers: channel.hasSharedHistory,
      }),
      ...(channel.folderId !== undefined && {folder_id: channel.folderId}),
    },
    {signal},
  );
  return id;
}

export type ChannelChange = Omit<ArgsOf<Endpoints['updateChannel']>, 'stream_id'>;

export async function updateChannel(
  {api, signal}: SessionContext,
  channelId: number,
  change: ChannelChange,
): Promise<void> {
  await api.updateChannel({stream_id: channelId, ...change}, {signal});
}

export async function archiveChannel({api, signal}: SessionContext, channelId: number): Promise<void> {
  await api.archiveChannel({stream_id: channelId}, {signal});
}

export async function setDefaultChannel(
  {api, signal}: SessionContext,
  channelId: number,
  isDefault: boolean,
): Promise<void> {
  const args = {stream_id: channelId};
  await (isDefault ? api.addDefaultChannel(args, {signal}) : api.removeDefaultChannel(args, {signal}));
}

/** However many requests that takes. */
export async function deleteTopic(
  {api, signal}: SessionContext,
  channelId: number,
  topic: string,
): Promise<void> {
  await api.deleteTopic({stream_id: channelId, topic_name: topic}, {signal});
}

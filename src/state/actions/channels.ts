import {invalidCallFailure} from '#api/failure.ts';
import {withRetries} from '#api/retry.ts';
import {channelNarrow} from '#state/model/narrow.ts';
import type {SessionContext} from '#state/session-context.ts';
import {unreadIdsOf} from '#state/unreads/unread-ids.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import {subscribe as joining, unsubscribe as leaving} from '#wire/endpoints/subscriptions.ts';
import type {Endpoints} from '#wire/endpoints.ts';
import type {ChannelSettingName} from '#wire/objects/channel.ts';
import type {GroupSetting} from '#wire/objects/group-setting.ts';

const maxAttempts = 4;

/**
 * Returns the names of known channels. Requests use names, and an unknown name would create a channel, so
 * unknown ids are refused.
 */
function channelNames({cache}: SessionContext, channelIds: readonly number[], endpoint: string): string[] {
  return channelIds.map((id) => {
    const name = cache.state.channels.get(id)?.name;
    if (name === undefined) throw invalidCallFailure(endpoint, 'This channel does not exist, or you cannot see it.');
    return name;
  });
}

export interface SubscribeOutcome {
  /** The names of channels that the server did not allow. */
  readonly unauthorized: readonly string[];
}

/** Subscribes the user, or the users `userIds` instead. */
export async function subscribe(
  context: SessionContext,
  channelIds: readonly number[],
  userIds: readonly number[] = [],
): Promise<SubscribeOutcome> {
  const {api, signal} = context;
  const names = channelNames(context, channelIds, joining.id);
  const response = await api.subscribe(
    {
      subscriptions: names.map((name) => ({name})),
      ...(userIds.length > 0 && {principals: [...userIds]}),
      authorization_errors_fatal: false,
    },
    {signal},
  );
  return {unauthorized: response.unauthorized ?? []};
}

/** The channels that were left and their unread messages. Plain data that can be stored and passed to `resubscribe`. */
export interface LeftChannels {
  readonly channelIds: readonly number[];
  /** The messages that were unread there. */
  readonly unread: readonly number[];
}

/**
 * Unsubscribes. Not shown optimistically: a private channel cannot be rejoined without help, and messages
 * sent meanwhile never arrive, so there is no exact undo.
 */
export async function unsubscribe(context: SessionContext, channelIds: readonly number[]): Promise<LeftChannels> {
  const {api, cache, signal} = context;
  const names = channelNames(context, channelIds, leaving.id);
  const unread = channelIds.flatMap((id) => unreadIdsOf(cache.state, channelNarrow(id)));
  await api.unsubscribe({subscriptions: names}, {signal});
  return {channelIds, unread};
}

/** Subscribes again and restores the unread messages. */
export async function resubscribe(context: SessionContext, {channelIds, unread}: LeftChannels): Promise<void> {
  const {unauthorized} = await subscribe(context, channelIds);
  if (unauthorized.length > 0) {
    throw invalidCallFailure(joining.id, `Ask a subscriber of #${unauthorized.join(', #')} to add you again.`);
  }
  if (unread.length === 0) return;
  const {api, signal} = context;
  // Not a pending change: nothing can be unread here until the event reports the subscription.
  const mark = () => api.updateFlags({messages: [...unread], op: 'remove', flag: 'read'}, {signal});
  await withRetries(mark, {...context, idempotent: true, limit: maxAttempts});
}

export async function removeSubscribers(
  context: SessionContext,
  channelId: number,
  userIds: readonly number[],
): Promise<void> {
  const names = channelNames(context, [channelId], leaving.id);
  await context.api.unsubscribe({subscriptions: names, principals: [...userIds]}, {signal: context.signal});
}

export interface NewChannel {
  readonly name: string;
  readonly description?: string;
  /** The user is always subscribed. */
  readonly subscriberIds?: readonly number[];
  readonly isPrivate?: boolean;
  readonly isWebPublic?: boolean;
  readonly hasSharedHistory?: boolean;
  readonly announce?: boolean;
  readonly folderId?: number;
  readonly isDefault?: boolean;
  /** Days, `unlimited` or `realm_default`. */
  readonly retention?: number | string;
  readonly topicsPolicy?: string;
  /** Whether subscribers get mobile notifications unless they choose otherwise. */
  readonly defaultPush?: boolean;
  readonly permissions?: Readonly<Partial<Record<ChannelSettingName, GroupSetting>>>;
}

/** Returns the id of the new channel. */
export async function createChannel({api, cache, signal}: SessionContext, channel: NewChannel): Promise<number> {
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
      ...(channel.isDefault !== undefined && {is_default_stream: channel.isDefault}),
      ...(channel.retention !== undefined && {message_retention_days: channel.retention}),
      ...(channel.topicsPolicy !== undefined && {topics_policy: channel.topicsPolicy}),
      ...(channel.defaultPush !== undefined && {default_push_notifications: channel.defaultPush}),
      ...channel.permissions,
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

/** Deletes a topic, with as many requests as that takes; `onBatch` runs after each that left messages. */
export async function deleteTopic(
  {api, signal}: SessionContext,
  channelId: number,
  topic: string,
  onBatch?: () => void,
): Promise<void> {
  await api.deleteTopic({stream_id: channelId, topic_name: topic}, {signal, onBatch});
}

import {withRetries} from '#api/retry.ts';
import {channelNarrow} from '#state/model/narrow.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {unreadIdsOf} from '#state/unreads/unreads.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import {subscribe as joining, unsubscribe as leaving, updateChannel as updating} from '#wire/endpoints/channels.ts';
import type {Endpoints} from '#wire/endpoints.ts';
import {invalidCallFailure, isRefusal} from '#wire/failure.ts';

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
  /** The users who were not subscribed before, by channel. */
  readonly added: ReadonlyMap<number, readonly number[]>;
  /** False: the server did not tell the new subscribers, because they are too many. */
  readonly isTold: boolean;
}

interface SubscribeOptions {
  /** Subscribes these users instead of the own one. */
  readonly userIds?: readonly number[];
  /** False: other users are not told that they were subscribed. */
  readonly tellsThem?: boolean;
}

/** Subscribes the user, or others, to existing channels. Channels that are not allowed do not prevent the others. */
export async function subscribe(
  context: SessionContext,
  channelIds: readonly number[],
  {userIds = [], tellsThem = true}: SubscribeOptions = {},
): Promise<SubscribeOutcome> {
  const {api} = context;
  const names = channelNames(context, channelIds, joining.id);
  const response = await api.subscribe({
    subscriptions: names.map((name) => ({name})),
    ...(userIds.length > 0 && {principals: [...userIds]}),
    authorization_errors_fatal: false,
    ...(!tellsThem && {send_new_subscription_messages: false}),
  });
  const entries = Object.entries(response.subscribed);
  const addedTo = (name: string) => entries.flatMap(([id, channels]) => (channels.includes(name) ? [Number(id)] : []));
  return {
    unauthorized: response.unauthorized ?? [],
    added: new Map(channelIds.map((id, at) => [id, addedTo(names[at] ?? '')])),
    isTold: response.new_subscription_messages_sent !== false || !tellsThem,
  };
}

/** The channels that were left and their unread messages. Plain data that can be stored and passed to `resubscribe`. */
interface LeftChannels {
  readonly channelIds: readonly number[];
  /** The messages that were unread there. */
  readonly unread: readonly number[];
}

/**
 * Unsubscribes. Not shown optimistically: a private channel cannot be rejoined without help, and messages
 * sent meanwhile never arrive, so there is no exact undo.
 */
export async function unsubscribe(context: SessionContext, channelIds: readonly number[]): Promise<LeftChannels> {
  const {api, cache} = context;
  const names = channelNames(context, channelIds, leaving.id);
  const unread = channelIds.flatMap((id) => unreadIdsOf(cache.state, channelNarrow(id)));
  await api.unsubscribe({subscriptions: names});
  return {channelIds, unread};
}

/** Subscribes again and restores the unread messages. */
export async function resubscribe(context: SessionContext, {channelIds, unread}: LeftChannels): Promise<void> {
  const {unauthorized} = await subscribe(context, channelIds);
  if (unauthorized.length > 0) {
    throw invalidCallFailure(joining.id, `Ask a subscriber of #${unauthorized.join(', #')} to add you again.`);
  }
  if (unread.length === 0) return;
  const {api} = context;
  // Not a pending change: nothing can be unread here until the event reports the subscription.
  const mark = () => api.updateFlags({messages: [...unread], op: 'remove', flag: 'read'});
  await withRetries(mark, {...context, idempotent: true, limit: maxAttempts});
}

export async function removeSubscribers(
  context: SessionContext,
  channelId: number,
  userIds: readonly number[],
): Promise<void> {
  const names = channelNames(context, [channelId], leaving.id);
  await context.api.unsubscribe({subscriptions: names, principals: [...userIds]});
}

/** The user is always subscribed. */
export type NewChannel = Partial<ArgsOf<Endpoints['createChannel']>> & {readonly name: string};

/** Whether the organization has no channel for announcements, so that a server announces no new channel. */
export function announcesNowhere({realm}: Pick<AccountState, 'realm'>): boolean {
  return (realm.newStreamAnnouncementsStreamId ?? 0) < 0;
}

/** Returns the id of the new channel. */
export async function createChannel(
  context: SessionContext,
  {name, subscribers = [], is_default_stream: isDefault = false, ...settings}: NewChannel,
): Promise<number> {
  const {api, cache} = context;
  const {self, server} = cache.state;
  const {defaultChannelSetting} = server.abilities;
  const {id} = await api.createChannel({
    name: name.trim(),
    description: '',
    subscribers: [...new Set([self.userId, ...subscribers])],
    invite_only: false,
    is_web_public: false,
    announce: false,
    ...settings,
    ...(isDefault && defaultChannelSetting && {is_default_stream: true}),
  });
  if (isDefault && !defaultChannelSetting) await setDefaultChannel(context, id, true);
  return id;
}

export type ChannelChange = Omit<ArgsOf<Endpoints['updateChannel']>, 'stream_id'>;

export async function updateChannel(
  context: SessionContext,
  channelId: number,
  {is_default_stream: isDefault, ...change}: ChannelChange,
): Promise<void> {
  const {api, cache} = context;
  const isSeparate = isDefault !== undefined && !cache.state.server.abilities.defaultChannelSetting;
  const sent = {...change, ...(isDefault !== undefined && !isSeparate && {is_default_stream: isDefault})};
  if (Object.keys(sent).length > 0) {
    await api.updateChannel({stream_id: channelId, ...sent}).catch((error: unknown) => {
      const isStale = isRefusal(error, 'EXPECTATION_MISMATCH');
      throw isStale ? invalidCallFailure(updating.id, 'Someone else has changed a permission meanwhile.') : error;
    });
  }
  if (isSeparate) await setDefaultChannel(context, channelId, isDefault);
}

export async function setDefaultChannel({api}: SessionContext, channelId: number, isDefault: boolean): Promise<void> {
  const args = {stream_id: channelId};
  await (isDefault ? api.addDefaultChannel(args) : api.removeDefaultChannel(args));
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

export function archiveChannel({api}: SessionContext, channelId: number) {
  return api.archiveChannel({stream_id: channelId});
}

/** Resolves with the address to which emails become messages of the channel. */
export async function fetchChannelEmail({api}: SessionContext, channelId: number) {
  return (await api.getChannelEmail({stream_id: channelId})).email;
}

export function updateFolder({api}: SessionContext, id: number, change: FolderChange) {
  return api.updateFolder({channel_folder_id: id, ...change});
}

type FolderChange = Omit<ArgsOf<Endpoints['updateFolder']>, 'channel_folder_id'>;

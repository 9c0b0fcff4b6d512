import {checkedChannelName, retentionDays} from '#server/actions/channels/checked-channel-fields.ts';
import {createChannel, type NewChannelSettings} from '#server/actions/channels/create-channel.ts';
import type {ActionContext} from '#server/context.ts';
import {findChannelByName} from '#server/db/channels.ts';
import {type ChannelRow, fold, type UserRow} from '#server/db/rows.ts';
import type {UserViewRow} from '#server/db/users.ts';
import {badRequest, channelExistsError} from '#server/http/errors.ts';
import {canReadChannel} from '#server/permissions/channel.ts';
import {canAddOthers, canAddSubscribers, canSubscribeSelf} from '#server/permissions/subscribe.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import type {endpoints} from '#wire/endpoints.ts';
import {findPrincipals} from './principals.ts';
import {subscribeInSlices} from './subscribe-users.ts';
import {checkedColor} from './subscription-colors.ts';
import {type AddedSubscribers, announceChannel, sendSubscriptionNotices} from './subscription-notices.ts';

type SubscribeParams = ParamsOf<typeof endpoints.subscribe>;

interface RequestedChannel {
  readonly name: string;
  readonly description: string;
  readonly color: string | undefined;
}

interface SubscribeResult {
  readonly subscribed: Record<string, string[]>;
  readonly already_subscribed: Record<string, string[]>;
  readonly unauthorized?: string[];
  readonly new_subscription_messages_sent?: boolean;
}

/** Subscribes users to channels by name and creates the channels that do not exist yet. */
export function* subscribe(
  act: ActionContext,
  actor: UserRow,
  params: SubscribeParams,
): Generator<void, SubscribeResult> {
  if (params.message_retention_days !== undefined) retentionDays(params.message_retention_days);
  const people = findPrincipals(act, actor, params.principals);
  yield;
  const {channels, created, unauthorized} = resolveChannels(act, actor, people, params);
  const subscribed: Record<string, string[]> = {};
  const alreadySubscribed: Record<string, string[]> = {};
  const notices: AddedSubscribers[] = [];
  for (const {channel, color} of channels) {
    const ids = people.map((person) => person.id);
    const {added, already} = yield* subscribeInSlices(act, actor, channel, ids, {color});
    for (const id of added) append(subscribed, id, channel.name);
    for (const id of already) append(alreadySubscribed, id, channel.name);
    // Subscribers of a new channel learn of it by the channel itself.
    if (!created.includes(channel)) notices.push({channel, added});
  }
  if (params.announce) for (const channel of created) announceChannel(act, actor, channel);
  const sent = params.send_new_subscription_messages
    ? {new_subscription_messages_sent: sendSubscriptionNotices(act, actor, notices)}
    : {};
  return {
    subscribed,
    already_subscribed: alreadySubscribed,
    ...(params.authorization_errors_fatal ? {} : {unauthorized}),
    ...sent,
  };
}

function append(names: Record<string, string[]>, userId: number, name: string): void {
  const list = names[userId];
  if (list === undefined) names[userId] = [name];
  else list.push(name);
}

interface ResolvedChannels {
  readonly channels: {channel: ChannelRow; color: string | undefined}[];
  readonly created: ChannelRow[];
  readonly unauthorized: string[];
}

/** Finds the channel of each name, creates missing ones and separates those that the actor may not use. */
function resolveChannels(
  act: ActionContext,
  actor: UserRow,
  people: readonly UserViewRow[],
  params: SubscribeParams,
): ResolvedChannels {
  const resolved: ResolvedChannels = {channels: [], created: [], unauthorized: []};
  for (const {name, description, color} of requestedChannels(params.subscriptions)) {
    const existing = findChannelByName(act.db, name);
    if (existing === undefined) {
      const channel = createChannel(act, actor, {name, description}, params);
      checkCanAddOthers(act, actor, channel, people);
      resolved.created.push(channel);
      resolved.channels.push({channel, color});
      continue;
    }
    const problem = subscribingProblem(act, actor, existing, people, name);
    if (problem === undefined) resolved.channels.push({channel: existing, color});
    else if (params.authorization_errors_fatal) throw badRequest(problem);
    else resolved.unauthorized.push(name);
  }
  return resolved;
}

function requestedChannels(subscriptions: SubscribeParams['subscriptions']): RequestedChannel[] {
  const byName = new Map<string, RequestedChannel>();
  for (const {name: input, description, color} of subscriptions) {
    const name = checkedChannelName(input);
    byName.set(fold(name), {
      name,
      description: description ?? '',
      color: color === undefined ? undefined : checkedColor(color),
    });
  }
  return [...byName.values()];
}

function subscribingProblem(
  act: ActionContext,
  actor: UserRow,
  channel: ChannelRow,
  people: readonly UserViewRow[],
  requestedName: string,
): string | undefined {
  // The name as requested: the error must not reveal the spelling of a hidden channel's name.
  const unable = `Unable to access channel (${requestedName}).`;
  if (people.every((person) => person.id === actor.id)) {
    return canSubscribeSelf(act, actor, channel) ? undefined : unable;
  }
  if (canAddSubscribers(act, actor, channel)) return undefined;
  return channel.is_archived === 0 && canReadChannel(act, actor, channel) ? 'Insufficient permission' : unable;
}

function checkCanAddOthers(
  act: ActionContext,
  actor: UserRow,
  channel: ChannelRow,
  people: readonly UserViewRow[],
): void {
  if (people.some((person) => person.id !== actor.id) && !canAddOthers(act, actor, channel)) {
    throw badRequest('Insufficient permission');
  }
}

/** Creates one channel with exactly these subscribers, who need not include the actor. */
export function* createChannelWithSubscribers(
  act: ActionContext,
  actor: UserRow,
  input: {
    name: string;
    description: string;
    subscribers: readonly number[];
    announce: boolean;
    settings: NewChannelSettings;
  },
): Generator<void, ChannelRow> {
  const name = checkedChannelName(input.name);
  if (findChannelByName(act.db, name) !== undefined) throw channelExistsError(name);
  const people = input.subscribers.length === 0 ? [] : findPrincipals(act, actor, input.subscribers);
  const channel = createChannel(act, actor, input, input.settings);
  checkCanAddOthers(act, actor, channel, people);
  yield* subscribeInSlices(
    act,
    actor,
    channel,
    people.map((person) => person.id),
  );
  if (input.announce) announceChannel(act, actor, channel);
  return channel;
}

import {checkedChannelName, retentionDays} from '#server/actions/channels/checked-channel-fields.ts';
import {createChannel, type NewChannelSettings} from '#server/actions/channels/create-channel.ts';
import type {ActionContext} from '#server/context.ts';
import {findChannelByName} from '#server/db/channels.ts';
import {type ChannelRow, fold, type UserRow} from '#server/db/rows.ts';
import {badRequest, channelExistsError} from '#server/http/errors.ts';
import {canReadChannel} from '#server/permissions/channel.ts';
import {canAddOthers} from '#server/permissions/subscribe.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import type {endpoints} from '#wire/endpoints.ts';
import {findPrincipals} from './principals.ts';
import {subscribeUsers} from './subscribe-users.ts';
import {checkColor} from './subscription-colors.ts';
import {sendCreationNotices, sendSubscriptionNotices} from './subscription-notices.ts';

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
export function subscribe(
  act: ActionContext,
  actor: UserRow,
  params: SubscribeParams,
  paramName = 'subscriptions',
): SubscribeResult {
  for (const [index, {color}] of params.subscriptions.entries()) {
    if (color != null) checkColor(color, 'add.color', `${paramName}[${index}]`);
  }
  if (params.message_retention_days !== undefined) retentionDays(params.message_retention_days);
  const {channels, created, unauthorized} = resolveChannels(act, actor, params);
  const people = findPrincipals(act, actor, params.principals);
  const ids = people.map((person) => person.id);
  const results = subscribeUsers(act, channels, ids);
  const subscribed: Record<string, string[]> = {};
  const alreadySubscribed: Record<string, string[]> = {};
  for (const {channel, added, already} of results) {
    for (const id of added) append(subscribed, id, channel.name);
    for (const id of already) append(alreadySubscribed, id, channel.name);
  }
  // Subscribers of a new channel learn of it by the channel itself.
  const notices = results.filter(({channel}) => !created.includes(channel));
  const sent = params.send_new_subscription_messages
    ? {new_subscription_messages_sent: sendSubscriptionNotices(act, actor, notices)}
    : {};
  sendCreationNotices(act, actor, created, params.announce);
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
function resolveChannels(act: ActionContext, actor: UserRow, params: SubscribeParams): ResolvedChannels {
  const addsOthers = params.principals?.some((name) => name !== actor.id) === true;
  const resolved: ResolvedChannels = {channels: [], created: [], unauthorized: []};
  for (const {name, description, color} of requestedChannels(params.subscriptions)) {
    const existing = findChannelByName(act.db, name);
    if (existing === undefined) {
      const channel = createChannel(act, actor, {name, description}, params);
      resolved.created.push(channel);
      resolved.channels.push({channel, color});
      continue;
    }
    const problem = subscribingProblem(act, actor, existing, addsOthers, name);
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
    const key = fold(name);
    if (!byName.has(key)) byName.set(key, {name, description: description ?? '', color: color ?? undefined});
  }
  return [...byName.values()];
}

function subscribingProblem(
  act: ActionContext,
  actor: UserRow,
  channel: ChannelRow,
  addsOthers: boolean,
  requestedName: string,
): string | undefined {
  // The name as requested: the error must not reveal the spelling of a hidden channel's name.
  if (!canReadChannel(act, actor, channel)) return `Unable to access channel (${requestedName}).`;
  return addsOthers && !canAddOthers(act, actor, channel) ? 'Insufficient permission' : undefined;
}

/** Creates one channel with exactly these subscribers, who need not include the actor. */
export function createChannelWithSubscribers(
  act: ActionContext,
  actor: UserRow,
  input: {
    name: string;
    description: string;
    subscribers: readonly number[];
    announce: boolean;
    settings: NewChannelSettings;
  },
): ChannelRow {
  const name = checkedChannelName(input.name);
  if (findChannelByName(act.db, name) !== undefined) throw channelExistsError(name);
  const people = input.subscribers.length === 0 ? [] : findPrincipals(act, actor, input.subscribers);
  const channel = createChannel(act, actor, input, input.settings);
  const ids = people.map((person) => person.id);
  subscribeUsers(act, [{channel}], ids);
  sendCreationNotices(act, actor, [channel], input.announce);
  return channel;
}

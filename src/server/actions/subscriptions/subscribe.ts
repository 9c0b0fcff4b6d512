import {createChannel, retentionDays} from '#server/actions/channels/create-channel.ts';
import {checkedChannelName, nameFor, silentMention} from '#server/actions/inputs.ts';
import {sendNotice, sendPersonalNotice} from '#server/actions/messages/send-message.ts';
import type {RequestContext} from '#server/context.ts';
import {findChannel, findChannelByName, subscribedChannelIds} from '#server/db/channels.ts';
import {type ChannelRow, fold, type Ids} from '#server/db/rows.ts';
import {findUser, listUsers, type UserViewRow} from '#server/db/users.ts';
import {badRequest, channelExistsError, check, unknownPrincipal, unlessRefused} from '#server/errors.ts';
import {
  canAddOthers,
  canReadChannel,
  canRemoveOthers,
  canSeeChannel,
  channelsVisibleTo,
  isSubscribed,
  requireVisibleChannel,
} from '#server/permissions/channel.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {canAccessUser, requireAccessibleUser, requireAccessibleUserByEmail} from '#server/permissions/user-access.ts';
import {type Route, route, slicedRoute} from '#server/route.ts';
import {withoutPauses} from '#server/run-action.ts';
import {channelSets} from '#server/views/channel.ts';
import {defaultsOf, type ParamsOf, type ResultOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {checkColor, subscribeInSlices, unsubscribeInSlices} from './subscribe-users.ts';

export const subscriptionRoutes: readonly Route[] = [
  route(endpoints.getSubscriptions, 'account', (call, {include_subscribers: includeSubscribers}) => {
    const options = {includeArchived: false, nullNotifications: true, includeSubscribers};
    return {subscriptions: channelSets(call, call.actor, options).subscriptions};
  }),
  slicedRoute(endpoints.createChannel, 'member', function* (call, params) {
    return {id: (yield* createChannelWithSubscribers(call, params)).id};
  }),
  slicedRoute(endpoints.subscribe, 'member', subscribe),
  slicedRoute(endpoints.unsubscribe, 'account', (call, params) =>
    unsubscribe(call, params.subscriptions, params.principals),
  ),
  // Subscribes and unsubscribes in one action: a channel of `delete` that does not exist refuses both.
  route(endpoints.changeSubscriptions, 'account', (call, params) => {
    if (params.add.length === 0 && params.delete.length === 0) {
      throw badRequest('Nothing to do. Specify at least one of "add" or "delete".');
    }
    const additions = {...defaultsOf(endpoints.subscribe), subscriptions: params.add};
    const added = withoutPauses(subscribe(call, additions, 'add'));
    const removed = withoutPauses(unsubscribe(call, params.delete, undefined));
    return {...added, ...removed};
  }),
  route(endpoints.getSubscriptionStatus, 'account', (call, {user_id, stream_id}) => {
    const user = requireAccessibleUser(call, call.actor, user_id);
    const channel = requireVisibleChannel(call, call.actor, stream_id);
    return {is_subscribed: isSubscribed(call, user.id, channel.id)};
  }),
  route(endpoints.getUserChannels, 'account', (call, {user_id}) => {
    const user = requireAccessibleUser(call, call.actor, user_id);
    const visible = new Set(channelsVisibleTo(call, call.actor).map((channel) => channel.id));
    return {subscribed_channel_ids: subscribedChannelIds(call.db, user.id).filter((id) => visible.has(id))};
  }),
];

type SubscribeParams = ParamsOf<typeof endpoints.subscribe>;

interface RequestedChannel {
  readonly name: string;
  readonly description: string;
  readonly color: string | undefined;
}

type SubscribeResult = ResultOf<typeof endpoints.subscribe>;

/** Subscribes users to channels by name and creates the channels that do not exist yet. */
function* subscribe(
  act: RequestContext,
  params: SubscribeParams,
  paramName = 'subscriptions',
): Generator<void, SubscribeResult> {
  for (const [index, {color}] of params.subscriptions.entries()) {
    if (color != null) checkColor(color, 'add.color', `${paramName}[${index}]`);
  }
  if (params.message_retention_days !== undefined) retentionDays(params.message_retention_days);
  const {channels, created, unauthorized} = resolveChannels(act, params);
  const people = findPrincipals(act, params.principals);
  const ids = people.map((person) => person.id);
  const results = yield* subscribeInSlices(act, channels, ids);
  const subscribed: Record<string, string[]> = {};
  const alreadySubscribed: Record<string, string[]> = {};
  for (const {channel, added, already} of results) {
    for (const id of added) append(subscribed, id, channel.name);
    for (const id of already) append(alreadySubscribed, id, channel.name);
  }
  // Subscribers of a new channel learn of it by the channel itself.
  const notices = results.filter(({channel}) => !created.includes(channel));
  const sent = params.send_new_subscription_messages
    ? {new_subscription_messages_sent: sendSubscriptionNotices(act, notices)}
    : {};
  sendCreationNotices(act, created, params.announce);
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
function resolveChannels(act: RequestContext, params: SubscribeParams): ResolvedChannels {
  const addsOthers = params.principals?.some((name) => name !== act.actor.id) === true;
  const resolved: ResolvedChannels = {channels: [], created: [], unauthorized: []};
  for (const {name, description, color} of requestedChannels(params.subscriptions)) {
    const existing = findChannelByName(act.db, name);
    if (existing === undefined) {
      const channel = createChannel(act, {name, description}, params);
      resolved.created.push(channel);
      resolved.channels.push({channel, color});
      continue;
    }
    const problem = subscribingProblem(act, existing, addsOthers, name);
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
  act: RequestContext,
  channel: ChannelRow,
  addsOthers: boolean,
  requestedName: string,
): string | undefined {
  const {actor} = act;
  // The name as requested: the error must not reveal the spelling of a hidden channel's name.
  if (!canReadChannel(act, actor, channel)) return `Unable to access channel (${requestedName}).`;
  return addsOthers && !canAddOthers(act, actor, channel) ? 'Insufficient permission' : undefined;
}

/** Creates one channel with exactly these subscribers, who need not include the actor. */
function* createChannelWithSubscribers(
  act: RequestContext,
  input: ParamsOf<typeof endpoints.createChannel>,
): Generator<void, ChannelRow> {
  const name = checkedChannelName(input.name);
  if (findChannelByName(act.db, name) !== undefined) throw channelExistsError(name);
  const people = input.subscribers.length === 0 ? [] : findPrincipals(act, input.subscribers);
  const channel = createChannel(act, input, input);
  const ids = people.map((person) => person.id);
  yield* subscribeInSlices(act, [{channel}], ids);
  sendCreationNotices(act, [channel], input.announce);
  return channel;
}

/** Above this number of users, no direct notices are sent. */
const maxNotices = 100;
const channelEventsTopic = 'channel events';
const newChannelsTopic = 'new channels';

interface AddedSubscribers {
  readonly channel: ChannelRow;
  readonly added: Ids;
}

/** Sends each user a notice that the actor subscribed them. Returns false, without sending, if there are too many. */
function sendSubscriptionNotices(act: RequestContext, subscriptions: readonly AddedSubscribers[]): boolean {
  const {actor} = act;
  const names = new Map<number, string[]>();
  for (const {channel, added} of subscriptions) {
    for (const id of added) names.set(id, [...(names.get(id) ?? []), channel.name]);
  }
  if (names.size > maxNotices) return false;
  for (const [id, channels] of names) {
    const user = findUser(act.db, id);
    if (id === actor.id || user?.is_bot !== 0) continue;
    sendPersonalNotice(act, id, noticeText(nameFor(act, user, actor), channels));
  }
  return true;
}

function noticeText(who: string, channels: readonly string[]): string {
  const [only] = channels;
  if (channels.length === 1 && only !== undefined) return `${who} subscribed you to #**${only}**.`;
  const list = channels.toSorted().map((name) => `* #**${name}**`);
  return `${who} subscribed you to the following channels:\n\n${list.join('\n')}`;
}

/** Announces new channels in the organization's channel for announcements and, if the organization wants it, in themselves. */
function sendCreationNotices(act: RequestContext, created: readonly ChannelRow[], announce: boolean): void {
  if (created.length === 0) return;
  const {actor} = act;
  const settings = organization(act);
  const announcements = announce ? findChannel(act.db, settings.new_stream_announcements_stream_id) : undefined;
  if (announcements !== undefined && announcements.is_archived === 0) {
    const destination = {kind: 'channel', channel: announcements, topic: newChannelsTopic} as const;
    const what = created.length > 1 ? 'the following channels:' : 'a new channel';
    const names = created.map(({name}) => `#**${name}**`).join(', ');
    sendNotice(act, destination, `${silentMention(actor)} created ${what} ${names}.`, {actor, linksPublicOnly: true});
  }
  if (settings.send_channel_events_messages) for (const channel of created) announceInside(act, channel);
}

function announceInside(act: RequestContext, channel: ChannelRow): void {
  const {actor} = act;
  const history = channel.history_public_to_subscribers === 1 ? 'shared' : 'protected';
  const openKind = channel.is_web_public === 1 ? 'Web-public' : 'Public';
  const kind = channel.invite_only === 1 ? `Private, ${history} history` : openKind;
  const description = channel.description === '' ? '*No description.*' : channel.description;
  const quoted = `\`\`\`\` quote\n${description}\n\`\`\`\``;
  const topic = channel.topics_policy === 'empty_topic_only' ? '' : channelEventsTopic;
  const text = `**${kind}** channel created by ${silentMention(actor)}. **Description:**\n${quoted}`;
  const destination = {kind: 'channel', channel: findChannel(act.db, channel.id) ?? channel, topic} as const;
  sendNotice(act, destination, text, {actor});
}

/** Unsubscribes users from channels. The lists have a channel once for each user. */
function* unsubscribe(
  act: RequestContext,
  input: readonly string[],
  principals: readonly (number | string)[] | undefined,
): Generator<void, {removed: string[]; not_removed: string[]}> {
  const {actor} = act;
  const people = findPrincipals(act, principals);
  const channels = new Map<number, ChannelRow>();
  const missing: string[] = [];
  for (const name of input.map(checkedChannelName)) {
    const channel = findChannelByName(act.db, name);
    // A hidden channel is the same as none.
    if (channel === undefined || !canSeeChannel(act, actor, channel)) missing.push(name);
    else channels.set(channel.id, channel);
  }
  const isOwn = (person: UserViewRow) => person.id === actor.id || person.bot_owner_id === actor.id;
  check(people.every(isOwn) || canRemoveOthers(act, actor, [...channels.values()]), 'Insufficient permission');
  if (missing.length > 0) throw badRequest(`Channel(s) (${missing.join(', ')}) do not exist`);
  const ids = people.map((person) => person.id);
  const removed = yield* unsubscribeInSlices(act, [...channels.values()], ids);
  const namesOf = (wasSubscribed: boolean) =>
    ids.flatMap((id) =>
      [...channels.values()]
        .filter((channel) => (removed.get(channel.id)?.has(id) ?? false) === wasSubscribed)
        .map(({name}) => name),
    );
  return {removed: namesOf(true), not_removed: namesOf(false)};
}

/** Returns the users that a request names by id or email address, without duplicates; without names, the actor. */
function findPrincipals(act: RequestContext, names: readonly (number | string)[] | undefined): UserViewRow[] {
  const {actor} = act;
  if (names === undefined || names.length === 0) return [actor];
  const people = new Map<number, UserViewRow>();
  const ids = names.filter((name) => typeof name === 'number');
  const byId = new Map(listUsers(act.db, ids).map((user) => [user.id, user]));
  for (const name of names) {
    const person =
      typeof name === 'number' ? byId.get(name) : unlessRefused(() => requireAccessibleUserByEmail(act, actor, name));
    if (person === undefined || person.is_system_bot === 1 || !canAccessUser(act, actor, person))
      throw unknownPrincipal('No such user');
    if (person.is_active === 0) throw unknownPrincipal('User is deactivated');
    people.set(person.id, person);
  }
  return [...people.values()];
}

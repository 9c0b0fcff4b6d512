import type {Connection} from '#api/connection.ts';
import type {CallOptions} from '#api/connection-options.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {isApiFailure, isRefusal, MalformedFailure, refusedFailure, serverTooOldFailure} from '#wire/failure.ts';
import {levels} from '#wire/levels.ts';
import {visibilityPolicies} from '#wire/objects/channel.ts';
import {type AdaptedCall, mapInParallel, maxParallelRequests, unlessRefused} from './adapted-call.ts';

/** Returns a channel's e-mail address. Below level 226 it is part of the subscription. */
export const getChannelEmail: AdaptedCall<'getChannelEmail'> = async (connection, args, options = {}) => {
  const {level} = connection;
  if (level >= levels.channelEmail) return connection.call(endpoints.getChannelEmail, args, options);
  const {subscriptions} = await connection.call(endpoints.getSubscriptions, {}, options);
  const channel = subscriptions.find(({stream_id}) => stream_id === args.stream_id) ?? {};
  const email: unknown = Reflect.get(channel, 'email_address');
  if (typeof email === 'string') return {email};
  const what = 'the address of a channel that you are not subscribed to';
  throw serverTooOldFailure(endpoints.getChannelEmail.id, what, levels.channelEmail, level);
};

/** Creates a channel. Below level 417 a channel is created by subscribing to it. */
export const createChannel: AdaptedCall<'createChannel'> = async (connection, args, options = {}) => {
  if (connection.level >= levels.createChannel) return connection.call(endpoints.createChannel, args, options);
  const {name, description, subscribers, ...settings} = args;
  const endpoint = endpoints.createChannel.id;
  if ((await findChannelId(connection, name, options)) !== undefined) {
    throw refusedFailure(endpoint, `A channel named ${name} already exists.`, 'CHANNEL_ALREADY_EXISTS', 409);
  }
  const subscription = {
    ...settings,
    subscriptions: [{name, description: description ?? ''}],
    // Without principals, older servers subscribe the caller.
    ...(subscribers.length > 0 && {principals: subscribers}),
  };
  await connection.call(endpoints.subscribe, subscription, options);
  // The channel exists now. A failed lookup of its id must not cause a retry.
  const id = await findChannelId(connection, name, options).catch((error: unknown) => {
    if (isApiFailure(error)) return undefined;
    throw error;
  });
  if (id !== undefined) return {id};
  const text = `The channel ${name} was created, but the server did not return its id.`;
  throw new MalformedFailure(text, {endpoint, carriedOut: 'maybe'});
};

async function findChannelId(connection: Connection, stream: string, options: CallOptions) {
  return (await unlessRefused(connection.call(endpoints.getChannelId, {stream}, options)))?.stream_id;
}

type NamesByUser = Record<string, string[]>;

/** Subscribes users. `subscribed` and `already_subscribed` of the result are keyed by user id. */
export const subscribe: AdaptedCall<'subscribe'> = async (connection, args, options = {}) => {
  const response = await connection.call(endpoints.subscribe, args, options);
  const id = await keysToIds(connection, [response.subscribed, response.already_subscribed], options);
  return {...response, subscribed: id(response.subscribed), already_subscribed: id(response.already_subscribed)};
};

/**
 * Returns a function that replaces e-mail keys by user ids. Below level 289 the keys are e-mails. The subscription is done at
 * this point, so an e-mail that cannot be looked up stays instead of causing a failure.
 */
async function keysToIds(
  connection: Connection,
  tables: readonly NamesByUser[],
  options: CallOptions,
): Promise<(table: NamesByUser) => NamesByUser> {
  if (connection.level >= levels.subscribedById) return (table) => table;
  const emails = [...new Set(tables.flatMap(Object.keys))];
  const entries = await mapInParallel(emails, maxParallelRequests, async (email): Promise<[string, string]> => {
    try {
      const {user} = await connection.call(endpoints.getUserByEmail, {email}, options);
      return [email, String(user.user_id)];
    } catch (error) {
      if (isApiFailure(error)) return [email, email];
      throw error;
    }
  });
  const idByEmail = new Map(entries);
  return (table) =>
    Object.fromEntries(Object.entries(table).map(([email, names]) => [idByEmail.get(email) ?? email, names]));
}

/** Sets a topic's visibility. Below level 170 a topic can only be muted or not. */
export const setUserTopic: AdaptedCall<'setUserTopic'> = async (connection, args, options = {}) => {
  const {level} = connection;
  const {stream_id, topic, visibility_policy: policy} = args;
  if (policy === visibilityPolicies.followed && level < levels.followed) {
    throw serverTooOldFailure(endpoints.setUserTopic.id, 'following topics', levels.followed, level);
  }
  if (level >= levels.setUserTopic) return connection.call(endpoints.setUserTopic, args, options);
  if (policy !== visibilityPolicies.muted && policy !== visibilityPolicies.none) {
    throw serverTooOldFailure(endpoints.setUserTopic.id, 'unmuting topics', levels.setUserTopic, level);
  }
  const mute = policy === visibilityPolicies.muted;
  try {
    const op = mute ? 'add' : 'remove';
    return await connection.call(endpoints.muteTopic, {stream_id, topic, op}, options);
  } catch (error) {
    if (level >= levels.repeatedMute || !isRefusal(error, 'BAD_REQUEST')) throw error;
    if ((await isMuted(connection, args, options)) === mute) return {};
    throw error;
  }
};

/** Returns whether a topic is muted. Below level 169 a repeated mute fails like a wrong channel; a snapshot tells which. */
async function isMuted(connection: Connection, args: ArgsOf<typeof endpoints.setUserTopic>, options: CallOptions) {
  const fetched = ['muted_topics', 'user_topic', 'subscription'];
  const state = await connection.call(endpoints.register, {event_types: [], fetch_event_types: fetched}, options);
  if (state.queue_id !== null) {
    await connection.call(endpoints.deleteQueue, {queue_id: state.queue_id}, options).catch(() => {});
  }
  const channel = state.subscriptions?.find(({stream_id}) => stream_id === args.stream_id);
  if (channel === undefined) return undefined;
  const topicName = args.topic.toLowerCase();
  const byId = state.user_topics?.some(
    (row) =>
      row.stream_id === args.stream_id &&
      row.topic_name.toLowerCase() === topicName &&
      row.visibility_policy === visibilityPolicies.muted,
  );
  const byName = state.muted_topics?.some(
    ([name, topic]) => name === channel.name && topic.toLowerCase() === topicName,
  );
  return byId === true || byName === true;
}

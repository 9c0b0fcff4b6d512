import type {Connection} from '#api/connection.ts';
import type {CallOptions} from '#api/connection-options.ts';
import {isApiFailure, isRefusal, MalformedFailure, PermanentFailure, serverTooOldFailure} from '#api/failure.ts';
import type {ArgsOf, ResultOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {levels} from '#wire/levels.ts';

/** Returns a channel. Below level 132 it is looked up in the list of all channels. */
export async function getChannel(
  connection: Connection,
  args: ArgsOf<typeof endpoints.getChannel>,
  options: CallOptions = {},
): Promise<ResultOf<typeof endpoints.getChannel>> {
  if (connection.level >= levels.getChannel) return connection.call(endpoints.getChannel, args, options);
  const {streams} = await connection.call(endpoints.getChannels, {}, options);
  const stream = streams.find(({stream_id}) => stream_id === args.stream_id);
  if (stream !== undefined) return {stream};
  throw new PermanentFailure('There is no such channel, or you cannot see it.', {
    endpoint: endpoints.getChannel.id,
    carriedOut: 'no',
    status: 400,
    code: 'BAD_REQUEST',
  });
}

/** Returns a channel's e-mail address. Below level 226 it is part of the subscription. */
export async function getChannelEmail(
  connection: Connection,
  args: ArgsOf<typeof endpoints.getChannelEmail>,
  options: CallOptions = {},
): Promise<ResultOf<typeof endpoints.getChannelEmail>> {
  const {level} = connection;
  if (level >= levels.channelEmail) return connection.call(endpoints.getChannelEmail, args, options);
  const {subscriptions} = await connection.call(endpoints.getSubscriptions, {}, options);
  const channel = subscriptions.find(({stream_id}) => stream_id === args.stream_id) ?? {};
  const email: unknown = Reflect.get(channel, 'email_address');
  if (typeof email === 'string') return {email};
  const what = 'the address of a channel that you are not subscribed to';
  throw serverTooOldFailure(endpoints.getChannelEmail.id, what, levels.channelEmail, level);
}

/** Creates a channel. Below level 417 a channel is created by subscribing to it. */
export async function createChannel(
  connection: Connection,
  args: ArgsOf<typeof endpoints.createChannel>,
  options: CallOptions = {},
): Promise<ResultOf<typeof endpoints.createChannel>> {
  if (connection.level >= levels.createChannel) {
    return connection.call(endpoints.createChannel, args, options);
  }
  const {name, description, subscribers, ...settings} = args;
  const endpoint = endpoints.createChannel.id;
  if ((await findChannelId(connection, name, options)) !== undefined) {
    throw new PermanentFailure(`A channel named ${name} already exists.`, {
      endpoint,
      carriedOut: 'no',
      status: 409,
      code: 'CHANNEL_ALREADY_EXISTS',
    });
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
}

async function findChannelId(connection: Connection, name: string, options: CallOptions): Promise<number | undefined> {
  try {
    return (await connection.call(endpoints.getChannelId, {stream: name}, options)).stream_id;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

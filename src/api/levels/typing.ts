import type {Connection} from '#api/connection.ts';
import type {CallOptions} from '#api/connection-options.ts';
import {type ArgsOf, endpoint, number, raw} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {levels} from '#wire/levels.ts';
import {s} from '#wire/schema.ts';

/** The former path of the endpoint, which existed for ten levels. */
const formerEditTyping = endpoint('typing.send-edit', 'POST /message_edit_typing', {
  since: levels.editTyping,
  params: {message_id: number, op: raw(s.picklist(['start', 'stop']))},
});

export async function sendTyping(
  connection: Connection,
  args: ArgsOf<typeof endpoints.sendTyping>,
  options: CallOptions = {},
): Promise<object> {
  const {stream_id, ...rest} = args;
  // Below level 215 the channel's id is in `to`.
  const isOlder = connection.level < levels.typingChannelId && stream_id != null;
  return connection.call(endpoints.sendTyping, isOlder ? {...rest, to: [stream_id]} : args, options);
}

export async function sendEditTyping(
  connection: Connection,
  args: ArgsOf<typeof endpoints.sendEditTyping>,
  options: CallOptions = {},
): Promise<object> {
  if (connection.level >= levels.editTypingPath) {
    return connection.call(endpoints.sendEditTyping, args, options);
  }
  return connection.call(formerEditTyping, args, options);
}

import type {Connection} from '#api/connection.ts';
import type {CallOptions} from '#api/connection-options.ts';
import {isRefusal} from '#api/failure.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {levels} from '#wire/levels.ts';

type AddArgs = ArgsOf<typeof endpoints.addReaction>;
type RemoveArgs = ArgsOf<typeof endpoints.removeReaction>;

/** Adds a reaction; it is not a failure when it already exists. */
export async function addReaction(connection: Connection, args: AddArgs, options: CallOptions = {}): Promise<object> {
  try {
    return await connection.call(endpoints.addReaction, args, options);
  } catch (error) {
    if (await isAlreadyDone(connection, error, 'REACTION_ALREADY_EXISTS', args, true, options)) return {};
    throw error;
  }
}

/** Removes a reaction; it is not a failure when it does not exist. */
export async function removeReaction(
  connection: Connection,
  args: RemoveArgs,
  options: CallOptions = {},
): Promise<object> {
  try {
    return await connection.call(endpoints.removeReaction, args, options);
  } catch (error) {
    if (await isAlreadyDone(connection, error, 'REACTION_DOES_NOT_EXIST', args, false, options)) return {};
    throw error;
  }
}

/** Returns whether an error means that the change was already made. Below level 193 only the message itself shows that. */
async function isAlreadyDone(
  connection: Connection,
  error: unknown,
  code: string,
  args: RemoveArgs,
  expected: boolean,
  options: CallOptions,
): Promise<boolean> {
  if (isRefusal(error, code)) return true;
  if (connection.level >= levels.reactionErrors || !isRefusal(error, 'BAD_REQUEST')) return false;
  const query = {message_id: args.message_id, apply_markdown: false};
  try {
    const [{message}, {user_id}] = await Promise.all([
      connection.call(endpoints.getMessage, query, options),
      connection.call(endpoints.getOwnUser, {}, options),
    ]);
    const has = message.reactions.some(
      (reaction) =>
        reaction.user_id === user_id &&
        (args.emoji_code === undefined
          ? reaction.emoji_name === args.emoji_name
          : reaction.emoji_code === args.emoji_code),
    );
    // A missing reaction proves nothing when the name to remove may not exist.
    return has === expected && (expected || args.emoji_code !== undefined);
  } catch (failure) {
    if (isRefusal(failure)) return false;
    throw failure;
  }
}

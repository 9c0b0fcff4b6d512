import type {Connection} from '#api/connection.ts';
import type {CallOptions} from '#api/connection-options.ts';
import {isRefusal} from '#api/failure.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {levels} from '#wire/levels.ts';

type AddArgs = ArgsOf<typeof endpoints.addReaction>;
type RemoveArgs = ArgsOf<typeof endpoints.removeReaction>;

/** A reaction that is there already is no failure: the wish is fulfilled. */
export async function addReaction(
  connection: Connection,
  args: AddArgs,
  options: CallOptions = {},
): Promise<object> {
  try {
    return await connection.call(endpoints.addReaction, args, options);
  } catch (error) {
    if (await isDone(connection, error, 'REACTION_ALREADY_EXISTS', args, true, options)) return {};
    throw error;
  }
}

/** A reaction that is gone already is no failure. */
export async function removeReaction(
  connection: Connection,
  args: RemoveArgs,
  options: CallOptions = {},
): Promise<object> {
  try {
    return await connection.call(endpoints.removeReaction, args, options);
  } catch (error) {
    if (await isDone(connection, error, 'REACTION_DOES_NOT_EXIST', args, false, options)) return {};
    throw error;
  }
}

/** Below level 193 a repetition is refused like anything else: the message itself tells. */
async function isDone(
  connection: Connection,
  error: unknown,
  code: string,
  args: RemoveArgs,
  wanted: boolean,
  options: CallOptions,
): Promise<boolean> {
  if (isRefusal(error, code)) return true;
  if (connection.level >= levels.reactionErrors || !isRefusal(error, 'BAD_REQUEST')) return false;
  const asked = {message_id: args.message_id, apply_markdown: false};
  try {
    const [{message}, {user_id}] = await Promise.all([
      connection.call(endpoints.getMessage, asked, options),
      connection.call(endpoints.getOwnUser, {}, options),
    ]);
    const has = message.reactions.some(
      (reaction) =>
        reaction.user_id === user_id &&
        (args.emoji_code === undefined
          ? reaction.emoji_name === args.emoji_name
          : reaction.emoji_code === args.emoji_code),
    );
    // Not having it proves nothing about a removal by a name that does not exist.
    return has === wanted && (wanted || args.emoji_code !== undefined);
  } catch (failure) {
    if (isRefusal(failure)) return false;
    throw failure;
  }
}

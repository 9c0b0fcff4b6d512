import type {Connection} from '#api/connection.ts';
import type {CallOptions} from '#api/connection-options.ts';
import {isRefusal, serverTooOldFailure} from '#api/failure.ts';
import type {ArgsOf, ResultOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {levels} from '#wire/levels.ts';
import {urlTemplate, type WireLinkifier} from '#wire/objects/linkifier.ts';

export async function getLinkifiers(
  connection: Connection,
  args: ArgsOf<typeof endpoints.getLinkifiers> = {},
  options: CallOptions = {},
): Promise<ResultOf<typeof endpoints.getLinkifiers>> {
  const answer = await connection.call(endpoints.getLinkifiers, args, options);
  return {...answer, linkifiers: answer.linkifiers.map(modernLinkifier)};
}

/** Below level 176 a linkifier has a format instead of a template, in snapshots and events too. */
function modernLinkifier({url_format: older, ...linkifier}: WireLinkifier): WireLinkifier {
  return {...linkifier, url_template: urlTemplate({...linkifier, url_format: older})};
}

/** Two settings had other names and fewer values before. */
export async function updateRealm(
  connection: Connection,
  args: ArgsOf<typeof endpoints.updateRealm>,
  options: CallOptions = {},
): Promise<object> {
  const {level} = connection;
  const {topics_policy: topics, message_edit_history_visibility_policy: history, ...rest} = args;
  const asked: ArgsOf<typeof endpoints.updateRealm> = rest;
  if (level >= levels.topicsPolicy) asked.topics_policy = topics;
  else if (topics !== undefined) asked.mandatory_topics = topics === 'disable_empty_topic';
  if (level >= levels.historyVisibility) asked.message_edit_history_visibility_policy = history;
  else if (history !== undefined) asked.allow_edit_history = history !== 'none';
  return connection.call(endpoints.updateRealm, asked, options);
}

/** Below level 290 a group can only be deleted. */
export async function deactivateGroup(
  connection: Connection,
  args: ArgsOf<typeof endpoints.deactivateGroup>,
  options: CallOptions = {},
): Promise<object> {
  const known = connection.level >= levels.groupDeactivated;
  return connection.call(known ? endpoints.deactivateGroup : endpoints.deleteGroup, args, options);
}

/** Below level 463 keys come with the list of one's bots. */
export async function getBotApiKey(
  connection: Connection,
  args: ArgsOf<typeof endpoints.getBotApiKey>,
  options: CallOptions = {},
): Promise<ResultOf<typeof endpoints.getBotApiKey>> {
  const {level} = connection;
  if (level >= levels.botApiKey) return connection.call(endpoints.getBotApiKey, args, options);
  const {bots} = await connection.call(endpoints.getBots, {}, options);
  const email = await emailOf(connection, args.bot_id, options);
  const bot = bots.find(({user_id, username}) => user_id === args.bot_id || username === email);
  if (bot?.api_key !== undefined) return {api_key: bot.api_key};
  throw serverTooOldFailure(
    endpoints.getBotApiKey.id,
    "the key of somebody else's bot",
    levels.botApiKey,
    level,
  );
}

async function emailOf(connection: Connection, user_id: number, options: CallOptions) {
  try {
    return (await connection.call(endpoints.getUser, {user_id}, options)).user.email;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

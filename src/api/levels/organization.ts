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
  const response = await connection.call(endpoints.getLinkifiers, args, options);
  return {...response, linkifiers: response.linkifiers.map(modernLinkifier)};
}

/** Returns a linkifier with a URL template. Below level 176 it has a format instead. */
function modernLinkifier({url_format: older, ...linkifier}: WireLinkifier): WireLinkifier {
  return {...linkifier, url_template: urlTemplate({...linkifier, url_format: older})};
}

/** Changes settings of the organization. Two of them had other names and fewer values on older servers. */
export async function updateRealm(
  connection: Connection,
  args: ArgsOf<typeof endpoints.updateRealm>,
  options: CallOptions = {},
): Promise<object> {
  const {level} = connection;
  const {topics_policy: topics, message_edit_history_visibility_policy: history, ...rest} = args;
  const params: ArgsOf<typeof endpoints.updateRealm> = rest;
  if (level >= levels.topicsPolicy) params.topics_policy = topics;
  else if (topics !== undefined) params.mandatory_topics = topics === 'disable_empty_topic';
  if (level >= levels.historyVisibility) params.message_edit_history_visibility_policy = history;
  else if (history !== undefined) params.allow_edit_history = history !== 'none';
  return connection.call(endpoints.updateRealm, params, options);
}

/** Deactivates a group. Below level 290 it can only be deleted. */
export async function deactivateGroup(
  connection: Connection,
  args: ArgsOf<typeof endpoints.deactivateGroup>,
  options: CallOptions = {},
): Promise<object> {
  const canDeactivate = connection.level >= levels.groupDeactivated;
  return connection.call(canDeactivate ? endpoints.deactivateGroup : endpoints.deleteGroup, args, options);
}

/** Returns a bot's API key. Below level 463 it is part of the list of own bots. */
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
  throw serverTooOldFailure(endpoints.getBotApiKey.id, "the key of another user's bot", levels.botApiKey, level);
}

async function emailOf(connection: Connection, user_id: number, options: CallOptions) {
  try {
    return (await connection.call(endpoints.getUser, {user_id}, options)).user.email;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

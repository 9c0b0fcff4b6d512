import {createHash} from 'node:crypto';
import type {Connection} from '#api/connection.ts';
import type {CallOptions} from '#api/connection-options.ts';
import {batches} from '#std/batches.ts';
import {type ArgsOf, endpoint, number, raw} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {invalidCallFailure, isRefusal, refusedFailure} from '#wire/failure.ts';
import {levels} from '#wire/levels.ts';
import {orParts, splitDateTerms, type WireNarrow} from '#wire/narrow.ts';
import type {FetchedMessage} from '#wire/objects/message.ts';
import {modernAttachment} from '#wire/objects/personal.ts';
import {s} from '#wire/schema.ts';
import {type AdaptedCall, idsPerQuery, mapInParallel, maxParallelRequests, unlessRefused} from './adapted-call.ts';
import {
  fetchJoined,
  fetchWithinDates,
  type MessageListArgs,
  type MessagesResult,
  resolveWithTerm,
} from './narrow-pages.ts';

/** The timeout of the request that marks a sent message as read, which is not essential. */
const markReadTimeoutMs = 5000;

/** Sends a message. It is marked as read by default; otherwise the server would decide by the client's name. */
export const sendMessage: AdaptedCall<'sendMessage'> = async (connection, args, options = {}) => {
  const asked = {read_by_sender: true, ...args};
  const sent = await connection.call(endpoints.sendMessage, asked, options);
  if (asked.read_by_sender && connection.level < levels.readBySender) {
    // Below level 236 the server decides by the client's name, and does not know Parley. A failure here is ignored.
    const flags = {messages: [sent.id], op: 'add' as const, flag: 'read'};
    await connection.call(endpoints.updateFlags, flags, {...options, timeoutMs: markReadTimeoutMs}).catch(() => {});
  }
  return sent;
};

export const getMessages: AdaptedCall<'getMessages'> = (connection, args = {}, options = {}) =>
  fetchJoined(args, options, (part) =>
    fetchWithinDates(part, options, (bounded) => getMessagesOfNarrow(connection, bounded, options)),
  );

async function getMessagesOfNarrow(
  connection: Connection,
  args: MessageListArgs,
  options: CallOptions,
): Promise<MessagesResult> {
  const {level} = connection;
  const narrow = await resolveWithTerm(connection, args.narrow, options);
  const {message_ids: ids, ...ranged} = {...args, narrow};
  if (ids !== undefined) return messagesByIds(connection, {...ranged, ids: [...new Set(ids)]}, options);
  if (ranged.anchor === 'date' && level < levels.anchorDate) {
    ranged.anchor = await anchorAtDate(connection, narrow ?? [], ranged.anchor_date, options);
  }
  const page = await connection.call(endpoints.getMessages, ranged, options);
  if (level >= levels.narrowFlags || args.include_anchor !== false) return page;
  // Below level 155 the server always includes the anchor.
  const anchor = typeof ranged.anchor === 'number' ? ranged.anchor : page.anchor;
  return {...page, messages: page.messages.filter(({id}) => id !== anchor)};
}

/** Fetches messages by id, below level 300 with one request each. Messages without access are omitted. */
async function messagesByIds(
  connection: Connection,
  {ids, ...args}: Omit<MessageListArgs, 'message_ids'> & {readonly ids: readonly number[]},
  options: CallOptions,
): Promise<MessagesResult> {
  const {apply_markdown, client_gravatar, narrow, allow_empty_topic_name} = args;
  const shared = {apply_markdown, client_gravatar, narrow, allow_empty_topic_name};
  const pages =
    connection.level >= levels.messageIds
      ? await mapInParallel(batches(ids, idsPerQuery), 1, async (some) => {
          const page = {...shared, message_ids: some};
          return (await connection.call(endpoints.getMessages, page, options)).messages;
        })
      : await mapInParallel(ids, maxParallelRequests, (id) => oneMessage(connection, id, shared, options));
  const messages = pages.flat().sort((a, b) => a.id - b.id);
  return {messages, found_anchor: false, found_oldest: false, found_newest: false, history_limited: false};
}

async function oneMessage(
  connection: Connection,
  id: number,
  shared: Pick<MessageListArgs, 'apply_markdown' | 'client_gravatar' | 'narrow' | 'allow_empty_topic_name'>,
  options: CallOptions,
): Promise<FetchedMessage[]> {
  if (shared.narrow !== undefined && shared.narrow.length > 0) {
    const page = await connection.call(endpoints.getMessages, {...shared, anchor: id}, options);
    return page.messages.filter((message) => message.id === id);
  }
  const {apply_markdown, allow_empty_topic_name} = shared;
  const args = {message_id: id, apply_markdown, allow_empty_topic_name};
  const found = await unlessRefused(connection.call(endpoints.getMessage, args, options));
  return found === undefined ? [] : [found.message];
}

/**
 * Edits or moves a message. By default a move sends no notification to the old topic; below level 152 that must be
 * requested. Below level 379 the server does not check that the text is unchanged, so it is checked just before.
 */
export const editMessage: AdaptedCall<'editMessage'> = async (connection, args, options = {}) => {
  if (connection.level < levels.editLocking) await checkUnchanged(connection, args, options);
  const isMove = args.topic !== undefined || args.stream_id !== undefined;
  const suppressNotice = isMove && connection.level < levels.moveNoticesOptIn;
  const asked = suppressNotice ? {send_notification_to_old_thread: false, ...args} : args;
  const {detached_uploads: detached, ...rest} = await connection.call(endpoints.editMessage, asked, options);
  return {...rest, detached_uploads: (detached ?? []).map(modernAttachment)};
};

async function checkUnchanged(
  connection: Connection,
  {message_id, prev_content_sha256: expected}: ArgsOf<typeof endpoints.editMessage>,
  options: CallOptions,
): Promise<void> {
  if (expected === undefined) return;
  const asked = {message_id, apply_markdown: false};
  const {message} = await connection.call(endpoints.getMessage, asked, options);
  if (createHash('sha256').update(message.content).digest('hex') === expected) return;
  const text = 'Someone else has edited this message in the meantime.';
  throw refusedFailure(endpoints.editMessage.id, text, 'EXPECTATION_MISMATCH', 400);
}

type MatchArgs = ArgsOf<typeof endpoints.matchNarrow>;

export const matchNarrow: AdaptedCall<'matchNarrow'> = async (connection, args, options = {}) => {
  const parts = orParts(args.narrow)?.map((part) => [...part]);
  if (parts === undefined) return {messages: await matchOneNarrow(connection, args, options)};
  const matches = await mapInParallel<WireNarrow, object>(parts, 1, (narrow) =>
    splitDateTerms(narrow).bounds === undefined
      ? matchOneNarrow(connection, {...args, narrow}, options)
      : matchWithinDates(connection, {...args, narrow}, options),
  );
  return {messages: Object.assign({}, ...matches)};
};

/** Fetches the messages for their times: another part may be the reason why the server is asked about them. */
async function matchWithinDates(connection: Connection, {msg_ids, narrow}: MatchArgs, options: CallOptions) {
  const {messages} = await getMessages(connection, {message_ids: msg_ids, narrow}, options);
  const matches = messages.map(({id, match_content = '', match_subject = ''}) => [id, {match_content, match_subject}]);
  return Object.fromEntries(matches);
}

async function matchOneNarrow(connection: Connection, args: MatchArgs, options: CallOptions) {
  // Whether the messages are within the dates of the narrow is known without the server.
  const narrow = await resolveWithTerm(connection, splitDateTerms(args.narrow).terms, options);
  const pages = await mapInParallel(batches(args.msg_ids, idsPerQuery), 1, (msg_ids) =>
    connection.call(endpoints.matchNarrow, {msg_ids, narrow: narrow ?? []}, options),
  );
  return Object.assign({}, ...pages.map(({messages}) => messages));
}

/**
 * Finds the first message of a narrow at or after a date, for servers below level 445, which cannot search by date. It is a
 * binary search over message ids, at most about thirty small requests. Ids and times ascend together.
 */
async function anchorAtDate(
  connection: Connection,
  narrow: WireNarrow,
  date: string | undefined,
  options: CallOptions,
): Promise<number | 'newest'> {
  const seconds = secondsOf(date);
  const peek = async (anchor: number | 'oldest' | 'newest'): Promise<FetchedMessage | undefined> => {
    const sides = anchor === 'newest' ? {num_before: 1, num_after: 0} : {num_before: 0, num_after: 1};
    const args = {anchor, ...sides, narrow, apply_markdown: false};
    const {messages} = await connection.call(endpoints.getMessages, args, options);
    return anchor === 'newest' ? messages.at(-1) : messages[0];
  };
  const newest = await peek('newest');
  if (newest === undefined || newest.timestamp < seconds) return 'newest';
  const oldest = await peek('oldest');
  if (oldest === undefined || oldest.timestamp >= seconds) return oldest?.id ?? newest.id;
  // Messages at or below `low` are too early; the first message from `high` on is `found`.
  let low = oldest.id;
  let high = newest.id;
  let firstId = newest.id;
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    const next = await peek(middle);
    if (next !== undefined && next.timestamp < seconds) {
      low = next.id;
    } else {
      high = middle;
      firstId = next?.id ?? firstId;
    }
  }
  return firstId;
}

/** Parses a date. The default time is midnight, the default zone UTC. */
function secondsOf(date = ''): number {
  const typed = date.trim();
  const zoned = /[Tt ]/.test(typed) && !/(?:[Zz]|[+-]\d{2}:?\d{2})$/.test(typed) ? `${typed}Z` : typed;
  const milliseconds = Date.parse(zoned);
  if (Number.isNaN(milliseconds)) throw invalidCallFailure('message.list', `"${typed}" is not a date.`);
  return Math.ceil(milliseconds / 1000);
}

/** Adds a reaction; it is not a failure when it already exists. */
export const addReaction: AdaptedCall<'addReaction'> = async (connection, args, options = {}) => {
  try {
    return await connection.call(endpoints.addReaction, args, options);
  } catch (error) {
    if (await isAlreadyDone(connection, error, 'REACTION_ALREADY_EXISTS', args, true, options)) return {};
    throw error;
  }
};

/** Removes a reaction; it is not a failure when it does not exist. */
export const removeReaction: AdaptedCall<'removeReaction'> = async (connection, args, options = {}) => {
  try {
    return await connection.call(endpoints.removeReaction, args, options);
  } catch (error) {
    if (await isAlreadyDone(connection, error, 'REACTION_DOES_NOT_EXIST', args, false, options)) return {};
    throw error;
  }
};

/** Returns whether an error means that the change was already made. Below level 193 only the message itself shows that. */
async function isAlreadyDone(
  connection: Connection,
  error: unknown,
  code: string,
  args: ArgsOf<typeof endpoints.removeReaction>,
  expected: boolean,
  options: CallOptions,
): Promise<boolean> {
  if (isRefusal(error, code)) return true;
  if (connection.level >= levels.reactionErrors || !isRefusal(error, 'BAD_REQUEST')) return false;
  const query = {message_id: args.message_id, apply_markdown: false};
  const found = await unlessRefused(
    Promise.all([
      connection.call(endpoints.getMessage, query, options),
      connection.call(endpoints.getOwnUser, {}, options),
    ]),
  );
  if (found === undefined) return false;
  const [{message}, {user_id}] = found;
  const has = message.reactions.some(
    (reaction) =>
      reaction.user_id === user_id &&
      (args.emoji_code === undefined
        ? reaction.emoji_name === args.emoji_name
        : reaction.emoji_code === args.emoji_code),
  );
  // A missing reaction proves nothing when the name to remove may not exist.
  return has === expected && (expected || args.emoji_code !== undefined);
}

/** The former path of the endpoint, which existed for ten levels. */
const formerEditTyping = endpoint('typing.send-edit', 'POST /message_edit_typing', {
  since: levels.editTyping,
  params: {message_id: number, op: raw(s.picklist(['start', 'stop']))},
});

export const sendTyping: AdaptedCall<'sendTyping'> = async (connection, args, options = {}) => {
  const {stream_id, ...rest} = args;
  // Below level 215 the channel's id is in `to`.
  const isOlder = connection.level < levels.typingChannelId && stream_id != null;
  return connection.call(endpoints.sendTyping, isOlder ? {...rest, to: [stream_id]} : args, options);
};

export const sendEditTyping: AdaptedCall<'sendEditTyping'> = async (connection, args, options = {}) => {
  const isOlder = connection.level < levels.editTypingPath;
  return connection.call(isOlder ? formerEditTyping : endpoints.sendEditTyping, args, options);
};

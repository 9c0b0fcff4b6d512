import {createHash} from 'node:crypto';
import type {Connection} from '#api/connection.ts';
import type {CallOptions} from '#api/connection-options.ts';
import {isRefusal, PermanentFailure} from '#api/failure.ts';
import {mapInParallel} from '#api/parallel.ts';
import {batches} from '#std/batches.ts';
import type {ArgsOf, ResultOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {levels} from '#wire/levels.ts';
import type {FetchedMessage} from '#wire/objects/message.ts';
import {anchorAtDate} from './date-anchor.ts';
import {modernAttachment} from './files.ts';
import {idsPerQuery, maxParallelRequests} from './request-limits.ts';
import {resolveWithTerm} from './resolve-with-term.ts';

type MessageListArgs = ArgsOf<typeof endpoints.getMessages>;
type MessagesResult = ResultOf<typeof endpoints.getMessages>;

/** The timeout of the request that marks a sent message as read, which is not essential. */
const markReadTimeoutMs = 5000;

/** Sends a message. It is marked as read by default; otherwise the server would decide by the client's name. */
export async function sendMessage(
  connection: Connection,
  args: ArgsOf<typeof endpoints.sendMessage>,
  options: CallOptions = {},
): Promise<ResultOf<typeof endpoints.sendMessage>> {
  const asked = {read_by_sender: true, ...args};
  const sent = await connection.call(endpoints.sendMessage, asked, options);
  if (asked.read_by_sender && connection.level < levels.readBySender) {
    // Below level 236 the server decides by the client's name, and does not know Parley. A failure here is ignored.
    const flags = {messages: [sent.id], op: 'add' as const, flag: 'read'};
    await connection.call(endpoints.updateFlags, flags, {...options, timeoutMs: markReadTimeoutMs}).catch(() => {});
  }
  return sent;
}

export async function getMessages(
  connection: Connection,
  args: MessageListArgs,
  options: CallOptions = {},
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
  try {
    return [(await connection.call(endpoints.getMessage, args, options)).message];
  } catch (error) {
    if (isRefusal(error)) return [];
    throw error;
  }
}

/**
 * Edits or moves a message. By default a move sends no notification to the old topic; below level 152 that must be
 * requested. Below level 379 the server does not check that the text is unchanged, so it is checked just before.
 */
export async function editMessage(
  connection: Connection,
  args: ArgsOf<typeof endpoints.editMessage>,
  options: CallOptions = {},
): Promise<ResultOf<typeof endpoints.editMessage>> {
  if (connection.level < levels.editLocking) await checkUnchanged(connection, args, options);
  const isMove = args.topic !== undefined || args.stream_id !== undefined;
  const suppressNotice = isMove && connection.level < levels.moveNoticesOptIn;
  const asked = suppressNotice ? {send_notification_to_old_thread: false, ...args} : args;
  const {detached_uploads: detached, ...rest} = await connection.call(endpoints.editMessage, asked, options);
  return {...rest, detached_uploads: (detached ?? []).map(modernAttachment)};
}

async function checkUnchanged(
  connection: Connection,
  {message_id, prev_content_sha256: expected}: ArgsOf<typeof endpoints.editMessage>,
  options: CallOptions,
): Promise<void> {
  if (expected === undefined) return;
  const asked = {message_id, apply_markdown: false};
  const {message} = await connection.call(endpoints.getMessage, asked, options);
  if (createHash('sha256').update(message.content).digest('hex') === expected) return;
  throw new PermanentFailure('Someone else has edited this message in the meantime.', {
    endpoint: endpoints.editMessage.id,
    carriedOut: 'no',
    status: 400,
    code: 'EXPECTATION_MISMATCH',
  });
}

export async function matchNarrow(
  connection: Connection,
  args: ArgsOf<typeof endpoints.matchNarrow>,
  options: CallOptions = {},
): Promise<ResultOf<typeof endpoints.matchNarrow>> {
  const narrow = await resolveWithTerm(connection, args.narrow, options);
  const pages = await mapInParallel(batches(args.msg_ids, idsPerQuery), 1, (msg_ids) =>
    connection.call(endpoints.matchNarrow, {msg_ids, narrow: narrow ?? []}, options),
  );
  return {messages: Object.assign({}, ...pages.map(({messages}) => messages))};
}

import {createHash} from 'node:crypto';
import type {Connection} from '#api/connection.ts';
import type {CallOptions} from '#api/connection-options.ts';
import {isRefusal, PermanentFailure} from '#api/failure.ts';
import {batches, mapInParallel} from '#api/parallel.ts';
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

/** For what is only a courtesy. */
const courtesyMs = 5000;

/** Our own message counts as read unless told otherwise; the server would guess from the client's name. */
export async function sendMessage(
  connection: Connection,
  args: ArgsOf<typeof endpoints.sendMessage>,
  options: CallOptions = {},
): Promise<ResultOf<typeof endpoints.sendMessage>> {
  const asked = {read_by_sender: true, ...args};
  const sent = await connection.call(endpoints.sendMessage, asked, options);
  if (asked.read_by_sender && connection.level < levels.readBySender) {
    // Below level 236 it only guesses, and does not know our name. The message is there, whatever becomes of this.
    const flags = {messages: [sent.id], op: 'add' as const, flag: 'read'};
    await connection.call(endpoints.updateFlags, flags, {...options, timeoutMs: courtesyMs}).catch(() => {});
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
  const found = await connection.call(endpoints.getMessages, ranged, options);
  if (level >= levels.narrowFlags || args.include_anchor !== false) return found;
  // Below level 155 the anchor cannot be left out.
  const anchor = typeof ranged.anchor === 'number' ? ranged.anchor : found.anchor;
  return {...found, messages: found.messages.filter(({id}) => id !== anchor)};
}

/** In as few requests as the server allows: below level 300 that is one per message. Those out of reach are left out. */
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
 * Moving messages leaves no notice behind unless asked to; below level 152 one has to ask it not to. Below level 379
 * nobody watches that a text is still the one expected: it is looked at just before.
 */
export async function editMessage(
  connection: Connection,
  args: ArgsOf<typeof endpoints.editMessage>,
  options: CallOptions = {},
): Promise<ResultOf<typeof endpoints.editMessage>> {
  if (connection.level < levels.editLocking) await checkExpected(connection, args, options);
  const isMove = args.topic !== undefined || args.stream_id !== undefined;
  const quietly = isMove && connection.level < levels.moveNoticesOptIn;
  const asked = quietly ? {send_notification_to_old_thread: false, ...args} : args;
  const {detached_uploads: detached, ...rest} = await connection.call(endpoints.editMessage, asked, options);
  return {...rest, detached_uploads: (detached ?? []).map(modernAttachment)};
}

async function checkExpected(
  connection: Connection,
  {message_id, prev_content_sha256: expected}: ArgsOf<typeof endpoints.editMessage>,
  options: CallOptions,
): Promise<void> {
  if (expected === undefined) return;
  const asked = {message_id, apply_markdown: false};
  const {message} = await connection.call(endpoints.getMessage, asked, options);
  if (createHash('sha256').update(message.content).digest('hex') === expected) return;
  throw new PermanentFailure('Somebody else has changed this message meanwhile.', {
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
    connection.call(endpoints.matchNarrow, {msg_ids, narrow}, options),
  );
  return {messages: Object.assign({}, ...pages.map(({messages}) => messages))};
}

import {cleanContent, cleanTopic, storedTopicName} from '#server/actions/inputs/message-text.ts';
import type {ActionContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {MessageRow, UserRow} from '#server/db/rows.ts';
import {countDetachedRows} from '#server/db/unread-messages.ts';
import {badRequest} from '#server/http/errors.ts';
import {requireActive, requireReadableChannel} from '#server/permissions/channel-access.ts';
import {checkCanEditContent, checkExpectedContent, checkIsNoWidget} from '#server/permissions/edit-message.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {batches} from '#std/batches.ts';
import type {WireAttachment} from '#wire/objects/attachment.ts';
import type {PropagateMode} from '#wire/objects/message.ts';
import {isResolution} from '#wire/objects/topic.ts';
import {type ContentEdit, editContent} from './edit-content.ts';
import {type MessageMove, originOf} from './message-move.ts';
import {emitMessageUpdate} from './message-update-event.ts';
import {type CompletedMove, moveMessages, movePart, planMove} from './move-messages.ts';
import {sendMoveNotices} from './move-notices.ts';

interface EditMessageInput {
  readonly content?: string | undefined;
  readonly topic?: string | undefined;
  readonly channelId?: number | undefined;
  readonly propagateMode: PropagateMode;
  readonly notifyOldThread: boolean;
  readonly notifyNewThread: boolean;
  readonly expectedSha256?: string | undefined;
}

/**
 * Changes a message's text, its channel or topic, or text and topic. Returns the files that no message links to any
 * more.
 */
export function* editMessage(
  act: ActionContext,
  actor: UserRow,
  message: MessageRow,
  input: EditMessageInput,
): Generator<void, WireAttachment[]> {
  if (input.content !== undefined) checkCanEditContent(act, actor, message);
  const written = input.topic === undefined ? undefined : storedTopicName(act, input.topic.trim());
  const topic = written === message.topic ? undefined : written;
  checkRequest(act, message, {...input, topic});
  const move = newLocation(act, actor, message, {...input, topic});
  const content = newContent(input);
  if (content === undefined && move === undefined) throw badRequest('Nothing to change');
  // The text of a message changes together with its topic, unless that takes several actions.
  const movesLater = move !== undefined && isLongMove(move);
  const edit =
    content === undefined ? undefined : editContent(act, actor, message, content, movesLater ? undefined : move);
  if (edit !== undefined && (move === undefined || movesLater)) {
    emitMessageUpdate(act, {actor, message, edit, moved: undefined});
  }
  if (move !== undefined) {
    const moved = yield* moveAll(act, actor, message, move, movesLater ? undefined : edit);
    sendMoveNotices(act, actor, moved, {...input, isTextChanged: edit !== undefined});
  }
  return edit?.detached ?? [];
}

function* moveAll(
  act: ActionContext,
  actor: UserRow,
  message: MessageRow,
  move: MessageMove,
  edit: ContentEdit | undefined,
): Generator<void, CompletedMove> {
  const last = yield* moveAllButLast(act, actor, message, move);
  const ids = [...new Set([...move.ids, ...last.ids])];
  const moved = moveMessages(act, actor, message, last, {edit, allIds: ids});
  emitMessageUpdate(act, {actor, message, edit, moved});
  return {...moved, ids};
}

function checkRequest(act: ActionContext, message: MessageRow, input: EditMessageInput): void {
  const moves = input.topic !== undefined || input.channelId !== undefined;
  if (input.content === undefined && !moves) throw badRequest('Nothing to change');
  if (message.channel_id === null && input.channelId !== undefined) {
    throw badRequest('Direct messages cannot be moved to channels.');
  }
  if (message.channel_id === null && input.topic !== undefined) {
    throw badRequest('Direct messages cannot have topics.');
  }
  if (input.propagateMode !== 'change_one' && !moves) {
    throw badRequest('Invalid propagate_mode without topic or channel edit');
  }
  if (input.topic !== undefined) {
    const empty = ['✔', `✔ ${organization(act).empty_topic_display_name}`];
    if (empty.includes(input.topic)) throw badRequest('General chat cannot be marked as resolved');
    cleanTopic(act, input.topic);
  }
  if (input.content !== undefined && input.channelId !== undefined) {
    throw badRequest('Cannot change message content while changing channel');
  }
  if (input.content !== undefined) checkIsNoWidget(act, message);
  checkExpectedContent(message, input.expectedSha256);
}

function newContent({content: input}: EditMessageInput): string | undefined {
  if (input === undefined) return undefined;
  return input.trim() === '' ? '(deleted)' : cleanContent(input);
}

function newLocation(
  act: ActionContext,
  actor: UserRow,
  message: MessageRow,
  input: EditMessageInput,
): MessageMove | undefined {
  if (message.channel_id === null || (input.topic === undefined && input.channelId === undefined)) return undefined;
  const from = findChannel(act.db, message.channel_id);
  if (from === undefined) throw badRequest('Invalid message(s)');
  const to = input.channelId === undefined ? from : requireActive(requireReadableChannel(act, actor, input.channelId));
  const topic = input.topic === undefined ? message.topic : cleanTopic(act, input.topic);
  if (to.id === from.id && topic === message.topic) return undefined;
  // The prefix of a resolved topic may leave less of a long name.
  const resolution = to.id === from.id && isResolution(message.topic, input.topic ?? message.topic);
  return planMove(act, actor, message, {from, to, topic, mode: input.propagateMode, isResolution: resolution});
}

/** The messages that one action moves, and the unread rows that it writes for readers of both channels. */
const messagesPerSlice = 2000;
const rowsPerSlice = 20_000;
/** The most unread rows that one move may write. */
const maxRows = 300_000;

/** Returns whether a move takes several actions. One to another channel may do so, too. */
function isLongMove({ids}: MessageMove): boolean {
  return ids.length > messagesPerSlice;
}

/**
 * Moves the messages of a long topic in slices, each with its own event, and returns the move of the last ones, to which
 * the requested message belongs: after a crash the request can be repeated. A short move is returned as it is.
 */
function* moveAllButLast(
  act: ActionContext,
  actor: UserRow,
  message: MessageRow,
  move: MessageMove,
): Generator<void, MessageMove> {
  const slices = yield* slicesOf(act, move);
  if (slices.length < 2) return move;
  for (const ids of slices.slice(0, -1)) {
    yield;
    const part = {...move, ids: stillInTopic(act, move, ids).filter((id) => id !== message.id)};
    if (part.ids.length > 0) {
      emitMessageUpdate(act, {actor, message, edit: undefined, moved: movePart(act, actor, part)});
    }
  }
  yield;
  const last = [...(slices.at(-1) ?? []), message.id, ...sentMeanwhile(act, move)];
  return {...move, ids: stillInTopic(act, move, last)};
}

function* slicesOf({db}: ActionContext, move: MessageMove): Generator<void, number[][]> {
  const parts = batches(move.ids, messagesPerSlice);
  if (move.to.id === move.from.id) return parts;
  const slices: number[][] = [];
  let total = 0;
  for (const ids of parts) {
    const count = countDetachedRows(db, ids, originOf(move), move.to.id, maxRows + 1 - total);
    total += count;
    if (total > maxRows) {
      throw badRequest('Too many people have these messages unread. Move fewer messages at once.');
    }
    slices.push(...batches(ids, Math.ceil(messagesPerSlice / Math.max(1, count / rowsPerSlice))));
    yield;
  }
  return slices;
}

/** Returns the messages that nobody deleted or moved elsewhere in a pause, ascending. */
function stillInTopic({db}: ActionContext, move: MessageMove, ids: readonly number[]): number[] {
  const {channelId, topicKey} = originOf(move);
  return db.pluck(
    `SELECT id FROM message WHERE id IN (SELECT value FROM json_each(?)) AND channel_id = ? AND topic_key = ? ORDER BY id`,
    JSON.stringify(ids),
    channelId,
    topicKey,
  );
}

/** Returns the messages of the topic that were sent after the move was planned. */
function sentMeanwhile({db}: ActionContext, move: MessageMove): number[] {
  const {channelId, topicKey} = originOf(move);
  const sql = 'SELECT id FROM message WHERE channel_id = ? AND topic_key = ? AND id > ?';
  return db.pluck(sql, channelId, topicKey, move.ids.at(-1) ?? 0);
}

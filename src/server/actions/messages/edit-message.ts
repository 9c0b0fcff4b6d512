import {cleanContent, cleanTopic} from '#server/actions/inputs/message-text.ts';
import type {ActionContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {ChannelRow, MessageRow, UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {canReadChannel} from '#server/permissions/channel.ts';
import {checkCanEditContent, checkExpectedContent} from '#server/permissions/edit-message.ts';
import type {WireAttachment} from '#wire/objects/attachment.ts';
import type {PropagateMode} from '#wire/objects/message.ts';
import {type ContentEdit, editContent} from './edit-content.ts';
import type {MessageMove} from './message-move.ts';
import {emitMessageUpdate} from './message-update-event.ts';
import {isLongMove, moveAllButLast} from './move-in-slices.ts';
import {moveMessages, planMove} from './move-messages.ts';
import {sendMoveNotices} from './move-notices.ts';

export interface EditMessageInput {
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
  checkRequest(message, input);
  const content = newContent(act, actor, message, input);
  const move = newLocation(act, actor, message, input);
  if (content === undefined && move === undefined) throw badRequest('Nothing to change');
  // The text of a message changes together with its topic, unless that takes several actions.
  const movesLater = move !== undefined && isLongMove(move);
  const edit =
    content === undefined ? undefined : editContent(act, actor, message, content, movesLater ? undefined : move);
  if (edit !== undefined && (move === undefined || movesLater)) {
    emitMessageUpdate(act, {actor, message, edit, moved: undefined});
  }
  if (move !== undefined) yield* moveAndNotify(act, actor, message, {move, edit: movesLater ? undefined : edit, input});
  return edit?.detached ?? [];
}

function* moveAndNotify(
  act: ActionContext,
  actor: UserRow,
  message: MessageRow,
  {move, edit, input}: {move: MessageMove; edit: ContentEdit | undefined; input: EditMessageInput},
): Generator<void, void> {
  const last = yield* moveAllButLast(act, actor, message, move);
  const moved = moveMessages(act, actor, message, last, edit);
  emitMessageUpdate(act, {actor, message, edit, moved});
  sendMoveNotices(act, actor, {...moved, ids: move.ids}, input);
}

function checkRequest(message: MessageRow, input: EditMessageInput): void {
  const moves = input.topic !== undefined || input.channelId !== undefined;
  if (input.content === undefined && !moves) throw badRequest('Nothing to change');
  if (message.channel_id === null && input.topic !== undefined) {
    throw badRequest('Direct messages cannot have topics.');
  }
  if (message.channel_id === null && input.channelId !== undefined) {
    throw badRequest('Direct messages cannot be moved to channels.');
  }
  if (input.propagateMode !== 'change_one' && !moves) {
    throw badRequest('Invalid propagate_mode without topic or channel edit');
  }
  if (input.content !== undefined && input.channelId !== undefined) {
    throw badRequest('Cannot change message content while changing channel');
  }
}

function newContent(
  act: ActionContext,
  actor: UserRow,
  message: MessageRow,
  {content: input, expectedSha256}: EditMessageInput,
): string | undefined {
  if (input === undefined) return undefined;
  checkCanEditContent(act, actor, message);
  checkExpectedContent(message, expectedSha256);
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
  const to = input.channelId === undefined ? from : targetChannel(act, actor, input.channelId);
  const topic = input.topic === undefined ? message.topic : cleanTopic(act, input.topic);
  if (to.id === from.id && topic === message.topic) return undefined;
  return planMove(act, actor, message, {from, to, topic, mode: input.propagateMode});
}

function targetChannel(act: ActionContext, actor: UserRow, id: number): ChannelRow {
  const channel = findChannel(act.db, id);
  if (channel === undefined || !canReadChannel(act, actor, channel)) throw badRequest('Invalid channel ID');
  return channel;
}

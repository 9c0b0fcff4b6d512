import {cleanContent, cleanTopic, storedTopicName} from '#server/actions/inputs/message-text.ts';
import type {ActionContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {MessageRow, UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {requireActive, requireReadableChannel} from '#server/permissions/channel-access.ts';
import {checkCanEditContent, checkExpectedContent, checkIsNoWidget} from '#server/permissions/edit-message.ts';
import {organization} from '#server/permissions/has-permission.ts';
import type {WireAttachment} from '#wire/objects/attachment.ts';
import type {PropagateMode} from '#wire/objects/message.ts';
import {isResolution} from '#wire/objects/topic.ts';
import {editContent} from './edit-content.ts';
import type {MessageMove} from './message-move.ts';
import {emitMessageUpdate} from './message-update-event.ts';
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
export function editMessage(
  act: ActionContext,
  actor: UserRow,
  message: MessageRow,
  input: EditMessageInput,
): WireAttachment[] {
  if (input.content !== undefined) checkCanEditContent(act, actor, message);
  const written = input.topic === undefined ? undefined : storedTopicName(act, input.topic.trim());
  const topic = written === message.topic ? undefined : written;
  checkRequest(act, message, {...input, topic});
  const move = newLocation(act, actor, message, {...input, topic});
  const content = newContent(input);
  if (content === undefined && move === undefined) throw badRequest('Nothing to change');
  const edit = content === undefined ? undefined : editContent(act, actor, message, content, move);
  const moved = move === undefined ? undefined : moveMessages(act, actor, message, move, edit);
  emitMessageUpdate(act, {actor, message, edit, moved});
  if (moved !== undefined) sendMoveNotices(act, actor, moved, {...input, isTextChanged: edit !== undefined});
  return edit?.detached ?? [];
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

import type {ActionContext} from '#server/context.ts';
import {type ChannelRow, fold, type MessageRow, type UserRow} from '#server/db/rows.ts';
import {detachUnread} from '#server/db/unread-messages.ts';
import {
  channelMoveLimit,
  checkAllMovable,
  checkCanMoveToOtherChannel,
  checkCanRenameTopic,
  checkCanResolveTopic,
  topicMoveLimit,
} from '#server/permissions/edit-message.ts';
import {canReadMessage} from '#server/permissions/message.ts';
import {checkCanCreateTopic, checkCanPost, checkTopicPolicy, topicExists} from '#server/permissions/send-message.ts';
import type {PropagateMode} from '#wire/objects/message.ts';
import type {ContentEdit} from './edit-message.ts';
import {channelMessageReaders} from './message-audience.ts';
import {type MessageMove, originOf} from './move-notices.ts';
import {followSplitTopic, moveTopicPolicies, updateMovedReaders} from './move-readers.ts';

export interface CompletedMove extends MessageMove {
  /** The users who get events about the move, each with the messages they see. */
  readonly readers: ReadonlyMap<number, readonly number[]>;
  /** Whether no message that the actor may read is left in the old topic. */
  readonly wasWholeTopic: boolean;
  /** Whether it moved to a topic without other messages that the actor may read. */
  readonly startsTopic: boolean;
}

/** Returns the messages that would move and their destination; throws if the actor may not move them. */
export function planMove(
  act: ActionContext,
  actor: UserRow,
  message: MessageRow,
  {from, to, topic, mode, isResolution}: Pick<MessageMove, 'from' | 'to' | 'topic' | 'mode' | 'isResolution'>,
): MessageMove {
  const targetExisted = topicExists(act, to.id, fold(topic));
  if (isResolution) checkCanResolveTopic(act, actor, from);
  else checkMove(act, actor, message, {from, to, topic, targetExisted});
  const moving = messagesToMove(act, actor, message, from, mode);
  if (mode === 'change_all' && !isResolution) {
    const limits = [
      topic === message.topic ? null : topicMoveLimit(act, actor),
      to.id === from.id ? null : channelMoveLimit(act, actor),
    ];
    checkAllMovable(act, moving, limits);
  }
  const ids = moving.map(({id}) => id);
  return {from, to, oldTopic: message.topic, topic, mode, isResolution, targetExisted, ids};
}

function checkMove(
  act: ActionContext,
  actor: UserRow,
  message: MessageRow,
  {from, to, topic, targetExisted}: Pick<MessageMove, 'from' | 'to' | 'topic' | 'targetExisted'>,
): void {
  if (topic !== message.topic) checkCanRenameTopic(act, actor, message, from);
  if (to.id !== from.id) {
    checkCanMoveToOtherChannel(act, actor, message, from);
    checkCanPost(act, actor, to);
  }
  checkTopicPolicy(act, to, topic);
  if (!targetExisted) checkCanCreateTopic(act, actor, to);
}

/**
 * Returns the message and, depending on the mode, the messages of its topic that move with it and that the actor may
 * read.
 */
function messagesToMove(
  act: ActionContext,
  actor: UserRow,
  message: MessageRow,
  from: ChannelRow,
  mode: PropagateMode,
): Pick<MessageRow, 'id' | 'sent_at'>[] {
  if (mode === 'change_one') return [message];
  // One JSON text takes a fraction of the time of a hundred thousand rows.
  const sql = `SELECT json_group_array(json_object('id', id, 'sent_at', sent_at)) FROM (
       SELECT id, sent_at FROM message WHERE channel_id = ? AND topic_key = ? AND id >= ? ORDER BY id
     )`;
  const list = act.db.value<string>(sql, from.id, message.topic_key, mode === 'change_later' ? message.id : 0);
  const all: Pick<MessageRow, 'id' | 'sent_at'>[] = JSON.parse(list ?? '[]');
  if (from.history_public_to_subscribers === 1) return all;
  const readable = new Set(
    channelMessageReaders(
      act,
      from,
      all.map(({id}) => id),
      new Set([actor.id]),
    ).get(actor.id),
  );
  return all.filter(({id}) => readable.has(id));
}

/** Moves the last or only messages of a move; `allIds` are those of the whole move. */
export function moveMessages(
  act: ActionContext,
  actor: UserRow,
  message: MessageRow,
  move: MessageMove,
  {edit, allIds}: {readonly edit: ContentEdit | undefined; readonly allIds: readonly number[]},
): CompletedMove {
  const readers = writeMove(act, actor, move);
  if (edit !== undefined) addContentToHistory(act, message);
  const wasWholeTopic =
    move.mode === 'change_all' || visibleOthers(act, actor, move.from, {topic: move.oldTopic, ids: []}).length === 0;
  const others = move.targetExisted ? visibleOthers(act, actor, move.to, {topic: move.topic, ids: allIds}) : [];
  if (wasWholeTopic) moveTopicPolicies(act, move);
  else if (message.id < (others[0]?.id ?? Number.POSITIVE_INFINITY)) followSplitTopic(act, move);
  return {...move, readers, wasWholeTopic, startsTopic: wasWholeTopic && others.length === 0};
}

/** Returns the messages of a topic without those that moved there, as far as the actor may read them. */
function visibleOthers(
  act: ActionContext,
  actor: UserRow,
  channel: ChannelRow,
  {topic, ids}: Pick<MessageMove, 'topic' | 'ids'>,
): MessageRow[] {
  const sql = `SELECT * FROM message WHERE channel_id = ? AND topic_key = ? AND id NOT IN (SELECT value FROM json_each(?))
     ORDER BY id ${channel.history_public_to_subscribers === 1 ? 'LIMIT 1' : ''}`;
  const rows = act.db.all<MessageRow>(sql, channel.id, fold(topic), JSON.stringify(ids));
  return rows.filter((row) => canReadMessage(act, actor, row));
}

/** Moves messages when others of the same move follow. */
export function movePart(act: ActionContext, actor: UserRow, move: MessageMove): CompletedMove {
  return {...move, readers: writeMove(act, actor, move), wasWholeTopic: false, startsTopic: false};
}

/** Writes the new location and returns who gets the event about the move. */
function writeMove(act: ActionContext, actor: UserRow, move: MessageMove): CompletedMove['readers'] {
  const before = channelMessageReaders(act, move.from, move.ids);
  const hasNewChannel = move.to.id !== move.from.id;
  if (hasNewChannel) detachUnread(act.db, move.ids, originOf(move), move.to.id);
  writeLocations(act, actor, move);
  if (!hasNewChannel) return before;
  const sql = `UPDATE channel SET last_message_at = MAX(COALESCE(last_message_at, 0),
       (SELECT MAX(sent_at) FROM message WHERE id IN (SELECT value FROM json_each(?)))) WHERE id = ?`;
  act.db.run(sql, JSON.stringify(move.ids), move.to.id);
  return updateMovedReaders(act, move, before);
}

/** Writes the new location and a history entry of each message. Resolving a topic does not count as a move. */
function writeLocations(act: ActionContext, actor: UserRow, move: MessageMove): void {
  const topicPart = move.topic === move.oldTopic ? '' : `, 'prev_topic', topic, 'topic', ?3`;
  const channelPart = move.to.id === move.from.id ? '' : `, 'prev_stream', channel_id, 'stream', ?4`;
  const entry = `json_object('timestamp', ?1, 'user_id', ?2${topicPart}${channelPart})`;
  act.db.run(
    `UPDATE message SET
       edit_history = '[' || ${entry} || CASE WHEN edit_history IS NULL THEN ']' ELSE ',' || substr(edit_history, 2) END,
       last_moved_at = CASE WHEN ?6 THEN last_moved_at ELSE ?1 END,
       channel_id = ?4, topic = ?3, topic_key = ?5
     WHERE id IN (SELECT value FROM json_each(?7))`,
    act.now,
    actor.id,
    move.topic,
    move.to.id,
    fold(move.topic),
    move.isResolution ? 1 : 0,
    JSON.stringify(move.ids),
  );
}

/** Adds the old text to the move's history entry, because an edit of text and topic is one entry. */
function addContentToHistory(act: ActionContext, message: MessageRow): void {
  const sql = `UPDATE message SET edit_history = json_set(edit_history, '$[0].prev_content', ?) WHERE id = ?`;
  act.db.run(sql, message.content, message.id);
}

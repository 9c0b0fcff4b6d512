import {autoFollow, emitUserTopic} from '#server/actions/topics/user-topics.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import {type ChannelRow, fold, type Ids, type MessageRow} from '#server/db/rows.ts';
import {detachUnread, type MessageOrigin} from '#server/db/unread-messages.ts';
import {findUser} from '#server/db/users.ts';
import {
  channelMoveLimit,
  checkAllMovable,
  checkCanMoveToOtherChannel,
  checkCanRenameTopic,
  checkCanResolveTopic,
  topicMoveLimit,
} from '#server/permissions/change-message.ts';
import {canReadChannel, subscribersOf} from '#server/permissions/channel.ts';
import {isGuest} from '#server/permissions/has-permission.ts';
import {canReadMessage} from '#server/permissions/read-message.ts';
import {checkCanCreateTopic, checkCanPost, checkTopicPolicy, topicExists} from '#server/permissions/send-message.ts';
import {visibilityPolicies} from '#wire/objects/channel.ts';
import type {PropagateMode} from '#wire/objects/message.ts';
import {emitMessagesDeleted} from './delete-messages.ts';
import type {ContentEdit} from './edit-message.ts';
import {channelMessageReaders} from './message-audience.ts';

export interface CompletedMove extends MessageMove {
  /** The users who get events about the move, each with the messages they see. */
  readonly readers: ReadonlyMap<number, Ids>;
  /** Whether no message that the actor may read is left in the old topic. */
  readonly wasWholeTopic: boolean;
  /** Whether it moved to a topic without other messages that the actor may read. */
  readonly startsTopic: boolean;
}

/** Returns the messages that would move and their destination; throws if the actor may not move them. */
export function planMove(
  act: RequestContext,
  message: MessageRow,
  {from, to, topic, mode, isResolution}: Pick<MessageMove, 'from' | 'to' | 'topic' | 'mode' | 'isResolution'>,
): MessageMove {
  const targetExisted = topicExists(act, to.id, fold(topic));
  if (isResolution) checkCanResolveTopic(act, act.actor, from);
  else checkMove(act, message, {from, to, topic, targetExisted});
  const moving = messagesToMove(act, message, from, mode);
  if (mode === 'change_all' && !isResolution) {
    const limits = [
      topic === message.topic ? null : topicMoveLimit(act, act.actor),
      to.id === from.id ? null : channelMoveLimit(act, act.actor),
    ];
    checkAllMovable(act, moving, limits);
  }
  const ids = moving.map(({id}) => id);
  return {from, to, oldTopic: message.topic, topic, mode, isResolution, targetExisted, ids};
}

function checkMove(
  act: RequestContext,
  message: MessageRow,
  {from, to, topic, targetExisted}: Pick<MessageMove, 'from' | 'to' | 'topic' | 'targetExisted'>,
): void {
  if (topic !== message.topic) checkCanRenameTopic(act, act.actor, message, from);
  if (to.id !== from.id) {
    checkCanMoveToOtherChannel(act, act.actor, message, from);
    checkCanPost(act, act.actor, to);
  }
  checkTopicPolicy(act, to, topic);
  if (!targetExisted) checkCanCreateTopic(act, act.actor, to);
}

/**
 * Returns the message and, depending on the mode, the messages of its topic that move with it and that the act.actor may
 * read.
 */
function messagesToMove(
  act: RequestContext,
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
      new Set([act.actor.id]),
    ).get(act.actor.id),
  );
  return all.filter(({id}) => readable.has(id));
}

/** Moves the last or only messages of a move; `allIds` are those of the whole move. */
export function moveMessages(
  act: RequestContext,
  message: MessageRow,
  move: MessageMove,
  {edit, allIds}: {readonly edit: ContentEdit | undefined; readonly allIds: Ids},
): CompletedMove {
  const readers = writeMove(act, move);
  if (edit !== undefined) addContentToHistory(act, message);
  const wasWholeTopic =
    move.mode === 'change_all' || visibleOthers(act, move.from, {topic: move.oldTopic, ids: []}).length === 0;
  const others = move.targetExisted ? visibleOthers(act, move.to, {topic: move.topic, ids: allIds}) : [];
  if (wasWholeTopic) moveTopicPolicies(act, move);
  else if (message.id < (others[0]?.id ?? Number.POSITIVE_INFINITY)) followSplitTopic(act, move);
  return {...move, readers, wasWholeTopic, startsTopic: wasWholeTopic && others.length === 0};
}

/** Returns the messages of a topic without those that moved there, as far as the act.actor may read them. */
function visibleOthers(
  act: RequestContext,
  channel: ChannelRow,
  {topic, ids}: Pick<MessageMove, 'topic' | 'ids'>,
): MessageRow[] {
  const sql = `SELECT * FROM message WHERE channel_id = ? AND topic_key = ? AND id NOT IN (SELECT value FROM json_each(?))
     ORDER BY id ${channel.history_public_to_subscribers === 1 ? 'LIMIT 1' : ''}`;
  const rows = act.db.all<MessageRow>(sql, channel.id, fold(topic), JSON.stringify(ids));
  return rows.filter((row) => canReadMessage(act, act.actor, row));
}

/** Moves messages when others of the same move follow. */
export function movePart(act: RequestContext, move: MessageMove): CompletedMove {
  return {...move, readers: writeMove(act, move), wasWholeTopic: false, startsTopic: false};
}

/** Writes the new location and returns who gets the event about the move. */
function writeMove(act: RequestContext, move: MessageMove): CompletedMove['readers'] {
  const before = channelMessageReaders(act, move.from, move.ids);
  const hasNewChannel = move.to.id !== move.from.id;
  if (hasNewChannel) detachUnread(act.db, move.ids, originOf(move), move.to.id);
  writeLocations(act, move);
  if (!hasNewChannel) return before;
  const sql = `UPDATE channel SET last_message_at = MAX(COALESCE(last_message_at, 0),
       (SELECT MAX(sent_at) FROM message WHERE id IN (SELECT value FROM json_each(?)))) WHERE id = ?`;
  act.db.run(sql, JSON.stringify(move.ids), move.to.id);
  return updateMovedReaders(act, move, before);
}

/** Writes the new location and a history entry of each message. Resolving a topic does not count as a move. */
function writeLocations(act: RequestContext, move: MessageMove): void {
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
    act.actor.id,
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

export interface MessageMove {
  readonly from: ChannelRow;
  readonly to: ChannelRow;
  readonly oldTopic: string;
  readonly topic: string;
  readonly mode: PropagateMode;
  readonly isResolution: boolean;
  /** Whether the destination topic had messages before. */
  readonly targetExisted: boolean;
  /** Ascending. */
  readonly ids: Ids;
}

export function originOf({from, oldTopic}: MessageMove): MessageOrigin {
  return {channelId: from.id, topicKey: fold(oldTopic)};
}

type ReadersById = Map<number, Ids>;

/**
 * Updates readers after messages moved to another channel: users who may not read them there get them deleted. Users
 * who left the old channel or are not subscribed to the new one lose their flags: the messages are no longer theirs.
 * Returns who gets the event about the move, and with which of the messages.
 */
function updateMovedReaders(act: ActionContext, move: MessageMove, before: ReadonlyMap<number, Ids>): ReadersById {
  // With public history all readers see old messages, so who received them does not matter.
  if (move.to.history_public_to_subscribers === 0) movePeriods(act, move.to.id, move.ids);
  deleteFlagsOfFormerReceivers(act, move);
  const after = channelMessageReaders(act, move.to, move.ids);
  const lost: ReadersById = new Map();
  for (const [userId, seen] of before) {
    if (!after.has(userId) && readsAll(act, move, userId)) after.set(userId, seen);
    if (after.get(userId) === seen) continue;
    const readable = new Set(after.get(userId));
    const hidden = readable.size === 0 ? seen : seen.filter((id) => !readable.has(id));
    if (hidden.length > 0) lost.set(userId, hidden);
  }
  emitMessagesDeleted(act, lost, {channel_id: move.from.id, topic: move.oldTopic});
  return new Map([...after].filter(([userId]) => isToldOfMove(act, move, userId, before)));
}

/** Returns whether a user reads the whole history of the new channel, with or without a subscription. */
function readsAll(act: ActionContext, {to}: MessageMove, userId: number): boolean {
  const user = to.history_public_to_subscribers === 1 ? findUser(act.db, userId) : undefined;
  return user !== undefined && canReadChannel(act, user, to);
}

/**
 * Returns whether a reader of the new channel gets the event. Messages of a channel with protected history exist only
 * for those who received them, and guests do not learn of channels that they cannot see.
 */
function isToldOfMove(
  {server, db}: ActionContext,
  {from, to, ids}: MessageMove,
  userId: number,
  before: ReadonlyMap<number, Ids>,
): boolean {
  if (subscribersOf({server}, from.id).has(userId)) return true;
  if (subscribersOf({server}, to.id).has(userId)) {
    if (from.history_public_to_subscribers === 0) return before.has(userId);
    const user = findUser(db, userId);
    return user !== undefined && !isGuest(user);
  }
  const rows = 'SELECT 1 FROM user_message WHERE user_id = ? AND message_id IN (SELECT value FROM json_each(?))';
  return db.get(rows, userId, JSON.stringify(ids)) !== undefined;
}

/** Deletes the flags of users who have or had a subscription to the old channel and have none to the new one. */
function deleteFlagsOfFormerReceivers({db}: ActionContext, {from, to, ids}: MessageMove): void {
  const sql = `DELETE FROM user_message INDEXED BY user_message_by_message WHERE message_id IN (SELECT value FROM json_each(?1))
       AND EXISTS (SELECT 1 FROM subscription AS s WHERE s.user_id = user_message.user_id AND s.channel_id = ?2)
       AND NOT EXISTS (
         SELECT 1 FROM subscription AS s WHERE s.user_id = user_message.user_id AND s.channel_id = ?3 AND s.active = 1
       )`;
  db.run(sql, JSON.stringify(ids), from.id, to.id);
}

/**
 * Makes messages that moved to a channel count as received by its current subscribers, whenever they were sent.
 * Subscription periods are ranges of message ids, so users who subscribed later get a period for just these messages,
 * and the messages are cut out of the periods of users who have left.
 */
function movePeriods(act: ActionContext, channelId: number, ids: Ids): void {
  const list = JSON.stringify(ids);
  const sql = `INSERT INTO subscription_period (user_id, channel_id, since_id, until_id)
     SELECT s.user_id, ?1, moved.value, moved.value + 1
     FROM json_each(?2) AS moved CROSS JOIN subscription AS s ON s.channel_id = ?1 AND s.active = 1
     WHERE NOT EXISTS (
       SELECT 1 FROM subscription_period AS p WHERE p.user_id = s.user_id AND p.channel_id = ?1
         AND p.since_id <= moved.value AND (p.until_id IS NULL OR p.until_id > moved.value)
     )
     ON CONFLICT (user_id, channel_id, since_id) DO UPDATE SET until_id = MAX(until_id, excluded.until_id)`;
  act.db.run(sql, channelId, list);
  for (const id of ids) cutOut(act, channelId, id);
}

interface EndedPeriod {
  readonly user_id: number;
  readonly since_id: number;
  readonly until_id: number;
}

function cutOut({db}: ActionContext, channelId: number, id: number): void {
  const sql = `SELECT user_id, since_id, until_id FROM subscription_period AS p
     WHERE channel_id = ?1 AND since_id <= ?2 AND until_id > ?2 AND NOT EXISTS (
       SELECT 1 FROM subscription WHERE user_id = p.user_id AND channel_id = ?1 AND active = 1
     )`;
  const ended = db.all<EndedPeriod>(sql, channelId, id);
  for (const {user_id, since_id, until_id} of ended) {
    const key = 'user_id = ? AND channel_id = ? AND since_id = ?';
    db.run(`UPDATE subscription_period SET until_id = ? WHERE ${key}`, id, user_id, channelId, since_id);
    if (id + 1 >= until_id) continue;
    const insert = `INSERT INTO subscription_period (user_id, channel_id, since_id, until_id) VALUES (?, ?, ?, ?)
       ON CONFLICT (user_id, channel_id, since_id) DO UPDATE SET until_id = MAX(until_id, excluded.until_id)`;
    db.run(insert, user_id, channelId, id + 1, until_id);
  }
}

const {none, muted, unmuted, followed} = visibilityPolicies;
/** From the least visible to the most. */
const ranking: readonly number[] = [muted, none, unmuted, followed];

/** Returns whether only letters of the topic's name become upper or lower case: then it stays the same topic. */
export function isCaseChange({from, to, oldTopic, topic}: MessageMove): boolean {
  return from.id === to.id && fold(oldTopic) === fold(topic);
}

/**
 * Moves the users' policies (muted, unmuted, followed) with a whole topic. For merged topics the more visible policy
 * wins.
 */
function moveTopicPolicies(act: ActionContext, move: MessageMove): void {
  const oldPolicies = policies(act, move.from.id, fold(move.oldTopic));
  const targetPolicies = isCaseChange(move) ? new Map() : policies(act, move.to.id, fold(move.topic));
  const merges = move.targetExisted && !isCaseChange(move);
  const affected = merges ? new Set([...oldPolicies.keys(), ...targetPolicies.keys()]) : new Set(oldPolicies.keys());
  for (const userId of affected) {
    const old = oldPolicies.get(userId) ?? none;
    const target = targetPolicies.get(userId) ?? none;
    const next = merges ? moreVisible(old, target) : old;
    const changesTarget = next !== target && canReadTarget(act, userId, move);
    if (old !== none) setPolicy(act, userId, move.from.id, move.oldTopic, none, {isLast: !changesTarget});
    if (changesTarget) setPolicy(act, userId, move.to.id, move.topic, next);
  }
}

/** Lets the author of the first message that was moved to a new topic follow it, if their settings say so. */
function followSplitTopic(act: ActionContext, {to, topic, ids}: MessageMove): void {
  const sql = 'SELECT sender_id FROM message WHERE id = ?';
  const author = findUser(act.db, act.db.value<number>(sql, ids[0] ?? 0) ?? 0);
  if (author === undefined || !canReadChannel(act, author, to)) return;
  autoFollow(act, author, {channelId: to.id, topic, topicKey: fold(topic)}, 'started');
}

function moreVisible(a: number, b: number): number {
  return ranking.indexOf(a) > ranking.indexOf(b) ? a : b;
}

/** Users who lost access to the channel must not learn the topic's new name from their policy. */
function canReadTarget(act: ActionContext, userId: number, {to}: MessageMove): boolean {
  const user = findUser(act.db, userId);
  return user !== undefined && canReadChannel(act, user, to);
}

function policies({db}: ActionContext, channelId: number, topicKey: string): Map<number, number> {
  const sql = 'SELECT user_id, policy FROM user_topic WHERE channel_id = ? AND topic_key = ?';
  const rows = db.all<{user_id: number; policy: number}>(sql, channelId, topicKey);
  return new Map(rows.map(({user_id, policy}) => [user_id, policy]));
}

function setPolicy(
  act: ActionContext,
  userId: number,
  channelId: number,
  topic: string,
  policy: number,
  options: {isLast?: boolean} = {},
): void {
  const key = fold(topic);
  if (policy === none) {
    act.db.deleteRows('user_topic', {user_id: userId, channel_id: channelId, topic_key: key});
  } else {
    act.db.replaceRow('user_topic', {
      user_id: userId,
      channel_id: channelId,
      topic_key: key,
      topic_name: topic,
      policy,
      updated_at: act.now,
    });
  }
  emitUserTopic(act, userId, channelId, topic, policy, options);
}

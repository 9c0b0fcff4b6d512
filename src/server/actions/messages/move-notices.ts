import {settingSql} from '#server/accounts/user-settings.ts';
import {silentMention} from '#server/actions/inputs/message-text.ts';
import type {ActionContext} from '#server/context.ts';
import {findMessages} from '#server/db/messages.ts';
import {type ChannelRow, fold, type MessageRow, Trait, type UserRow} from '#server/db/rows.ts';
import type {MessageOrigin} from '#server/db/unread-messages.ts';
import {findUser} from '#server/db/users.ts';
import {messageLinks} from '#server/views/message-details.ts';
import {isResolvedTopic, visibilityPolicies} from '#wire/objects/channel.ts';
import type {PropagateMode} from '#wire/objects/message.ts';
import {deleteMessages} from './delete-message.ts';
import type {CompletedMove} from './move-messages.ts';
import {sendNotice} from './send-message.ts';

interface MoveNoticeOptions {
  readonly send_notification_to_old_thread: boolean | undefined;
  readonly send_notification_to_new_thread: boolean;
  /** The text was changed with the same request. */
  readonly isTextChanged: boolean;
}

/** Posts notices about a move from the notification bot in the old and the new topic. */
export function sendMoveNotices(
  act: ActionContext,
  actor: UserRow,
  moved: CompletedMove,
  options: MoveNoticeOptions,
): void {
  const {from, to, oldTopic, topic} = moved;
  const who = silentMention(actor);
  if (moved.isResolution && !options.isTextChanged) sendResolutionNotice(act, actor, moved);
  if (options.send_notification_to_new_thread && !moved.isResolution) {
    const text = `${subjectOf(act, moved, 'here')} from ${linkTo(from, oldTopic)} by ${who}.`;
    sendNotice(act, {kind: 'channel', channel: to, topic}, text, {actor});
  }
  if (options.send_notification_to_old_thread) {
    const text = `${subjectOf(act, moved, 'away')} to ${linkTo(to, topic)} by ${who}.`;
    sendNotice(act, {kind: 'channel', channel: from, topic: oldTopic}, text, {actor});
  }
}

function subjectOf(act: ActionContext, moved: CompletedMove, direction: 'here' | 'away'): string {
  const {wasWholeTopic, startsTopic, ids} = moved;
  const how = direction === 'here' ? 'moved here' : 'moved';
  if (direction === 'here' ? startsTopic : wasWholeTopic) return `This topic was ${how}`;
  const origin = direction === 'here' ? '' : ' from this topic';
  if (ids.length > 1) return `${ids.length} messages were ${how}${origin}`;
  const [row] = direction === 'here' ? findMessages(act.db, ids) : [];
  const subject = row === undefined ? 'A message' : `[A message](${messageLinks(act.server, row).message_url})`;
  return `${subject} was ${how}${origin}`;
}

function linkTo(channel: ChannelRow, topic: string): string {
  return `#**${channel.name}>${topic}**`;
}

/** Resolving and unresolving a topic again within this time removes the first notice instead of adding one. */
const graceSeconds = 60;

function sendResolutionNotice(act: ActionContext, actor: UserRow, moved: CompletedMove): void {
  const previous = lastMessage(act, moved);
  if (previous !== undefined && isResolutionNotice(act, previous) && act.now - previous.sent_at <= graceSeconds) {
    deleteMessages(act, [previous]);
    return;
  }
  const state = isResolvedTopic(moved.topic) ? 'resolved' : 'unresolved';
  sendNotice(
    act,
    {kind: 'channel', channel: moved.to, topic: moved.topic},
    `${silentMention(actor)} has marked this topic as ${state}.`,
    {readBy: usersWhoAutoRead(act, moved), actor},
  );
}

function lastMessage({db}: ActionContext, {to, topic}: CompletedMove): MessageRow | undefined {
  const sql = 'SELECT * FROM message WHERE channel_id = ? AND topic_key = ? ORDER BY id DESC LIMIT 1';
  return db.get<MessageRow>(sql, to.id, fold(topic));
}

/** Returns whether a message is a notice that its topic was marked as resolved or unresolved. */
export function isResolutionNotice({db}: Pick<ActionContext, 'db'>, {sender_id, content, traits}: MessageRow): boolean {
  if ((traits & Trait.resolutionNotice) !== 0) return true;
  return / has marked this topic as (?:un)?resolved\.$/.test(content) && findUser(db, sender_id)?.is_system_bot === 1;
}

/** Returns the subscribers whose settings mark notices about resolved topics as read. */
function usersWhoAutoRead(act: ActionContext, {to, topic}: CompletedMove): Set<number> {
  const policy = settingSql('resolved_topic_notice_auto_read_policy');
  return new Set(
    act.db.pluck(
      `SELECT user.id FROM subscription AS s JOIN user ON user.id = s.user_id
       WHERE s.channel_id = ?1 AND s.active = 1 AND (${policy} = 'always' OR (${policy} = 'except_followed' AND user.id NOT IN (
         SELECT user_id FROM user_topic WHERE channel_id = ?1 AND topic_key = ?2 AND policy = ?3
       )))`,
      to.id,
      fold(topic),
      visibilityPolicies.followed,
    ),
  );
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
  readonly ids: readonly number[];
}

export function originOf({from, oldTopic}: MessageMove): MessageOrigin {
  return {channelId: from.id, topicKey: fold(oldTopic)};
}

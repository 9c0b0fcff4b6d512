import {settingSql} from '#server/accounts/user-settings.ts';
import {cleanContent, cleanTopic, renamedTopicName, silentMention} from '#server/actions/inputs.ts';
import {linkUploads, unlinkUploads} from '#server/actions/uploads/attachments.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {directConversationMembers, findMessages} from '#server/db/messages.ts';
import {type ChannelRow, fold, type IdSet, type Ids, type MessageRow, Trait} from '#server/db/rows.ts';
import {countDetachedRows, flagsByUserSql} from '#server/db/unread-messages.ts';
import {findUser} from '#server/db/users.ts';
import {badRequest, check, required} from '#server/errors.ts';
import {checkCanEditContent, checkExpectedContent, checkIsNoWidget} from '#server/permissions/change-message.ts';
import {requireOpenChannel} from '#server/permissions/channel.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {checkGroupMentions, checkWildcardMentions} from '#server/permissions/send-message.ts';
import type {MessageAnalysis} from '#server/renderer.ts';
import {messageLinks, type StoredEdit, storedEdits} from '#server/views/message-details.ts';
import {batches} from '#std/batches.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import type {endpoints} from '#wire/endpoints.ts';
import {isResolution, isResolvedTopic, visibilityPolicies} from '#wire/objects/channel.ts';
import type {WireAttachment} from '#wire/objects/personal.ts';
import {flagBitsFor, flagsFromText, textFlagBits} from './change-flags.ts';
import {deleteMessages} from './delete-messages.ts';
import {emitMessageUpdate} from './message-audience.ts';
import {
  type CompletedMove,
  isCaseChange,
  type MessageMove,
  moveMessages,
  movePart,
  originOf,
  planMove,
} from './move-messages.ts';
import {insertMentions, messageTraits} from './post-message.ts';
import {sendNotice} from './send-message.ts';

type EditMessageInput = ParamsOf<typeof endpoints.editMessage>;

/**
 * Changes a message's text, its channel or topic, or text and topic. Returns the files that no message links to any
 * more.
 */
export function* editMessage(
  act: RequestContext,
  message: MessageRow,
  input: EditMessageInput,
): Generator<void, WireAttachment[]> {
  if (input.content !== undefined) checkCanEditContent(act, act.actor, message);
  const written = input.topic === undefined ? undefined : renamedTopicName(act, input.topic.trim());
  const topic = written === message.topic ? undefined : written;
  checkRequest(act, message, {...input, topic});
  const move = newLocation(act, message, {...input, topic});
  const content = newContent(input);
  if (content === undefined && move === undefined) throw badRequest('Nothing to change');
  // The text of a message changes together with its topic, unless that takes several actions.
  const movesLater = move !== undefined && move.ids.length > messagesPerSlice;
  const edit = content === undefined ? undefined : editContent(act, message, content, movesLater ? undefined : move);
  if (edit !== undefined && (move === undefined || movesLater)) {
    emitMessageUpdate(act, {message, edit, moved: undefined});
  }
  if (move !== undefined) {
    const moved = yield* moveAll(act, message, move, movesLater ? undefined : edit);
    sendMoveNotices(act, moved, {...input, isTextChanged: edit !== undefined});
  }
  return edit?.detached ?? [];
}

function* moveAll(
  act: RequestContext,
  message: MessageRow,
  move: MessageMove,
  edit: ContentEdit | undefined,
): Generator<void, CompletedMove> {
  const last = yield* moveAllButLast(act, message, move);
  const ids = [...new Set([...move.ids, ...last.ids])];
  const moved = moveMessages(act, message, last, {edit, allIds: ids});
  emitMessageUpdate(act, {message, edit, moved});
  return {...moved, ids};
}

function checkRequest(act: ActionContext, message: MessageRow, input: EditMessageInput): void {
  const moves = input.topic !== undefined || input.stream_id !== undefined;
  if (input.content === undefined && !moves) throw badRequest('Nothing to change');
  check(message.channel_id !== null || input.stream_id === undefined, 'Direct messages cannot be moved to channels.');
  check(message.channel_id !== null || input.topic === undefined, 'Direct messages cannot have topics.');
  check(input.propagate_mode === 'change_one' || moves, 'Invalid propagate_mode without topic or channel edit');
  if (input.topic !== undefined) {
    const empty = ['✔', `✔ ${organization(act).empty_topic_display_name}`];
    check(!empty.includes(input.topic), 'General chat cannot be marked as resolved');
    cleanTopic(act, input.topic, renamedTopicName);
  }
  if (input.content !== undefined && input.stream_id !== undefined) {
    throw badRequest('Cannot change message content while changing channel');
  }
  if (input.content !== undefined) checkIsNoWidget(act, message);
  checkExpectedContent(message, input.prev_content_sha256);
}

function newContent({content: input}: EditMessageInput): string | undefined {
  if (input === undefined) return undefined;
  return input.trim() === '' ? '(deleted)' : cleanContent(input);
}

function newLocation(act: RequestContext, message: MessageRow, input: EditMessageInput): MessageMove | undefined {
  if (message.channel_id === null || (input.topic === undefined && input.stream_id === undefined)) return undefined;
  const from = required(findChannel(act.db, message.channel_id), 'Invalid message(s)');
  const to = input.stream_id === undefined ? from : requireOpenChannel(act, act.actor, input.stream_id);
  const topic = input.topic === undefined ? message.topic : cleanTopic(act, input.topic, renamedTopicName);
  if (to.id === from.id && topic === message.topic) return undefined;
  // The prefix of a resolved topic may leave less of a long name.
  const resolution = to.id === from.id && isResolution(message.topic, input.topic ?? message.topic);
  return planMove(act, message, {from, to, topic, mode: input.propagate_mode, isResolution: resolution});
}

/** The messages that one action moves, and the unread rows that it writes for readers of both channels. */
const messagesPerSlice = 2000;
const rowsPerSlice = 20_000;
/** The most unread rows that one move may write. */
const maxRows = 300_000;

/**
 * Moves the messages of a long topic in slices, each with its own event, and returns the move of the last ones, to which
 * the requested message belongs: after a crash the request can be repeated. A short move is returned as it is.
 */
function* moveAllButLast(act: RequestContext, message: MessageRow, move: MessageMove): Generator<void, MessageMove> {
  const slices = yield* slicesOf(act, move);
  if (slices.length < 2) return move;
  for (const ids of slices.slice(0, -1)) {
    yield;
    const part = {...move, ids: stillInTopic(act, move, ids).filter((id) => id !== message.id)};
    if (part.ids.length > 0) {
      emitMessageUpdate(act, {message, edit: undefined, moved: movePart(act, part)});
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
    check(total <= maxRows, 'Too many people have these messages unread. Move fewer messages at once.');
    slices.push(...batches(ids, Math.ceil(messagesPerSlice / Math.max(1, count / rowsPerSlice))));
    yield;
  }
  return slices;
}

/** Returns the messages that nobody deleted or moved elsewhere in a pause, ascending. */
function stillInTopic({db}: ActionContext, move: MessageMove, ids: Ids): number[] {
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

export interface ContentEdit {
  readonly content: string;
  readonly traits: number;
  readonly detached: WireAttachment[];
}

/** Replaces the text. When the message moves too, the move writes the common history entry. */
function editContent(act: RequestContext, message: MessageRow, content: string, move: object | undefined): ContentEdit {
  const analysis = act.server.renderer.analyse(content, act.actor);
  if (message.channel_id !== null) {
    checkWildcardMentions(act, act.actor, analysis, message.channel_id, message.topic_key);
  }
  checkGroupMentions(act, act.actor, analysis);
  const traits = messageTraits(content, analysis);
  const entry: StoredEdit = {timestamp: act.now, user_id: act.actor.id, prev_content: message.content};
  const history = move === undefined ? JSON.stringify([entry, ...storedEdits(message)]) : message.edit_history;
  act.db.updateRow('message', message.id, {content, traits, last_edit_at: act.now, edit_history: history});
  act.server.renderer.saveHtml({...message, content});
  act.db.deleteRows('message_mention', {message_id: message.id});
  const recipients = receiversOf(act, message);
  insertMentions(act, message.id, analysis.mentions.userIds, recipients);
  updateTextFlags(act, message, analysis, recipients);
  linkUploads(act, act.actor, message.id, analysis.uploads);
  return {content, traits, detached: unlinkUploads(act, message.id, analysis.uploads)};
}

/** Recomputes the flags that follow from the text (mentions, alert words); read and starred stay. */
function updateTextFlags(act: ActionContext, message: MessageRow, analysis: MessageAnalysis, recipients: IdSet): void {
  const topic = message.channel_id === null ? undefined : {channelId: message.channel_id, topicKey: message.topic_key};
  const textFlags = flagsFromText(act, recipients, analysis, topic);
  const stored = new Map<number, number>();
  const rows = `SELECT user_id, flags FROM ${flagsByUserSql}`;
  for (const row of act.db.all<{user_id: number; flags: number}>(rows, message.id)) {
    stored.set(row.user_id, row.flags);
  }
  for (const id of recipients.union(stored)) {
    const before = stored.get(id) ?? 0;
    const after = (before & ~textFlagBits) | (recipients.has(id) ? flagBitsFor(textFlags, id) : 0);
    if (after !== before) writeFlags(act, id, message.id, after);
  }
}

function receiversOf(act: ActionContext, message: MessageRow): Set<number> {
  if (message.channel_id === null) return new Set(directConversationMembers(act.db, message.dm_id ?? 0));
  return new Set(
    act.db.pluck(
      `SELECT user_id FROM subscription_period
       WHERE channel_id = ? AND since_id <= ? AND (until_id IS NULL OR until_id > ?)`,
      message.channel_id,
      message.id,
      message.id,
    ),
  );
}

/** Writes the flags of one user, who has the message read if there are none. */
function writeFlags(act: ActionContext, userId: number, messageId: number, bits: number): void {
  if (bits === 0) {
    act.db.deleteRows('user_message', {user_id: userId, message_id: messageId});
    return;
  }
  act.db.replaceRow('user_message', {user_id: userId, message_id: messageId, flags: bits});
}

interface MoveNoticeOptions {
  readonly send_notification_to_old_thread: boolean | undefined;
  readonly send_notification_to_new_thread: boolean;
  /** The text was changed with the same request. */
  readonly isTextChanged: boolean;
}

/** Posts notices about a move from the notification bot in the old and the new topic. */
function sendMoveNotices(act: RequestContext, moved: CompletedMove, options: MoveNoticeOptions): void {
  const {from, to, oldTopic, topic} = moved;
  if (isCaseChange(moved)) return;
  const who = silentMention(act.actor);
  if (moved.isResolution && !options.isTextChanged) sendResolutionNotice(act, moved);
  if (options.send_notification_to_new_thread && !moved.isResolution) {
    const text = `${subjectOf(act, moved, 'here')} from ${linkTo(from, oldTopic)} by ${who}.`;
    sendNotice(act, {kind: 'channel', channel: to, topic}, text, {actor: act.actor});
  }
  if (options.send_notification_to_old_thread) {
    const text = `${subjectOf(act, moved, 'away')} to ${linkTo(to, topic)} by ${who}.`;
    sendNotice(act, {kind: 'channel', channel: from, topic: oldTopic}, text, {actor: act.actor});
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

function sendResolutionNotice(act: RequestContext, moved: CompletedMove): void {
  const previous = lastMessage(act, moved);
  if (previous !== undefined && isResolutionNotice(act, previous) && act.now - previous.sent_at <= graceSeconds) {
    deleteMessages(act, [previous]);
    return;
  }
  const state = isResolvedTopic(moved.topic) ? 'resolved' : 'unresolved';
  sendNotice(
    act,
    {kind: 'channel', channel: moved.to, topic: moved.topic},
    `${silentMention(act.actor)} has marked this topic as ${state}.`,
    {readBy: usersWhoAutoRead(act, moved), actor: act.actor},
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

import {recordChannelActivity} from '#server/actions/channels/channel-activity.ts';
import {autoFollow, autoFollowMentioned} from '#server/actions/topics/user-topics.ts';
import {linkUploads} from '#server/actions/uploads/attachments.ts';
import type {ActionContext} from '#server/context.ts';
import {channelSubscribers} from '#server/db/channels.ts';
import {type ChannelRow, Flag, type MessageRow, Trait, type UserRow} from '#server/db/rows.ts';
import {endUnreadByRule} from '#server/db/unread-messages.ts';
import type {MessageAnalysis} from '#server/renderer.ts';
import {flagBitsFor, flagsFromText, type PersonalFlags} from './flag-events.ts';
import {emitMessage} from './message-events.ts';
import {widgetSubmessage} from './submessages.ts';

export type ResolvedDestination =
  | {
      readonly kind: 'channel';
      readonly channel: ChannelRow;
      readonly topic: string;
      readonly topicKey: string;
      readonly isNewTopic: boolean;
    }
  | {readonly kind: 'direct'; readonly dmId: number; readonly members: readonly number[]};

/** A message whose content, destination and permissions the caller has checked. */
export interface MessageToPost {
  readonly content: string;
  readonly analysis: MessageAnalysis;
  readonly destination: ResolvedDestination;
  readonly client: string;
  readonly readBySender: boolean;
  readonly readBy?: ReadonlySet<number> | undefined;
  /** One more user for whom the message arrives marked as read. */
  readonly readByActor?: number | undefined;
  readonly echo: {readonly queueId: string; readonly localId: string} | undefined;
  /** The first submessage, unless the text makes one. */
  readonly widget?: string | undefined;
}

/** Stores and delivers a message. All messages take this path, so each query here slows down every send. */
export function postMessage(
  act: ActionContext,
  sender: UserRow,
  message: MessageToPost,
): {id: number; row: MessageRow; automaticVisibilityPolicy?: number} {
  const {analysis, destination} = message;
  const row = insertMessage(act, sender, message);
  const recipients: ReadonlySet<number> =
    destination.kind === 'channel'
      ? act.server.derivedFacts.get(channelSubscribers(destination.channel.id))
      : new Set(destination.members);
  const flags = personalFlags(act, sender, message, recipients);
  insertFlags(act, row, recipients, flags);
  if (message.readByActor !== undefined && row.unread_by_default === 1) {
    endUnreadByRule(act.db, message.readByActor, [row.id]);
  }
  act.server.deferredWork.add(act);
  insertMentions(act, row.id, analysis.mentions.userIds, recipients);
  const widget = widgetSubmessage(message.content) ?? message.widget;
  if (widget !== undefined) insertWidget(act, row, widget);
  if (analysis.uploads.length > 0) linkUploads(act, sender, row.id, analysis.uploads);
  const channel = destination.kind === 'channel' ? destination.channel : undefined;
  const policy = destination.kind === 'channel' ? applyAutoFollow(act, sender, destination, flags) : undefined;
  emitMessage(act, {
    sender,
    row,
    channel,
    recipients,
    flags,
    hasWidget: widget !== undefined,
    echo: message.echo,
  });
  notifyListeners(act, sender, row, message);
  const sent = {id: row.id, row};
  if (destination.kind === 'direct') return sent;
  recordChannelActivity(act, destination.channel, row.id);
  return policy === undefined ? sent : {...sent, automaticVisibilityPolicy: policy};
}

function notifyListeners(
  act: ActionContext,
  sender: UserRow,
  row: MessageRow,
  {analysis, destination}: MessageToPost,
): void {
  const {messageListeners} = act.server;
  if (messageListeners.size === 0) return;
  const members = destination.kind === 'direct' ? destination.members : [];
  const sent = {row, sender, members, mentioned: analysis.mentions.userIds};
  act.afterCommit(() => {
    for (const listener of messageListeners) listener(sent);
  });
}

function insertMessage(
  act: ActionContext,
  sender: UserRow,
  {content, analysis, destination, client, readBy}: MessageToPost,
): MessageRow {
  const [channelId, dmId] = destination.kind === 'channel' ? [destination.channel.id, null] : [null, destination.dmId];
  const [topic, topicKey] = destination.kind === 'channel' ? [destination.topic, destination.topicKey] : ['', ''];
  const traits = messageTraits(content, analysis);
  const unreadByDefault = destination.kind === 'channel' && readBy === undefined ? 1 : 0;
  const id = act.db.insert(
    `INSERT INTO message
       (sender_id, channel_id, dm_id, topic, topic_key, content, sent_at, client, traits, unread_by_default)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    sender.id,
    channelId,
    dmId,
    topic,
    topicKey,
    content,
    act.now,
    client,
    traits,
    unreadByDefault,
  );
  const row: MessageRow = {
    id,
    sender_id: sender.id,
    channel_id: channelId,
    dm_id: dmId,
    topic,
    topic_key: topicKey,
    content,
    sent_at: act.now,
    client,
    traits,
    unread_by_default: unreadByDefault,
    edit_history: null,
    last_edit_at: null,
    last_moved_at: null,
  };
  act.server.renderer.saveHtml(row);
  return row;
}

export function messageTraits(content: string, analysis: MessageAnalysis): number {
  const {mentions} = analysis;
  return (
    (analysis.hasLink ? Trait.link : 0) |
    (analysis.hasImage ? Trait.image : 0) |
    (analysis.hasAttachment ? Trait.attachment : 0) |
    (content.startsWith('/me ') ? Trait.me : 0) |
    (mentions.channelWildcard ? Trait.channelWildcard : 0) |
    (mentions.topicWildcard ? Trait.topicWildcard : 0)
  );
}

function personalFlags(
  act: ActionContext,
  sender: UserRow,
  {analysis, destination, readBySender, readBy, readByActor}: MessageToPost,
  recipients: ReadonlySet<number>,
): PersonalFlags {
  const topic =
    destination.kind === 'channel' ? {channelId: destination.channel.id, topicKey: destination.topicKey} : undefined;
  const fromText = flagsFromText(act, recipients, analysis, topic);
  const special = new Map<number, number>();
  for (const [id, bits] of fromText.special) special.set(id, bits | Flag.unread);
  const base = fromText.base | Flag.unread;
  const markRead = (id: number) => {
    if (recipients.has(id)) special.set(id, (special.get(id) ?? base) & ~Flag.unread);
  };
  if (readBySender) markRead(sender.id);
  for (const id of act.db.pluck('SELECT user_id FROM muted_user WHERE muted_id = ?', sender.id)) markRead(id);
  for (const id of readBy ?? []) markRead(id);
  if (readByActor !== undefined) markRead(readByActor);
  return {base, special};
}

/** Writes the rows of users whose flags do not follow from the rule for messages without a row. */
function insertFlags(
  {db}: ActionContext,
  {id, sender_id, unread_by_default}: MessageRow,
  recipients: ReadonlySet<number>,
  flags: PersonalFlags,
): void {
  // By the rule, the message is unread for all but its sender and those who muted them.
  const byRule = unread_by_default === 1 && flags.base === Flag.unread;
  const userIds = byRule ? [...flags.special.keys(), sender_id] : [...recipients];
  const byBits = Map.groupBy(userIds, (userId) => (recipients.has(userId) ? flagBitsFor(flags, userId) : 0));
  for (const [bits, ids] of byBits) {
    if (bits === 0) continue;
    const sql = 'INSERT OR IGNORE INTO user_message (user_id, message_id, flags) SELECT value, ?, ? FROM json_each(?)';
    db.run(sql, id, bits, JSON.stringify(ids));
  }
}

/** Records the mentioned users who received the message. */
export function insertMentions(
  act: ActionContext,
  messageId: number,
  userIds: ReadonlySet<number>,
  recipients: ReadonlySet<number>,
): void {
  for (const id of userIds) {
    if (!recipients.has(id)) continue;
    act.db.run('INSERT OR IGNORE INTO message_mention (user_id, message_id) VALUES (?, ?)', id, messageId);
  }
}

function insertWidget(act: ActionContext, row: MessageRow, content: string): void {
  const sql = `INSERT INTO submessage (message_id, sender_id, msg_type, content) VALUES (?, ?, 'widget', ?)`;
  act.db.run(sql, row.id, row.sender_id, content);
}

function applyAutoFollow(
  act: ActionContext,
  sender: UserRow,
  destination: Extract<ResolvedDestination, {kind: 'channel'}>,
  flags: PersonalFlags,
): number | undefined {
  const topic = {channelId: destination.channel.id, topic: destination.topic, topicKey: destination.topicKey};
  const mentioned = [...flags.special].flatMap(([id, bits]) => (bits & Flag.mentioned ? [id] : []));
  const policy = autoFollow(act, sender, topic, destination.isNewTopic ? 'started' : 'sent');
  autoFollowMentioned(act, mentioned, topic);
  return policy;
}

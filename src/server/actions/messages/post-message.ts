import {recordChannelActivity} from '#server/actions/channels/channel-activity.ts';
import {autoFollow, autoFollowMentioned} from '#server/actions/topics/auto-follow.ts';
import {linkUploads} from '#server/actions/uploads/link-uploads.ts';
import type {ActionContext} from '#server/context.ts';
import {channelSubscribers} from '#server/db/channels.ts';
import {type ChannelRow, Flag, type MessageRow, Trait, type UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import type {MessageAnalysis} from '#server/renderer.ts';
import {emitMessage} from './message-events.ts';
import {flagsFromText, type PersonalFlags} from './personal-flags.ts';
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
  readonly echo: {readonly queueId: string; readonly localId: string} | undefined;
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
  if (destination.kind === 'channel') insertChannelFlags(act, row.id, destination.channel.id, flags, recipients.size);
  else insertDirectFlags(act, row.id, destination.members, flags);
  insertMentions(act, row.id, analysis.mentions.userIds);
  const widget = widgetSubmessage(message.content);
  if (widget !== undefined) insertWidget(act, row, widget);
  if (analysis.uploads.length > 0) linkUploads(act, sender, row.id, analysis.uploads);
  const channel = destination.kind === 'channel' ? destination.channel : undefined;
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
  const policy = applyAutoFollow(act, sender, destination, analysis, recipients);
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
  {content, analysis, destination, client}: MessageToPost,
): MessageRow {
  const [channelId, dmId] = destination.kind === 'channel' ? [destination.channel.id, null] : [null, destination.dmId];
  const [topic, topicKey] = destination.kind === 'channel' ? [destination.topic, destination.topicKey] : ['', ''];
  const traits = messageTraits(content, analysis);
  const id = act.db.insert(
    `INSERT INTO message (sender_id, channel_id, dm_id, topic, topic_key, content, sent_at, client, traits)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    sender.id,
    channelId,
    dmId,
    topic,
    topicKey,
    content,
    act.now,
    client,
    traits,
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
  {analysis, destination, readBySender, readBy}: MessageToPost,
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
  return {base, special};
}

/** Writes the rows of users with special flags now and defers those of the other subscribers. */
function insertChannelFlags(
  act: ActionContext,
  messageId: number,
  channelId: number,
  {special, base}: PersonalFlags,
  subscribers: number,
): void {
  for (const [id, bits] of special) insertFlags(act, id, messageId, bits);
  const exceptUserIds = [...special.keys()];
  const deferred = {channelId, flags: base, exceptUserIds, subscriberCount: subscribers};
  act.server.deferredWork.add(act, messageId, subscribers > exceptUserIds.length ? deferred : undefined);
}

function insertDirectFlags(
  act: ActionContext,
  messageId: number,
  members: readonly number[],
  flags: PersonalFlags,
): void {
  for (const id of members) insertFlags(act, id, messageId, flags.special.get(id) ?? flags.base);
  act.server.deferredWork.add(act, messageId, undefined);
}

function insertFlags(act: ActionContext, userId: number, messageId: number, bits: number): void {
  if (bits === 0) return; // A message without a row counts as received and read.
  act.db.run('INSERT INTO user_message (user_id, message_id, flags) VALUES (?, ?, ?)', userId, messageId, bits);
}

export function insertMentions(act: ActionContext, messageId: number, userIds: ReadonlySet<number>): void {
  for (const id of userIds) {
    act.db.run('INSERT OR IGNORE INTO message_mention (user_id, message_id) VALUES (?, ?)', id, messageId);
  }
}

function insertWidget(act: ActionContext, row: MessageRow, content: string): void {
  act.db.run(
    `INSERT INTO submessage (message_id, sender_id, msg_type, content) VALUES (?, ?, 'widget', ?)`,
    row.id,
    row.sender_id,
    content,
  );
}

function applyAutoFollow(
  act: ActionContext,
  sender: UserRow,
  destination: Extract<ResolvedDestination, {kind: 'channel'}>,
  {mentions}: MessageAnalysis,
  recipients: ReadonlySet<number>,
): number | undefined {
  const topic = {channelId: destination.channel.id, topic: destination.topic, topicKey: destination.topicKey};
  for (const id of mentions.userIds) {
    const user = recipients.has(id) && id !== sender.id ? findUser(act.db, id) : undefined;
    if (user !== undefined) autoFollowMentioned(act, user, topic);
  }
  return autoFollow(act, sender, topic, destination.isNewTopic ? 'started' : 'sent');
}

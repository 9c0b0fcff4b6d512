import {type WidgetCommand, widgetCommand} from '#content/widgets/widget-command.ts';
import {userSettings} from '#server/accounts/user-settings.ts';
import {recordChannelActivity} from '#server/actions/events/channel-events.ts';
import {autoFollow, autoFollowMentioned} from '#server/actions/topics/user-topics.ts';
import {linkUploads} from '#server/actions/uploads/attachments.ts';
import type {ActionContext} from '#server/context.ts';
import {channelSubscribers} from '#server/db/channels.ts';
import {type ChannelRow, Flag, type MessageRow, Trait, type UserRow} from '#server/db/rows.ts';
import {endUnreadByRule} from '#server/db/unread-messages.ts';
import {findUser} from '#server/db/users.ts';
import type {EventBody, EventQueue, NarrowedMessage} from '#server/event-queues/event-queues.ts';
import {canReadChannel} from '#server/permissions/channel.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {canAccessUser, isUserAccessLimited} from '#server/permissions/user-access.ts';
import type {MessageAnalysis} from '#server/renderer.ts';
import {flagNames, messageViews, unknownSender} from '#server/views/message.ts';
import {apiEmail, avatarUrl, canSeeEmail} from '#server/views/user.ts';
import {flagBitsFor, flagsFromText, type PersonalFlags} from './change-flags.ts';

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

interface MessageDelivery {
  readonly sender: UserRow;
  readonly row: MessageRow;
  readonly channel: ChannelRow | undefined;
  readonly recipients: ReadonlySet<number>;
  readonly flags: PersonalFlags;
  readonly hasWidget: boolean;
  readonly echo: {readonly queueId: string; readonly localId: string} | undefined;
}

/** Emits a new message to its recipients and to queues that are registered for all public channels or with a narrow. */
function emitMessage(act: ActionContext, delivery: MessageDelivery): void {
  const {channel, recipients} = delivery;
  const extraReaders = channel?.invite_only === 0 ? allPublicReaders(act, channel, recipients) : new Set<number>();
  const bodies = new MessageEventBodies(act, delivery);
  act.emit({
    type: 'message',
    to: extraReaders.size === 0 ? recipients : recipients.union(extraReaders),
    body: (reader) => {
      const isExtraReader = !recipients.has(reader.userId);
      if (isExtraReader && !act.server.queues.allPublicChannelQueues().has(reader)) return undefined;
      return bodies.for(reader, isExtraReader);
    },
  });
}

/** Returns the other users with such a queue who may read this channel. */
function allPublicReaders(act: ActionContext, channel: ChannelRow, recipients: ReadonlySet<number>): Set<number> {
  const ids = new Set<number>();
  for (const {userId} of act.server.queues.allPublicChannelQueues()) {
    const user = recipients.has(userId) ? undefined : findUser(act.db, userId);
    if (user !== undefined && canReadChannel(act, user, channel)) ids.add(userId);
  }
  return ids;
}

/** Stands for the flags of a reader who did not receive the message. */
const notReceived = -1;

function flagsShown(bits: number): string[] {
  return bits === notReceived ? [] : flagNames(bits);
}

/** The event bodies of one message. Readers with equal bodies get the same object, so its JSON is built once. */
class MessageEventBodies {
  readonly #act: ActionContext;
  readonly #delivery: MessageDelivery;
  readonly #messages = new Map<number, EventBody>();
  readonly #bodies = new Map<number, EventBody>();
  #plain: EventBody | undefined;

  constructor(act: ActionContext, delivery: MessageDelivery) {
    this.#act = act;
    this.#delivery = delivery;
  }

  for(reader: EventQueue, isExtraReader: boolean): EventBody | undefined {
    const {echo, flags} = this.#delivery;
    const bits = isExtraReader ? notReceived : flagBitsFor(flags, reader.userId);
    if (reader.options.accepts?.(this.#subject(flagsShown(bits))) === false) return undefined;
    const variant = this.#variant(reader);
    if (echo?.queueId === reader.id) {
      return {message: this.#message(variant), flags: flagsShown(bits), local_message_id: echo.localId};
    }
    const key = bits * 32 + variant;
    let body = this.#bodies.get(key);
    if (body === undefined) {
      body = {message: this.#message(variant), flags: flagsShown(bits)};
      this.#bodies.set(key, body);
    }
    return body;
  }

  /** Returns one bit for each option that readers may have chosen differently. */
  #variant({options, userId}: EventQueue): number {
    const {row} = this.#delivery;
    const html = options.applyMarkdown ? 1 : 0;
    const avatar = !this.#computesAvatar(userId) ? 0 : options.clientGravatar ? 2 : 16;
    const namesTopic = row.topic === '' && options.capabilities.empty_topic_name !== true ? 4 : 0;
    const hidesSender = this.#isHiddenFrom(userId) ? 8 : 0;
    return html | avatar | namesTopic | hidesSender;
  }

  /** A sender may post in a channel without being subscribed, so the channel's limited viewers may not see them. */
  #isHiddenFrom(readerId: number): boolean {
    if (!isUserAccessLimited(this.#act)) return false;
    const reader = findUser(this.#act.db, readerId);
    return reader === undefined || !canAccessUser(this.#act, reader, this.#delivery.sender);
  }

  #computesAvatar(readerId: number): boolean {
    const {sender} = this.#delivery;
    if (sender.avatar_source === 'U') return false;
    if (sender.is_bot === 1 || userSettings(sender).email_address_visibility === 1) return true;
    const reader = findUser(this.#act.db, readerId);
    return reader !== undefined && canSeeEmail(reader, sender);
  }

  #message(variant: number): EventBody {
    let message = this.#messages.get(variant);
    if (message === undefined) {
      message = this.#make(variant);
      this.#messages.set(variant, message);
    }
    return message;
  }

  #make(variant: number): EventBody {
    const {row, sender, channel, hasWidget} = this.#delivery;
    this.#plain ??= messageViews(this.#act, sender, [row], {
      applyMarkdown: false,
      clientGravatar: true,
      emptyTopicName: true,
      fresh: hasWidget ? undefined : {channel},
    })[0];
    return {
      ...this.#plain,
      ...(variant & 1 ? {content: this.#act.server.renderer.messageHtml(row), content_type: 'text/html'} : {}),
      ...(variant & 2 ? {} : {avatar_url: avatarUrl(sender, {clientGravatar: false, seesEmail: (variant & 16) !== 0})}),
      ...(variant & 8 ? unknownSender(this.#act, sender.id) : {}),
      ...(variant & 4 && row.channel_id !== null ? {subject: organization(this.#act).empty_topic_display_name} : {}),
    };
  }

  #subject(flags: readonly string[]): NarrowedMessage {
    const {row, sender, channel} = this.#delivery;
    return {
      channelName: channel?.name,
      channelId: channel?.id,
      topic: row.topic,
      senderEmail: apiEmail(this.#act.server, sender),
      senderId: sender.id,
      flags,
      isDirect: row.channel_id === null,
    };
  }
}

/** Returns the first submessage of a message whose text is a `/poll` or `/todo` command. */
export function widgetSubmessage(content: string): string | undefined {
  const command = widgetCommand(content);
  if (command === undefined) return undefined;
  return spacedJson({widget_type: command.type, extra_data: extraData(command)});
}

function extraData(command: WidgetCommand): object {
  if (command.type === 'poll') return {question: command.question, options: command.options};
  return {task_list_title: command.title, tasks: command.tasks};
}

/** Returns JSON as Zulip's servers store it: a space after each comma and colon, ASCII only. */
export function spacedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return asciiJson(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${asciiJson(key)}: ${spacedJson(item)}`)
    .join(', ')}}`;
}

function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

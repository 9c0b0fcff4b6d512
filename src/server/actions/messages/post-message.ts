import {widgetCommand} from '#content/widgets/widget-command.ts';
import {userSettings} from '#server/accounts/user-settings.ts';
import {recordChannelActivity} from '#server/actions/events/channel-events.ts';
import {autoFollow, autoFollowMentioned} from '#server/actions/topics/user-topics.ts';
import {linkUploads} from '#server/actions/uploads/attachments.ts';
import type {ActionContext} from '#server/context.ts';
import {type ChannelRow, Flag, type IdSet, type Ids, type MessageRow, Trait, type UserRow} from '#server/db/rows.ts';
import {endUnreadByRule} from '#server/db/unread-messages.ts';
import {findUser} from '#server/db/users.ts';
import type {EventQueue} from '#server/event-queues/event-queues.ts';
import {canReadChannel, subscribersOf} from '#server/permissions/channel.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {canAccessUser, canSeeEmail, isUserAccessLimited} from '#server/permissions/user-access.ts';
import type {MessageAnalysis} from '#server/renderer.ts';
import {flagNames, messageViews, unknownSender} from '#server/views/message.ts';
import {apiEmail, avatarUrl} from '#server/views/user.ts';
import {getOrCreate} from '#std/get-or-create.ts';
import {invariant} from '#std/invariant.ts';
import {once} from '#std/once.ts';
import type {OutgoingBody} from '#wire/events.ts';
import type {WireMessage} from '#wire/objects/message.ts';
import {botTypes} from '#wire/objects/user.ts';
import {flagBitsFor, flagsFromText, type PersonalFlags} from './change-flags.ts';

export type ResolvedDestination =
  | {
      readonly kind: 'channel';
      readonly channel: ChannelRow;
      readonly topic: string;
      readonly topicKey: string;
      readonly isNewTopic: boolean;
    }
  | {readonly kind: 'direct'; readonly dmId: number; readonly members: Ids};

/** A message whose content, destination and permissions the caller has checked. */
interface MessageToPost {
  readonly content: string;
  readonly analysis: MessageAnalysis;
  readonly destination: ResolvedDestination;
  readonly client: string;
  readonly readBySender: boolean;
  readonly readBy?: IdSet | undefined;
  /** One more user for whom the message arrives marked as read. */
  readonly readByActor?: number | undefined;
  readonly echo: {readonly queueId: string; readonly localId: string} | undefined;
  /** The first submessage, unless the text makes one. */
  readonly widget?: string | undefined;
}

export interface SendResult {
  readonly row: MessageRow;
  readonly automaticVisibilityPolicy?: number;
}

/** Stores and delivers a message. All messages take this path, so each query here slows down every send. */
export function postMessage(act: ActionContext, sender: UserRow, message: MessageToPost): SendResult {
  const {analysis, destination} = message;
  const row = insertMessage(act, sender, message);
  const recipients: IdSet =
    destination.kind === 'channel'
      ? channelRecipients(act, destination.channel, analysis)
      : new Set(destination.members);
  const flags = personalFlags(act, sender, message, recipients);
  insertFlags(act, row, recipients, flags);
  if (message.readByActor !== undefined && row.unread_by_default === 1) {
    endUnreadByRule(act.db, message.readByActor, [row.id]);
  }
  act.server.deferredWork.add(act);
  insertMentions(act, row.id, analysis.mentions.userIds, recipients);
  const widget = widgetSubmessage(message.content) ?? message.widget;
  if (widget !== undefined) {
    const submessage = {message_id: row.id, sender_id: sender.id, msg_type: 'widget', content: widget};
    act.db.insertRow('submessage', submessage);
  }
  if (analysis.uploads.length > 0) linkUploads(act, sender, row.id, analysis.uploads);
  const channel = destination.kind === 'channel' ? destination.channel : undefined;
  let policy: number | undefined;
  if (destination.kind === 'channel') {
    const topic = {channelId: destination.channel.id, topic: destination.topic, topicKey: destination.topicKey};
    const mentioned = [...flags.special].flatMap(([id, bits]) => (bits & Flag.mentioned ? [id] : []));
    policy = autoFollow(act, sender, topic, destination.isNewTopic ? 'started' : 'sent');
    autoFollowMentioned(act, mentioned, topic);
  }
  emitMessage(act, {sender, row, channel, recipients, flags, hasWidget: widget !== undefined, echo: message.echo});
  notifyListeners(act, sender, row, message);
  if (channel !== undefined) recordChannelActivity(act, channel, row.id);
  return policy === undefined ? {row} : {row, automaticVisibilityPolicy: policy};
}

/** Returns who receives a channel message: the subscribers, and mentioned bots, which answer without a subscription. */
function channelRecipients(act: ActionContext, channel: ChannelRow, {mentions}: MessageAnalysis): IdSet {
  const subscribers = subscribersOf(act, channel.id);
  const bots = [...mentions.userIds].filter((id) => !subscribers.has(id) && isAnsweringBot(findUser(act.db, id)));
  return bots.length === 0 ? subscribers : subscribers.union(new Set(bots));
}

function isAnsweringBot(user: UserRow | undefined): boolean {
  return user?.bot_type === botTypes.generic && user.is_active === 1 && user.is_system_bot === 0;
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
  const isChannel = destination.kind === 'channel';
  const columns = {
    sender_id: sender.id,
    channel_id: isChannel ? destination.channel.id : null,
    dm_id: isChannel ? null : destination.dmId,
    topic: isChannel ? destination.topic : '',
    topic_key: isChannel ? destination.topicKey : '',
    content,
    sent_at: act.now,
    client,
    traits: messageTraits(content, analysis),
    unread_by_default: isChannel && readBy === undefined ? 1 : 0,
    edit_history: null,
    last_edit_at: null,
    last_moved_at: null,
  };
  const row = {id: act.db.insertRow('message', columns), ...columns};
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
  recipients: IdSet,
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
  recipients: IdSet,
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
export function insertMentions(act: ActionContext, messageId: number, userIds: IdSet, recipients: IdSet): void {
  for (const id of userIds) {
    if (recipients.has(id)) act.db.insertNewRow('message_mention', {user_id: id, message_id: messageId});
  }
}

interface MessageDelivery {
  readonly sender: UserRow;
  readonly row: MessageRow;
  readonly channel: ChannelRow | undefined;
  readonly recipients: IdSet;
  readonly flags: PersonalFlags;
  readonly hasWidget: boolean;
  readonly echo: {readonly queueId: string; readonly localId: string} | undefined;
}

/** Emits a new message to its recipients and to queues that are registered for all public channels or with a narrow. */
function emitMessage(act: ActionContext, delivery: MessageDelivery): void {
  const {channel, recipients} = delivery;
  const publicQueues = act.server.queues.allPublicChannelQueues();
  const others = channel?.invite_only === 0 ? [...publicQueues].filter(({userId}) => !recipients.has(userId)) : [];
  const extraReaders = others.filter(({userId}) => {
    const user = findUser(act.db, userId);
    return user !== undefined && channel !== undefined && canReadChannel(act, user, channel);
  });
  const bodyFor = messageEventBodies(act, delivery);
  const to = extraReaders.length === 0 ? recipients : recipients.union(new Set(extraReaders.map(({userId}) => userId)));
  act.emit('message', to, (reader) => {
    const isExtraReader = !recipients.has(reader.userId);
    return isExtraReader && !publicQueues.has(reader) ? undefined : bodyFor(reader, isExtraReader);
  });
}

type MessageBody = OutgoingBody<'message'>;

/** Stands for the flags of a reader who did not receive the message. */
const notReceived = -1;

/**
 * Returns a function that makes the event bodies of one message. Readers with equal bodies get the same object, so its
 * JSON is built once.
 */
function messageEventBodies(act: ActionContext, {row, sender, channel, hasWidget, flags, echo}: MessageDelivery) {
  const messages = new Map<number, WireMessage>();
  const bodies = new Map<number, MessageBody>();
  const flagsShown = (bits: number) => (bits === notReceived ? [] : flagNames(bits));
  const plain = once(() => {
    const fresh = hasWidget ? undefined : {channel};
    const options = {applyMarkdown: false, clientGravatar: true, emptyTopicName: true, fresh};
    const [view] = messageViews(act, sender, [row], options);
    invariant(view !== undefined, 'a row has a view');
    return view;
  });
  const computesAvatar = (reader: () => UserRow | undefined): boolean => {
    if (sender.avatar_source === 'U') return false;
    if (sender.is_bot === 1 || userSettings(sender).email_address_visibility === 1) return true;
    const user = reader();
    return user !== undefined && canSeeEmail(user, sender);
  };
  // A sender may post in a channel without being subscribed, so the channel's limited viewers may not see them.
  const isHiddenFrom = (reader: () => UserRow | undefined): boolean => {
    if (!isUserAccessLimited(act)) return false;
    const user = reader();
    return user === undefined || !canAccessUser(act, user, sender);
  };
  /** Returns one bit for each option that readers may have chosen differently. */
  const variantFor = ({options, userId}: EventQueue): number => {
    const user = once(() => findUser(act.db, userId));
    const html = options.applyMarkdown ? 1 : 0;
    const avatar = !computesAvatar(user) ? 0 : options.clientGravatar ? 2 : 16;
    const namesTopic = row.topic === '' && options.capabilities.empty_topic_name !== true ? 4 : 0;
    return html | avatar | namesTopic | (isHiddenFrom(user) ? 8 : 0);
  };
  const message = (variant: number): WireMessage =>
    getOrCreate(messages, variant, () => ({
      ...plain(),
      ...(variant & 1 ? {content: act.server.renderer.messageHtml(row), content_type: 'text/html'} : {}),
      ...(variant & 2 ? {} : {avatar_url: avatarUrl(sender, {clientGravatar: false, seesEmail: (variant & 16) !== 0})}),
      ...(variant & 8 ? unknownSender(act, sender.id) : {}),
      ...(variant & 4 && row.channel_id !== null ? {subject: organization(act).empty_topic_display_name} : {}),
    }));
  return (reader: EventQueue, isExtraReader: boolean): MessageBody | undefined => {
    const bits = isExtraReader ? notReceived : flagBitsFor(flags, reader.userId);
    const isAccepted = reader.options.accepts?.({
      channelName: channel?.name,
      channelId: channel?.id,
      topic: row.topic,
      senderEmail: apiEmail(act.server, sender),
      senderId: sender.id,
      flags: flagsShown(bits),
      isDirect: row.channel_id === null,
    });
    if (isAccepted === false) return undefined;
    const variant = variantFor(reader);
    const body = getOrCreate(bodies, bits * 32 + variant, () => ({message: message(variant), flags: flagsShown(bits)}));
    return echo?.queueId === reader.id ? {...body, local_message_id: echo.localId} : body;
  };
}

/** Returns the first submessage of a message whose text is a `/poll` or `/todo` command. */
export function widgetSubmessage(content: string): string | undefined {
  const command = widgetCommand(content);
  if (command === undefined) return undefined;
  const extra_data =
    command.type === 'poll'
      ? {question: command.question, options: command.options}
      : {task_list_title: command.title, tasks: command.tasks};
  return spacedJson({widget_type: command.type, extra_data});
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

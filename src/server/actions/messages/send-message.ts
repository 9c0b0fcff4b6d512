import {trackUserAccess} from '#server/actions/events/user-events.ts';
import {cleanContent, cleanTopic} from '#server/actions/inputs/message-text.ts';
import {otherRecipients} from '#server/actions/inputs/recipients.ts';
import type {ActionContext} from '#server/context.ts';
import {findOrCreateDirectConversation} from '#server/db/messages.ts';
import {type ChannelRow, fold, type MessageRow, type UserRow} from '#server/db/rows.ts';
import {findUserByEmail} from '#server/db/users.ts';
import {badRequest} from '#server/http/errors.ts';
import {systemBots} from '#server/organization/bootstrap.ts';
import {
  checkCanCreateTopic,
  checkCanPost,
  checkCanSendDirect,
  checkGroupMentions,
  checkTopicPolicy,
  checkWildcardMentions,
  topicExists,
} from '#server/permissions/send-message.ts';
import {postMessage, type ResolvedDestination} from './post-message.ts';

export type SendDestination =
  | {readonly kind: 'channel'; readonly channel: ChannelRow; readonly topic: string}
  /** `userIds` may contain the sender, who is added if not. */
  | {readonly kind: 'direct'; readonly userIds: readonly number[]};

export interface SendInput {
  readonly destination: SendDestination;
  readonly content: string;
  /** The form that a bot shows below the message. */
  readonly widget?: string;
  /** The name of the sending client. */
  readonly client: string;
  readonly readBySender?: boolean;
  /** The queue whose event for this message contains the sender's local id. */
  readonly echo?: {readonly queueId: string; readonly localId: string};
}

export interface SendResult {
  readonly id: number;
  readonly row: MessageRow;
  readonly automaticVisibilityPolicy?: number;
}

/** Sends a message after checking the sender's permissions, the limits and the topic rules. */
export function sendMessage(act: ActionContext, sender: UserRow, input: SendInput): SendResult {
  const content = cleanContent(input.content);
  const {destination, client, echo, widget} = input;
  const resolved =
    destination.kind === 'channel'
      ? checkedChannelDestination(act, sender, destination.channel, cleanTopic(act, destination.topic))
      : checkedDirectDestination(act, sender, destination.userIds);
  const analysis = act.server.renderer.analyse(content, sender);
  if (resolved.kind === 'channel') checkWildcardMentions(act, sender, analysis, resolved.channel.id, resolved.topicKey);
  checkGroupMentions(act, sender, analysis);
  const readBySender = input.readBySender ?? isInteractiveClient(client);
  return postMessage(act, sender, {content, analysis, destination: resolved, client, readBySender, echo, widget});
}

export interface NoticeOptions {
  /** The bot that sends it; default: the notification bot. */
  readonly from?: keyof typeof systemBots;
  /** The users for whom the notice arrives marked as read. */
  readonly readBy?: ReadonlySet<number>;
  /** The user whose own action the notice is about: for them it is read, too. */
  readonly actor?: UserRow;
  /** Names of private channels are not links: the notice may have readers who do not see them. */
  readonly linksPublicOnly?: boolean;
}

/** Sends a message from a bot of the server, which may post everywhere, and returns its id. */
export function sendNotice(
  act: ActionContext,
  destination: SendDestination,
  content: string,
  options: NoticeOptions = {},
): number {
  const bot = systemBot(act, options.from ?? 'notification');
  const text = cleanContent(content);
  return postMessage(act, bot, {
    content: text,
    analysis: act.server.renderer.analyse(text, bot, options),
    destination: noticeDestination(act, bot, destination),
    client: 'Internal',
    readBySender: true,
    readBy: options.readBy,
    readByActor: options.actor?.id,
    echo: undefined,
  }).id;
}

function systemBot({db}: ActionContext, name: keyof typeof systemBots): UserRow {
  const bot = findUserByEmail(db, systemBots[name].email);
  if (bot === undefined) throw new Error(`The ${name} bot is missing`);
  return bot;
}

function noticeDestination(act: ActionContext, bot: UserRow, destination: SendDestination): ResolvedDestination {
  if (destination.kind === 'direct') {
    const {id, members} = findOrCreateDirectConversation(act.db, [bot.id, ...destination.userIds]);
    return {kind: 'direct', dmId: id, members};
  }
  const topic = cleanTopic(act, destination.topic);
  return {kind: 'channel', channel: destination.channel, topic, topicKey: fold(topic), isNewTopic: false};
}

function checkedChannelDestination(
  act: ActionContext,
  sender: UserRow,
  channel: ChannelRow,
  topic: string,
): ResolvedDestination {
  checkCanPost(act, sender, channel);
  const topicKey = fold(topic);
  const isNewTopic = !topicExists(act, channel.id, topicKey);
  if (isNewTopic) checkCanCreateTopic(act, sender, channel);
  checkTopicPolicy(act, channel, topic);
  return {kind: 'channel', channel, topic, topicKey, isNewTopic};
}

function checkedDirectDestination(
  act: ActionContext,
  sender: UserRow,
  userIds: readonly number[],
): ResolvedDestination {
  if (userIds.length === 0) throw badRequest('Message must have recipients');
  const others = otherRecipients(act, sender, userIds);
  // A first direct message may make its participants visible to each other.
  const {id, members, isNew} = trackUserAccess(act, () =>
    findOrCreateDirectConversation(act.db, [sender.id, ...others.map((other) => other.id)]),
  );
  checkCanSendDirect(act, sender, others, isNew);
  return {kind: 'direct', dmId: id, members};
}

const interactiveClients = /^(?:zulip(?:android|desktop|electron|ios|mobile|terminal)|android|ios|snipe|website)$/i;

/**
 * Returns whether a person uses the client. Messages sent with it arrive read for their sender; those of scripts do
 * not.
 */
export function isInteractiveClient(client: string): boolean {
  return interactiveClients.test(client) || /desktop app/i.test(client);
}

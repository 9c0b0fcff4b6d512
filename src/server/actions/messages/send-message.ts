import {trackUserAccess} from '#server/actions/events/user-events.ts';
import {cleanContent, cleanTopic} from '#server/actions/inputs/message-text.ts';
import {otherRecipients} from '#server/actions/inputs/recipients.ts';
import type {ActionContext} from '#server/context.ts';
import {findOrCreateDirectConversation} from '#server/db/direct-conversations.ts';
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
  /** The sender may be among them and is added if not. */
  | {readonly kind: 'direct'; readonly userIds: readonly number[]};

export interface SendInput {
  readonly destination: SendDestination;
  readonly content: string;
  /** Name of the sending client. */
  readonly client: string;
  readonly readBySender?: boolean;
  /** The queue that gets the message back with its own local id. */
  readonly echo?: {readonly queueId: string; readonly localId: string};
}

export interface SendResult {
  readonly id: number;
  readonly row: MessageRow;
  readonly automaticVisibilityPolicy?: number;
}

/** Sends as `sender`, who must be allowed to: permissions, limits and topic rules are checked here. */
export function sendMessage(act: ActionContext, sender: UserRow, input: SendInput): SendResult {
  const content = cleanContent(input.content);
  const {destination, client, echo} = input;
  const place =
    destination.kind === 'channel'
      ? channelPlace(act, sender, destination.channel, cleanTopic(act, destination.topic))
      : directPlace(act, sender, destination.userIds);
  const analysis = act.world.renderer.analyse(content, sender);
  checkGroupMentions(act, sender, analysis);
  if (place.kind === 'channel')
    checkWildcardMentions(act, sender, analysis, place.channel.id, place.topicKey);
  const readBySender = input.readBySender ?? isInteractiveClient(client);
  return postMessage(act, sender, {content, analysis, destination: place, client, readBySender, echo});
}

export interface NoticeOptions {
  /** People for whom the notice arrives read already. */
  readonly readBy?: ReadonlySet<number>;
}

/** Sends from the notification bot, who may write anywhere. */
export function sendNotice(
  act: ActionContext,
  destination: SendDestination,
  content: string,
  options: NoticeOptions = {},
): number {
  const bot = notificationBot(act);
  const text = cleanContent(content);
  return postMessage(act, bot, {
    content: text,
    analysis: act.world.renderer.analyse(text, bot),
    destination: noticePlace(act, bot, destination),
    client: 'Internal',
    readBySender: true,
    readBy: options.readBy,
    echo: undefined,
  }).id;
}

function notificationBot({db}: ActionContext): UserRow {
  const bot = findUserByEmail(db, systemBots.notification.email);
  if (bot === undefined) throw new Error('The notification bot is missing');
  return bot;
}

function noticePlace(act: ActionContext, bot: UserRow, destination: SendDestination): ResolvedDestination {
  if (destination.kind === 'direct') {
    const {id, members} = findOrCreateDirectConversation(act.db, [bot.id, ...destination.userIds]);
    return {kind: 'direct', dmId: id, members};
  }
  const topic = cleanTopic(act, destination.topic);
  return {kind: 'channel', channel: destination.channel, topic, topicKey: fold(topic), isNewTopic: false};
}

function channelPlace(
  act: ActionContext,
  sender: UserRow,
  channel: ChannelRow,
  topic: string,
): ResolvedDestination {
  checkCanPost(act, sender, channel);
  checkTopicPolicy(act, channel, topic);
  const topicKey = fold(topic);
  const isNewTopic = !topicExists(act, channel.id, topicKey);
  if (isNewTopic) checkCanCreateTopic(act, sender, channel);
  return {kind: 'channel', channel, topic, topicKey, isNewTopic};
}

function directPlace(act: ActionContext, sender: UserRow, userIds: readonly number[]): ResolvedDestination {
  if (userIds.length === 0) throw badRequest('Message must have recipients');
  const others = otherRecipients(act, sender, userIds);
  // A first direct message makes people known to each other who may not have been.
  const {id, members, isNew} = trackUserAccess(act, () =>
    findOrCreateDirectConversation(act.db, [sender.id, ...others.map((other) => other.id)]),
  );
  checkCanSendDirect(act, sender, others, isNew);
  return {kind: 'direct', dmId: id, members};
}

const handOperated =
  /^(?:parley|website|zulip(?:electron|mobile|flutter|terminal|desktop)|ios|android|snipe)/i;

/** Messages that a person typed start read for that person; what scripts send on their behalf does not. */
export function isInteractiveClient(client: string): boolean {
  return handOperated.test(client) || /desktop app/i.test(client);
}

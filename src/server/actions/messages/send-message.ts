import {trackUserAccess} from '#server/actions/events/user-events.ts';
import {cleanContent, cleanTopic, otherRecipients} from '#server/actions/inputs.ts';
import type {ActionContext} from '#server/context.ts';
import {directConversationMembers, findOrCreateDirectConversation} from '#server/db/messages.ts';
import {type ChannelRow, Flag, fold, type IdSet, type Ids, type MessageRow, type UserRow} from '#server/db/rows.ts';
import {findUserByEmail} from '#server/db/users.ts';
import {check} from '#server/errors.ts';
import {systemBots} from '#server/organization/bootstrap.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {
  checkCanCreateTopic,
  checkCanPost,
  checkCanSendDirect,
  checkGroupMentions,
  checkTopicPolicy,
  checkWildcardMentions,
  topicExists,
} from '#server/permissions/send-message.ts';
import {postMessage, type ResolvedDestination, type SendResult} from './post-message.ts';

export type SendDestination =
  | {readonly kind: 'channel'; readonly channel: ChannelRow; readonly topic: string}
  /** `userIds` may contain the sender, who is added if not. */
  | {readonly kind: 'direct'; readonly userIds: Ids};

interface SendInput {
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

interface NoticeOptions {
  /** The bot that sends it; default: the notification bot. */
  readonly from?: keyof typeof systemBots;
  /** The users for whom the notice arrives marked as read. */
  readonly readBy?: IdSet;
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
  }).row.id;
}

/** Sends one person a direct message from a bot of the server, and returns its id. */
export function sendPersonalNotice(
  act: ActionContext,
  userId: number,
  content: string,
  options?: NoticeOptions,
): number {
  return sendNotice(act, {kind: 'direct', userIds: [userId]}, content, options);
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

function checkedDirectDestination(act: ActionContext, sender: UserRow, userIds: Ids): ResolvedDestination {
  check(userIds.length !== 0, 'Message must have recipients');
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

/** What the welcome bot can be asked, with the words that ask for it; the first is shown. */
const answers: readonly (readonly [words: readonly string[], answer: string])[] = [
  [
    ['apps', 'app'],
    'You can use this account from several programs and machines at once. Each signs in with your address and password, or with your API key.',
  ],
  [
    ['profile', 'edit profile'],
    'A name, a picture and a few words about you help others to know who is writing. You can change them in the settings of your account.',
  ],
  [
    ['theme', 'themes', 'settings'],
    'You choose how your program looks and of what it notifies you. The settings hold for you alone.',
  ],
  [
    ['channels', 'channel'],
    'Channels decide who gets a message. You read the channels that you subscribe to; the list of channels has more that you can join.',
  ],
  [
    ['topics', 'topic'],
    'Each message in a channel has a topic, as an email has a subject. Reply in the same topic to continue a conversation, and start a new topic for something else.',
  ],
  [
    ['message formatting', 'formatting'],
    'Write `**bold**` for **bold** and `*italic*` for *italic*; use backquotes for `code`, `>` for quotes and `@**Name**` to mention somebody. Lists, tables, math and spoilers work, too.',
  ],
  [
    ['keyboard shortcuts', 'shortcuts', 'shortcut', 'keyboard'],
    'Most things have a key. Press `?` to see those that work where you are.',
  ],
];

function overview(): string {
  return `Ask me about one of these: ${answers.map(([[word]]) => `\`${word}\``).join(', ')}.`;
}

/**
 * Sends a new person the first direct message, starred so that they find it again. The accounts made before anybody
 * has written in the organization get none: they belong to those who set it up.
 */
export function welcomePerson(act: ActionContext, person: UserRow): void {
  const {name, welcome_message_custom_text: custom} = organization(act);
  const written = 'SELECT 1 FROM message JOIN user ON user.id = sender_id WHERE is_system_bot = 0 LIMIT 1';
  if (act.db.get(written) === undefined) return;
  const id = send(act, person, `Hello, and welcome to ${name}! 👋\n\n${overview()}`);
  const star = `UPDATE user_message SET flags = flags | ${Flag.starred} WHERE user_id = ? AND message_id = ?`;
  act.db.run(star, person.id, id);
  if (custom !== '') send(act, person, custom);
}

/** Answers a person who wrote to the welcome bot alone. */
export function answerAsWelcomeBot(act: ActionContext, person: UserRow, {dm_id, content}: MessageRow): void {
  if (dm_id === null || person.is_bot === 1) return;
  const members = directConversationMembers(act.db, dm_id);
  const bot = members.length === 2 ? findUserByEmail(act.db, systemBots.welcome.email) : undefined;
  if (bot === undefined || !members.includes(bot.id)) return;
  const asked = content.toLowerCase().replace(/[.!?]+$/, '');
  send(act, person, answers.find(([words]) => words.includes(asked))?.[1] ?? overview());
}

function send(act: ActionContext, person: UserRow, text: string): number {
  return sendPersonalNotice(act, person.id, text, {from: 'welcome'});
}

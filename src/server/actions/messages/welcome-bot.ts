import type {ActionContext} from '#server/context.ts';
import {directConversationMembers} from '#server/db/messages.ts';
import {Flag, type MessageRow, type UserRow} from '#server/db/rows.ts';
import {findUserByEmail} from '#server/db/users.ts';
import {systemBots} from '#server/organization/bootstrap.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {sendNotice} from './send-message.ts';

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
  return sendNotice(act, {kind: 'direct', userIds: [person.id]}, text, {from: 'welcome'});
}

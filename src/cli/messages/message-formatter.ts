import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import {conversationTitle, userName} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {printable, printableLine} from '#std/printable.ts';
import type {OutputStyle} from './output-style.ts';

const mutedUserText = '(hidden: you muted this user)';
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const continuation = ' '.repeat(6);

/**
 * Formats messages as lines: `09:12 Name: text`, below a line for each new day and, if several conversations are mixed,
 * for each change of conversation. It remembers the last one, so that a stream of messages reads as one list.
 */
export class MessageFormatter {
  readonly #style: OutputStyle;
  readonly #showsConversations: boolean;
  #day = '';
  #conversationKey = '';

  constructor(style: OutputStyle, {showsConversations}: {readonly showsConversations: boolean}) {
    this.#style = style;
    this.#showsConversations = showsConversations;
  }

  lines(state: AccountState, message: Message): string[] {
    const {heading, faint, name} = this.#style;
    const at = new Date(message.timestamp * 1000);
    const lines: string[] = [];
    const day = dayText(at);
    if (day !== this.#day) lines.push(faint(day));
    if (this.#showsConversations && (message.conversationKey !== this.#conversationKey || day !== this.#day)) {
      lines.push(heading(printableLine(conversationTitle(state, conversationOf(message)))));
    }
    this.#day = day;
    this.#conversationKey = message.conversationKey;
    const [first = '', ...rest] = contentLines(state, message);
    const sender = printableLine(userName(state, message.senderId, message.senderName));
    const start = message.isMe
      ? `* ${name(sender)} ${first.replace(/^\/me\s+/, '')}`
      : `${name(`${sender}:`)} ${first}`;
    lines.push(`${faint(timeText(at))} ${start}`.trimEnd());
    for (const line of rest) lines.push(line === '' ? '' : continuation + line);
    return lines;
  }
}

function contentLines(state: AccountState, {senderId, content}: Message): string[] {
  if (state.mutedUsers.has(senderId)) return [mutedUserText];
  return printable(content).split('\n');
}

function dayText(at: Date): string {
  const [year, month, day] = [at.getFullYear(), at.getMonth() + 1, at.getDate()];
  return `${year}-${twoDigits(month)}-${twoDigits(day)} ${days[at.getDay()]}`;
}

function timeText(at: Date): string {
  return `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

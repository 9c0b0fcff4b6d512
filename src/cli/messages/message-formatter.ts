import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import {conversationTitle, distinctUserName} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {printable, printableLine} from '#std/printable.ts';
import {type MessageTextOptions, messageLines} from './message-text.ts';
import type {OutputStyle} from './output-style.ts';

const mutedUserText = '(hidden: you muted this user)';
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const continuation = ' '.repeat(6);

export interface MessageFormatterOptions {
  readonly showsConversations: boolean;
  /** Returns how texts are rendered now; undefined prints the Markdown source. */
  readonly text: ((state: AccountState) => MessageTextOptions) | undefined;
}

/**
 * Formats messages as lines: `09:12 Name: text`, below a line for each new day and, if several conversations are mixed,
 * for each change of conversation. It remembers the last one, so that a stream of messages reads as one list.
 */
export class MessageFormatter {
  readonly #style: OutputStyle;
  readonly #showsConversations: boolean;
  readonly #text: MessageFormatterOptions['text'];
  #day = '';
  #conversationKey = '';

  constructor(style: OutputStyle, {showsConversations, text}: MessageFormatterOptions) {
    this.#style = style;
    this.#text = text;
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
    const [first = '', ...rest] = this.#contentLines(state, message);
    const sender = printableLine(distinctUserName(state, message.senderId, message.senderName));
    const start = message.isMe ? `* ${name(sender)} ${first}` : `${name(`${sender}:`)} ${first}`;
    lines.push(`${faint(timeText(at))} ${start}`.trimEnd());
    for (const line of rest) lines.push(line === '' ? '' : continuation + line);
    return lines;
  }

  #contentLines(state: AccountState, message: Message): readonly string[] {
    if (state.mutedUsers.has(message.senderId)) return [mutedUserText];
    if (this.#text !== undefined) return messageLines(state, message, this.#text(state));
    return printable(message.isMe ? message.content.replace(/^\/me\s+/, '') : message.content).split('\n');
  }
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

import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import {conversationTitle, userName} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {printable, printableLine} from '#std/printable.ts';
import type {OutputStyle} from './output-style.ts';

const hidden = '(hidden: you muted this person)';
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const continuation = ' '.repeat(6);

/**
 * Messages as lines: `09:12 Name: text`, under a line for each new day and, where several conversations come together, for
 * each change of place. It remembers where it is, so that a stream of messages reads like one list.
 */
export class MessageFormatter {
  readonly #style: OutputStyle;
  readonly #showsPlaces: boolean;
  #day = '';
  #place = '';

  constructor(style: OutputStyle, {showsPlaces}: {readonly showsPlaces: boolean}) {
    this.#style = style;
    this.#showsPlaces = showsPlaces;
  }

  lines(state: AccountState, message: Message): string[] {
    const {heading, faint, name} = this.#style;
    const at = new Date(message.timestamp * 1000);
    const lines: string[] = [];
    const day = dayText(at);
    if (day !== this.#day) lines.push(faint(day));
    if (this.#showsPlaces && (message.conversationKey !== this.#place || day !== this.#day)) {
      lines.push(heading(printableLine(conversationTitle(state, conversationOf(message)))));
    }
    this.#day = day;
    this.#place = message.conversationKey;
    const [first = '', ...rest] = contentLines(state, message);
    const who = printableLine(userName(state, message.senderId, message.senderName));
    const start = message.isMe
      ? `* ${name(who)} ${first.replace(/^\/me\s+/, '')}`
      : `${name(`${who}:`)} ${first}`;
    lines.push(`${faint(timeText(at))} ${start}`.trimEnd());
    for (const line of rest) lines.push(line === '' ? '' : continuation + line);
    return lines;
  }
}

function contentLines(state: AccountState, {senderId, content}: Message): string[] {
  if (state.mutedUsers.has(senderId)) return [hidden];
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

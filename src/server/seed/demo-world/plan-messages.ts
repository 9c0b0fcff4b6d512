import {narrowLink} from '#content/narrow-link.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import type {DemoFile, ScriptConversation, ScriptMessage} from './chat-script.ts';

import {DemoDataError, type DemoRows, existing, type SourcePosition, withSourcePosition} from './world-file.ts';

/** The ids of the users who receive each conversation's messages. */
type AudienceByConversation = ReadonlyMap<ScriptConversation, ReadonlySet<number>>;

/** The ids of each user's unread messages. */
export type UnreadByUser = ReadonlyMap<number, ReadonlySet<number>>;

const minConversations = 3;
const maxMessages = 4;

/**
 * Chooses unread messages: for `you` as the scripts say; for others a few, so that signing in as them shows some too.
 */
export function planUnreadMessages(
  planned: readonly PlannedMessage[],
  rows: DemoRows,
  /** The keys of senders whose messages `you` muted. */
  mutedByYou: ReadonlySet<string>,
  audiences: AudienceByConversation,
): UnreadByUser {
  const conversations = Map.groupBy(planned, ({conversation}) => conversation);
  const isRead = (sender: string) => mutedByYou.has(sender) || rows.users.get(sender) === rows.you;
  const yours = conversations
    .entries()
    .flatMap(([{unread}, messages]) => (unread === 0 ? [] : messages.slice(-unread)));
  const unread = new Map<number, ReadonlySet<number>>();
  unread.set(rows.you.id, new Set(yours.filter(({message}) => !isRead(message.sender)).map(({id}) => id)));
  for (const [index, [key, {id}]] of otherPeople(rows).entries()) {
    const received = conversations.entries().filter(([conversation]) => audiences.get(conversation)?.has(id));
    unread.set(
      id,
      othersUnread(received.map(([, messages]) => messages).toArray(), key, minConversations + (index % 3)),
    );
  }
  return unread;
}

/** Returns the people, with their keys, as whom somebody could sign in besides `you`. */
export function otherPeople({users, you}: DemoRows): [string, UserRow][] {
  return [...users].filter(([, user]) => user.is_bot === 0 && user.is_active === 1 && user.id !== you.id);
}

/** Returns the last messages of the newest conversations. A person has read everything before their own message. */
function othersUnread(
  received: readonly (readonly PlannedMessage[])[],
  person: string,
  conversations: number,
): Set<number> {
  return new Set(
    received
      .map((messages) => {
        const spoke = messages.findLastIndex(({message}) => message.sender === person);
        return messages.slice(Math.max(spoke + 1, messages.length - maxMessages));
      })
      .filter((tail) => tail.length > 0)
      .sort((a, b) => (b.at(-1)?.id ?? 0) - (a.at(-1)?.id ?? 0))
      .slice(0, conversations)
      .flatMap((tail) => tail.map(({id}) => id)),
  );
}

/** A message of a script with its id and the time it is sent. */
export interface PlannedMessage {
  readonly id: number;
  /** UNIX seconds. */
  readonly sentAt: number;
  readonly conversation: ScriptConversation;
  readonly message: ScriptMessage;
}

/** Returns all messages in the order of time (then of files and lines), with ids in that order. */
export function planMessages(
  conversations: readonly ScriptConversation[],
  now: number,
  firstId: number,
): PlannedMessage[] {
  const all = conversations.flatMap((conversation) => timed(conversation, now));
  // Sorting is stable, so messages of equal time stay in the order of the data.
  all.sort((a, b) => a.sentAt - b.sentAt);
  return all.map((entry, index) => ({...entry, id: firstId + index}));
}

function timed(conversation: ScriptConversation, now: number): Omit<PlannedMessage, 'id'>[] {
  let previous: number | undefined;
  return conversation.messages.map((message) => {
    const at = withSourcePosition(message.source, () =>
      parsePastTime(message.time ?? conversation.start, now, previous),
    );
    if (at > now) throw new DemoDataError(message.source, 'the message is in the future');
    if (previous !== undefined && at < previous) {
      throw new DemoDataError(message.source, 'the message is older than the one before it');
    }
    previous = at;
    return {sentAt: Math.floor(at / 1000), conversation, message};
  });
}

const placeholder = /\{\{(\w+):([^}]*)\}\}/g;

/**
 * Replaces placeholders whose values are known only when the demo is inserted, such as `{{msg:label}}` and
 * `{{date:+3d}}`.
 */
export class PlaceholderFiller {
  readonly #rows: DemoRows;
  readonly #files: ReadonlyMap<string, DemoFile>;
  readonly #now: number;
  readonly #labelled = new Map<string, PlannedMessage>();

  constructor(rows: DemoRows, files: ReadonlyMap<string, DemoFile>, planned: readonly PlannedMessage[], now: number) {
    this.#rows = rows;
    this.#files = files;
    this.#now = now;
    for (const entry of planned) {
      for (const annotation of entry.message.annotations) {
        if (annotation.kind !== 'id') continue;
        if (this.#labelled.has(annotation.label)) {
          throw new DemoDataError(annotation.source, `the label “${annotation.label}” occurs twice`);
        }
        this.#labelled.set(annotation.label, entry);
      }
    }
  }

  /** Replaces the placeholders in a text. Labels must belong to messages before `before`, the one with the text. */
  fill(text: string, source: SourcePosition, before = Number.POSITIVE_INFINITY): string {
    return text.replaceAll(placeholder, (_all, word: string, value: string) => this.#fill(word, value, source, before));
  }

  labelledMessage(label: string, source: SourcePosition): PlannedMessage {
    return existing(this.#labelled.get(label), source, `no message has the label “${label}”`);
  }

  file(name: string, source: SourcePosition): DemoFile {
    return existing(this.#files.get(name), source, `there is no file “${name}”`);
  }

  /** Returns a file by its upload path. */
  fileByPath(pathId: string, source: SourcePosition): DemoFile {
    const file = this.#files.values().find((candidate) => candidate.pathId === pathId);
    return existing(file, source, `no file has the upload path “${pathId}”`);
  }

  #fill(word: string, value: string, source: SourcePosition, before: number): string {
    switch (word) {
      case 'msg':
        return this.#link(this.#earlier(value, source, before), source);
      case 'id':
        return String(this.#earlier(value, source, before).id);
      case 'channel':
        return channelLink(this.#rows.channelByKey(value, source));
      case 'user':
        return String(this.#rows.user(value, source).id);
      case 'file':
        return demoUploadPath(this.file(value, source));
      case 'time':
        return withSourcePosition(source, () => formatRelativeInstant(value, this.#now));
      case 'date':
        return withSourcePosition(source, () => formatRelativeDate(value, this.#now));
      default:
        throw new DemoDataError(source, `“{{${word}:${value}}}” is not a placeholder`);
    }
  }

  #earlier(label: string, source: SourcePosition, before: number): PlannedMessage {
    const entry = this.labelledMessage(label, source);
    if (entry.id >= before) throw new DemoDataError(source, `“${label}” is not an earlier message`);
    return entry;
  }

  #link({id, conversation}: PlannedMessage, source: SourcePosition): string {
    const {destination} = conversation;
    if (destination.kind === 'channel') {
      return channelLink(this.#rows.channel(destination.channel, source), {topic: destination.topic, near: id});
    }
    return linkTo({dm: this.#rows.userIds(destination.people, source), near: id});
  }
}

function channelLink({id, name}: ChannelRow, others: Readonly<Record<string, string | number>> = {}): string {
  return linkTo({channel: id, ...others}, name);
}

/** Returns the link of a narrow with these operators. */
function linkTo(operands: Readonly<Record<string, string | number | number[]>>, channelName?: string): string {
  const terms = Object.entries(operands).map(([operator, operand]) => ({operator, operand, negated: false}));
  return narrowLink(terms, () => channelName);
}

export function demoUploadPath({pathId}: DemoFile): string {
  return `/user_uploads/${pathId}`;
}

/** Parses the demo's times, which are relative to the time of seeding and local; see assets/demo/README.md. */

const unitMs: Readonly<Record<string, number>> = {s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000};

/** Returns the milliseconds of a duration such as `3m`. */
export function parseDuration(text: string): number {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const length = unitMs[unit];
  if (length === undefined) throw new Error(`“${text}” is not a duration such as 3m, 2h or 5s`);
  return Number(count) * length;
}

/** Returns a message's time in milliseconds. Times such as `+3m` are relative to `previous`. */
export function parsePastTime(text: string, now: number, previous?: number): number {
  if (text.startsWith('+')) {
    if (previous === undefined) throw new Error(`“${text}” has no earlier message to count from`);
    return previous + parseDuration(text.slice(1));
  }
  if (text.startsWith('~')) return now - parseDuration(text.slice(1));
  const [, count, unit = '', hours, minutes] = /^-(\d+)(w|d|sun|sat) ([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (count === undefined) throw new Error(`“${text}” is not a time`);
  const back = daysBack(Number(count), unit, new Date(now).getDay());
  return atDay(now, -back, Number(hours), Number(minutes));
}

function daysBack(count: number, unit: string, today: number): number {
  if (count === 0) throw new Error('the number of days must be at least 1');
  if (unit === 'w') return workingDaysBack(count, today);
  if (unit === 'd') return count;
  const lastSunday = (today === 0 ? 7 : today) + 7 * (count - 1);
  return unit === 'sun' ? lastSunday : lastSunday + 1;
}

/** Returns how many days ago the given number of working days began, Monday to Friday, without today. */
function workingDaysBack(count: number, today: number): number {
  let back = 0;
  for (let left = count; left > 0; ) {
    back++;
    const day = (((today - back) % 7) + 7) % 7;
    if (day !== 0 && day !== 6) left--;
  }
  return back;
}

/** Returns a future time in milliseconds: `+3h`, or `+1d 09:00` for tomorrow at nine. */
export function parseFutureTime(text: string, now: number): number {
  const [, days, hours, minutes] = /^\+(\d+)d ([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (days !== undefined) return atDay(now, Number(days), Number(hours), Number(minutes));
  if (!text.startsWith('+')) throw new Error(`“${text}” is not a future time`);
  return now + parseDuration(text.slice(1));
}

/** Returns the date of `+24d` or `-2d` as `2026-12-09`. */
export function formatRelativeDate(text: string, now: number): string {
  const [, sign, days] = /^([+-])(\d+)d$/.exec(text) ?? [];
  if (days === undefined) throw new Error(`“${text}” is not a number of days such as +24d`);
  const date = new Date(atDay(now, Number(days) * (sign === '-' ? -1 : 1), 12, 0));
  const two = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Returns a past or future time as `2026-11-21T14:00:00Z`. */
export function formatRelativeInstant(text: string, now: number): string {
  const at = text.startsWith('+') ? parseFutureTime(text, now) : parsePastTime(text, now);
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

function atDay(now: number, days: number, hours: number, minutes: number): number {
  const today = new Date(now);
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() + days, hours, minutes).getTime();
}

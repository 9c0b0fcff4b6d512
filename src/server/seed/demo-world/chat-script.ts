import {type LocatedAnnotation, parseAnnotation} from './annotations.ts';
import {DemoDataError, type SourcePosition} from './demo-data-error.ts';

/** Where a conversation is held, in the words of the script. */
export type ScriptDestination =
  | {readonly kind: 'channel'; readonly channel: string; readonly topic: string}
  | {readonly kind: 'direct'; readonly people: readonly string[]};

export interface ScriptMessage {
  readonly sender: string;
  /** Undefined for the first of a conversation: its time is the conversation's start. */
  readonly time: string | undefined;
  readonly text: string;
  readonly annotations: readonly LocatedAnnotation[];
  readonly source: SourcePosition;
}

export interface ScriptConversation {
  readonly place: ScriptDestination;
  readonly start: string;
  /** How many of the last messages you have not read. */
  readonly unread: number;
  readonly messages: readonly ScriptMessage[];
  readonly source: SourcePosition;
}

const header = /^== (.*?) ?==$/;
const spoken = /^([a-z][a-z0-9-]*)(?: ([+~]\d+[smhd]|-\d+(?:w|d|sun|sat) \d\d:\d\d))?:(?: (.*))?$/;

/** Reads a script of conversations; the grammar is in assets/demo/README.md. */
export function parseChatScript(file: string, text: string): ScriptConversation[] {
  const reader = new ChatScriptParser(file);
  for (const [index, line] of text.split('\n').entries()) reader.line(line, index + 1);
  return reader.finish();
}

type Open<T> = {-readonly [K in keyof T]: T[K]};
type OpenMessage = Omit<Open<ScriptMessage>, 'text' | 'annotations'> & {
  lines: string[];
  annotations: LocatedAnnotation[];
};
type OpenConversation = Omit<Open<ScriptConversation>, 'messages' | 'start'> & {
  start: string | undefined;
  messages: OpenMessage[];
};

class ChatScriptParser {
  readonly #file: string;
  readonly #conversations: OpenConversation[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  line(line: string, number: number): void {
    const source = {file: this.#file, place: number};
    if (line === '' || line.startsWith('//')) return;
    if (line.startsWith('==')) this.#begin(line, source);
    else if (line.startsWith('!')) this.#direct(line, source);
    else if (line.startsWith('  ')) this.#continue(line.slice(2), source);
    else this.#speak(line, source);
  }

  finish(): ScriptConversation[] {
    return this.#conversations.map(({start, messages, ...rest}) => {
      if (start === undefined) throw new DemoDataError(rest.source, 'the conversation has no !start');
      if (messages.length === 0) throw new DemoDataError(rest.source, 'the conversation has no messages');
      if (rest.unread > messages.length) {
        throw new DemoDataError(rest.source, `${rest.unread} unread of ${messages.length} messages`);
      }
      return {...rest, start, messages: messages.map(closed)};
    });
  }

  #begin(line: string, source: SourcePosition): void {
    const place = placeOf(header.exec(line)?.[1] ?? '');
    if (place === undefined) throw new DemoDataError(source, `“${line}” is not the head of a conversation`);
    this.#conversations.push({place, start: undefined, unread: 0, messages: [], source});
  }

  #direct(line: string, source: SourcePosition): void {
    const conversation = this.#current(source);
    const [, word, value = ''] = /^!(\S+) (.+)$/.exec(line) ?? [];
    if (conversation.messages.length > 0) throw new DemoDataError(source, `“${line}” comes after messages`);
    if (word === 'start') conversation.start = value;
    else if (word === 'unread' && /^\d+$/.test(value)) conversation.unread = Number(value);
    else throw new DemoDataError(source, `“${line}” is neither !start nor !unread`);
  }

  #speak(line: string, source: SourcePosition): void {
    const {messages} = this.#current(source);
    const [, sender, time, text = ''] = spoken.exec(line) ?? [];
    if (sender === undefined) throw new DemoDataError(source, `“${line}” is not a message`);
    if (messages.length === 0 && time !== undefined) {
      throw new DemoDataError(source, 'the first message has the time of !start and none of its own');
    }
    if (messages.length > 0 && time === undefined) throw new DemoDataError(source, 'the message has no time');
    messages.push({sender, time, lines: text === '' ? [] : [text], annotations: [], source});
  }

  /** More text, an annotation, or more text of an edit. */
  #continue(text: string, source: SourcePosition): void {
    const message = this.#current(source).messages.at(-1);
    if (message === undefined) throw new DemoDataError(source, 'the line belongs to no message');
    const last = message.annotations.at(-1);
    if (text.startsWith('%') && !text.startsWith('%%')) {
      message.annotations.push(parseAnnotation(text.slice(1), source));
    } else if (last?.kind === 'edit' && (text.startsWith('  ') || text === '')) {
      last.lines.push(text.slice(2));
    } else if (last !== undefined) {
      throw new DemoDataError(source, 'text comes after annotations');
    } else {
      message.lines.push(text.startsWith('%%') ? text.slice(1) : text);
    }
  }

  #current(source: SourcePosition): OpenConversation {
    const conversation = this.#conversations.at(-1);
    if (conversation === undefined) throw new DemoDataError(source, 'the line belongs to no conversation');
    return conversation;
  }
}

function placeOf(words: string): ScriptDestination | undefined {
  if (words.startsWith('@ ')) {
    const people = words
      .slice(2)
      .split(',')
      .map((person) => person.trim());
    return people.includes('') ? undefined : {kind: 'direct', people};
  }
  const end = words.indexOf(' >');
  if (!words.startsWith('#') || end < 0) return undefined;
  return {kind: 'channel', channel: words.slice(1, end), topic: words.slice(end + 2).trim()};
}

function closed({lines, ...message}: OpenMessage): ScriptMessage {
  const text = lines.join('\n');
  if (text.trim() === '') throw new DemoDataError(message.source, 'the message is empty');
  return {...message, text};
}

import {required} from '#server/required.ts';
import {DemoDataError, type SourcePosition} from './world-file.ts';

/** The channel and topic or the people of a conversation, by their names in the script. */
export type ScriptDestination =
  | {readonly kind: 'channel'; readonly channel: string; readonly topic: string}
  | {readonly kind: 'direct'; readonly people: readonly string[]};

export interface ScriptMessage {
  readonly sender: string;
  /** Undefined for the first message of a conversation, whose time is the conversation's start. */
  readonly time: string | undefined;
  readonly text: string;
  readonly annotations: readonly LocatedAnnotation[];
  readonly source: SourcePosition;
}

export interface ScriptConversation {
  readonly destination: ScriptDestination;
  readonly start: string;
  /** The number of last messages that are unread for `you`. */
  readonly unread: number;
  readonly messages: readonly ScriptMessage[];
  readonly source: SourcePosition;
}

const header = /^== (.*?) ?==$/;
const messageLine = /^([a-z][a-z0-9-]*)(?: ([+~]\d+[smhd]|-\d+(?:w|d|sun|sat) \d\d:\d\d))?:(?: (.*))?$/;

/** Parses a script of conversations; the grammar is in assets/demo/README.md. */
export function parseChatScript(file: string, text: string): ScriptConversation[] {
  const parser = new ChatScriptParser(file);
  for (const [index, line] of text.split('\n').entries()) parser.line(line, index + 1);
  return parser.finish();
}

type Mutable<T> = {-readonly [K in keyof T]: T[K]};
type MutableMessage = Omit<Mutable<ScriptMessage>, 'text' | 'annotations'> & {
  lines: string[];
  annotations: LocatedAnnotation[];
};
type MutableConversation = Omit<Mutable<ScriptConversation>, 'messages' | 'start'> & {
  start: string | undefined;
  messages: MutableMessage[];
};

class ChatScriptParser {
  readonly #file: string;
  readonly #conversations: MutableConversation[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  line(line: string, number: number): void {
    const source = {file: this.#file, position: number};
    if (line === '' || line.startsWith('//')) return;
    if (line.startsWith('==')) this.#startConversation(line, source);
    else if (line.startsWith('!')) this.#readDirective(line, source);
    else if (line.startsWith('  ')) this.#continueMessage(line.slice(2), source);
    else this.#startMessage(line, source);
  }

  finish(): ScriptConversation[] {
    return this.#conversations.map(({start, messages, ...rest}) => {
      if (start === undefined) throw new DemoDataError(rest.source, 'the conversation has no !start');
      if (messages.length === 0) throw new DemoDataError(rest.source, 'the conversation has no messages');
      if (rest.unread > messages.length) {
        throw new DemoDataError(rest.source, `${rest.unread} unread of ${messages.length} messages`);
      }
      return {...rest, start, messages: messages.map(finishMessage)};
    });
  }

  #startConversation(line: string, source: SourcePosition): void {
    const destination = parseDestination(header.exec(line)?.[1] ?? '');
    if (destination === undefined) throw new DemoDataError(source, `“${line}” is not the head of a conversation`);
    this.#conversations.push({destination, start: undefined, unread: 0, messages: [], source});
  }

  #readDirective(line: string, source: SourcePosition): void {
    const conversation = this.#current(source);
    const [, word, value = ''] = /^!(\S+) (.+)$/.exec(line) ?? [];
    if (conversation.messages.length > 0) throw new DemoDataError(source, `“${line}” comes after messages`);
    if (word === 'start') conversation.start = value;
    else if (word === 'unread' && /^\d+$/.test(value)) conversation.unread = Number(value);
    else throw new DemoDataError(source, `“${line}” is neither !start nor !unread`);
  }

  #startMessage(line: string, source: SourcePosition): void {
    const {messages} = this.#current(source);
    const [, sender, time, text = ''] = messageLine.exec(line) ?? [];
    if (sender === undefined) throw new DemoDataError(source, `“${line}” is not a message`);
    if (messages.length === 0 && time !== undefined) {
      throw new DemoDataError(source, 'the first message has the time of !start and none of its own');
    }
    if (messages.length > 0 && time === undefined) throw new DemoDataError(source, 'the message has no time');
    messages.push({sender, time, lines: text === '' ? [] : [text], annotations: [], source});
  }

  /** Reads an indented line: more text, an annotation, or more text of an edit. */
  #continueMessage(text: string, source: SourcePosition): void {
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

  #current(source: SourcePosition): MutableConversation {
    return required(this.#conversations.at(-1), () => new DemoDataError(source, 'the line belongs to no conversation'));
  }
}

function parseDestination(text: string): ScriptDestination | undefined {
  if (text.startsWith('@ ')) {
    const people = text
      .slice(2)
      .split(',')
      .map((person) => person.trim());
    return people.includes('') ? undefined : {kind: 'direct', people};
  }
  const end = text.indexOf(' >');
  if (!text.startsWith('#') || end < 0) return undefined;
  return {kind: 'channel', channel: text.slice(1, end), topic: text.slice(end + 2).trim()};
}

function finishMessage({lines, ...message}: MutableMessage): ScriptMessage {
  const text = lines.join('\n');
  if (text.trim() === '') throw new DemoDataError(message.source, 'the message is empty');
  return {...message, text};
}

/** A `%…` line of a chat script: something about the message beside its text, such as a reaction. */
type Annotation =
  | {readonly kind: 'react'; readonly emoji: string; readonly people: readonly string[]}
  | {readonly kind: 'star'}
  | {readonly kind: 'edit'; readonly after: string; readonly lines: string[]}
  | {
      readonly kind: 'moved-from';
      readonly topic: string;
      readonly channel: string | undefined;
      readonly by: string;
      readonly after: string;
    }
  | {readonly kind: 'poll-vote' | 'todo-done'; readonly person: string; readonly index: number}
  | {readonly kind: 'vote-option'; readonly person: string; readonly option: string}
  | {readonly kind: 'todo-add'; readonly person: string; readonly task: string; readonly description: string}
  | {readonly kind: 'file'; readonly name: string}
  | {readonly kind: 'id'; readonly label: string};

export type LocatedAnnotation = Annotation & {readonly source: SourcePosition};
export type WidgetAnnotation = Extract<
  LocatedAnnotation,
  {kind: 'poll-vote' | 'vote-option' | 'todo-done' | 'todo-add'}
>;

const parsers: Readonly<Record<string, (rest: string) => Annotation | undefined>> = {
  react: (rest) => {
    const [, emoji, people] = /^(\S+) (\S.*)$/.exec(rest) ?? [];
    if (emoji === undefined || people === undefined) return undefined;
    return {kind: 'react', emoji, people: people.split(',').map((person) => person.trim())};
  },
  star: (rest) => (rest === '' ? {kind: 'star'} : undefined),
  edit: (rest) => {
    const [, after, text] = /^\+(\d+[smhd]):(?: (.*))?$/.exec(rest) ?? [];
    return after === undefined ? undefined : {kind: 'edit', after, lines: text === undefined ? [] : [text]};
  },
  'moved-from': (rest) => {
    const [, topic, channel, by, after] = /^"(.*)"(?: in #(.+))? by (\S+) \+(\d+[smhd])$/.exec(rest) ?? [];
    if (topic === undefined || by === undefined || after === undefined) return undefined;
    return {kind: 'moved-from', topic, channel, by, after};
  },
  'poll-vote': (rest) => parseIndexed('poll-vote', rest),
  'todo-done': (rest) => parseIndexed('todo-done', rest),
  'vote-option': (rest) => {
    const [, person, option] = /^(\S+): (.+)$/.exec(rest) ?? [];
    return person === undefined || option === undefined ? undefined : {kind: 'vote-option', person, option};
  },
  'todo-add': (rest) => {
    const [, person, task, description = ''] = /^(\S+): ([^:]+)(?:: (.*))?$/.exec(rest) ?? [];
    return person === undefined || task === undefined ? undefined : {kind: 'todo-add', person, task, description};
  },
  file: (rest) => (rest === '' ? undefined : {kind: 'file', name: rest}),
  id: (rest) => (/^\S+$/.test(rest) ? {kind: 'id', label: rest} : undefined),
};

function parseIndexed(kind: 'poll-vote' | 'todo-done', rest: string): Annotation | undefined {
  const [, person, index] = /^(\S+) (\d+)$/.exec(rest) ?? [];
  return person === undefined ? undefined : {kind, person, index: Number(index)};
}

/** Parses a line such as `%react heart maren, bo`, given without its percent sign. */
function parseAnnotation(text: string, source: SourcePosition): LocatedAnnotation {
  const [, word = '', rest = ''] = /^(\S*) ?(.*)$/.exec(text) ?? [];
  const parse = Object.hasOwn(parsers, word) ? parsers[word] : undefined;
  if (parse === undefined) throw new DemoDataError(source, `“%${word}” is not an annotation`);
  const annotation = parse(rest);
  if (annotation === undefined) throw new DemoDataError(source, `“%${text}” does not have the form of %${word}`);
  return {...annotation, source};
}

export function isWidgetAnnotation(annotation: LocatedAnnotation): annotation is WidgetAnnotation {
  return ['poll-vote', 'vote-option', 'todo-done', 'todo-add'].includes(annotation.kind);
}

import {createHash} from 'node:crypto';
import {realmId, safeFilename} from '#server/uploads/upload-path.ts';
import {typeByName} from '#std/media-type.ts';
import {ownValue} from '#std/own-value.ts';
import {assetNames, readAsset, readAssetBytes} from '#std/program-files.ts';
import {DemoDataError, existing, parseWorldFile, type SourcePosition, type WorldFile} from './world-file.ts';

/** The channel and topic or the people of a conversation, by their names in the script. */
type ScriptDestination =
  | {readonly kind: 'channel'; readonly channel: string; readonly topic: string}
  | {readonly kind: 'direct'; readonly people: readonly string[]};

export interface ScriptMessage {
  readonly sender: string;
  /** Undefined for the first message of a conversation, whose time is the conversation's start. */
  readonly time: string | undefined;
  text: string;
  readonly annotations: LocatedAnnotation[];
  readonly source: SourcePosition;
}

export interface ScriptConversation {
  readonly destination: ScriptDestination;
  start: string;
  /** The number of last messages that are unread for `you`. */
  unread: number;
  readonly messages: ScriptMessage[];
  readonly source: SourcePosition;
}

const header = /^== (.*?) ?==$/;
const messageLine = /^([a-z][a-z0-9-]*)(?: ([+~]\d+[smhd]|-\d+(?:w|d|sun|sat) \d\d:\d\d))?:(?: (.*))?$/;

/** Parses a script of conversations; the grammar is in assets/demo/README.md. */
export function parseChatScript(file: string, text: string): ScriptConversation[] {
  const conversations: ScriptConversation[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '' || line.startsWith('//')) continue;
    const source = {file, position: index + 1};
    if (line.startsWith('==')) {
      const destination = parseDestination(header.exec(line)?.[1] ?? '');
      if (destination === undefined) throw new DemoDataError(source, `“${line}” is not the head of a conversation`);
      conversations.push({destination, start: '', unread: 0, messages: [], source});
    } else readLine(existing(conversations.at(-1), source, 'the line belongs to no conversation'), line, source);
  }
  for (const {source, start, unread, messages} of conversations) {
    if (start === '') throw new DemoDataError(source, 'the conversation has no !start');
    if (messages.length === 0) throw new DemoDataError(source, 'the conversation has no messages');
    if (unread > messages.length) throw new DemoDataError(source, `${unread} unread of ${messages.length} messages`);
    const empty = messages.find((message) => message.text.trim() === '');
    if (empty !== undefined) throw new DemoDataError(empty.source, 'the message is empty');
  }
  return conversations;
}

function readLine(conversation: ScriptConversation, line: string, source: SourcePosition): void {
  const {messages} = conversation;
  const fail = (reason: string): never => {
    throw new DemoDataError(source, reason);
  };
  if (line.startsWith('!')) {
    const [, word, value = ''] = /^!(\S+) (.+)$/.exec(line) ?? [];
    if (messages.length > 0) fail(`“${line}” comes after messages`);
    if (word === 'start') conversation.start = value;
    else if (word === 'unread' && /^\d+$/.test(value)) conversation.unread = Number(value);
    else fail(`“${line}” is neither !start nor !unread`);
  } else if (line.startsWith('  ')) {
    continueMessage(existing(messages.at(-1), source, 'the line belongs to no message'), line.slice(2), source);
  } else {
    const found = existing(messageLine.exec(line) ?? undefined, source, `“${line}” is not a message`);
    const [, sender = '', time, text = ''] = found;
    if (messages.length === 0 && time !== undefined)
      fail('the first message has the time of !start and none of its own');
    if (messages.length > 0 && time === undefined) fail('the message has no time');
    messages.push({sender, time, text, annotations: [], source});
  }
}

/** Reads an indented line: more text, an annotation, or more text of an edit. */
function continueMessage(message: ScriptMessage, text: string, source: SourcePosition): void {
  const last = message.annotations.at(-1);
  if (text.startsWith('%') && !text.startsWith('%%')) message.annotations.push(parseAnnotation(text.slice(1), source));
  else if (last?.kind === 'edit' && (text.startsWith('  ') || text === '')) last.lines.push(text.slice(2));
  else if (last !== undefined) throw new DemoDataError(source, 'text comes after annotations');
  else message.text += (message.text === '' ? '' : '\n') + (text.startsWith('%%') ? text.slice(1) : text);
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

/** The form of each annotation, and what its groups mean. */
const forms: Readonly<Record<string, readonly [RegExp, (...groups: string[]) => Annotation]>> = {
  react: [
    /^(\S+) (\S.*)$/,
    (emoji = '', people = '') => ({kind: 'react', emoji, people: people.split(',').map((person) => person.trim())}),
  ],
  star: [/^$/, () => ({kind: 'star'})],
  edit: [
    /^\+(\d+[smhd]):(?: (.*))?$/,
    (after = '', text?: string) => ({kind: 'edit', after, lines: text === undefined ? [] : [text]}),
  ],
  'moved-from': [
    /^"(.*)"(?: in #(.+))? by (\S+) \+(\d+[smhd])$/,
    (topic = '', channel, by = '', after = '') => ({kind: 'moved-from', topic, channel, by, after}),
  ],
  'poll-vote': [/^(\S+) (\d+)$/, (person = '', index) => ({kind: 'poll-vote', person, index: Number(index)})],
  'todo-done': [/^(\S+) (\d+)$/, (person = '', index) => ({kind: 'todo-done', person, index: Number(index)})],
  'vote-option': [/^(\S+): (.+)$/, (person = '', option = '') => ({kind: 'vote-option', person, option})],
  'todo-add': [
    /^(\S+): ([^:]+)(?:: (.*))?$/,
    (person = '', task = '', description = '') => ({kind: 'todo-add', person, task, description}),
  ],
  file: [/^(.+)$/, (name = '') => ({kind: 'file', name})],
  id: [/^(\S+)$/, (label = '') => ({kind: 'id', label})],
};

/** Parses a line such as `%react heart maren, bo`, given without its percent sign. */
function parseAnnotation(text: string, source: SourcePosition): LocatedAnnotation {
  const [, word = '', rest = ''] = /^(\S*) ?(.*)$/.exec(text) ?? [];
  const [form, annotation] = existing(ownValue(forms, word), source, `“%${word}” is not an annotation`);
  const found = form.exec(rest);
  if (found === null) throw new DemoDataError(source, `“%${text}” does not have the form of %${word}`);
  return {...annotation(...found.slice(1)), source};
}

export function isWidgetAnnotation(annotation: LocatedAnnotation): annotation is WidgetAnnotation {
  return ['poll-vote', 'vote-option', 'todo-done', 'todo-add'].includes(annotation.kind);
}

/** A file of the demo: an attachment or a custom emoji. */
export interface DemoFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly contentType: string;
  /** Its upload path, the same every time, unlike those of user uploads. */
  readonly pathId: string;
}

/** The parsed files of `assets/demo`. */
export interface DemoData {
  readonly world: WorldFile;
  readonly conversations: readonly ScriptConversation[];
  readonly files: ReadonlyMap<string, DemoFile>;
}

export function readDemoData(): DemoData {
  const scripts = assetNames('demo/conversations').filter((name) => name.endsWith('.chat'));
  return {
    world: parseWorldFile('world.json', readAsset('demo/world.json')),
    conversations: scripts.flatMap((name) => parseChatScript(name, readAsset(`demo/conversations/${name}`))),
    files: new Map(assetNames('demo/files').map((name) => [name, demoFile(name)])),
  };
}

function demoFile(name: string): DemoFile {
  const bytes = readAssetBytes(`demo/files/${name}`);
  const digest = createHash('sha256').update(name).update(bytes).digest('base64url').slice(0, 24);
  return {
    name,
    bytes,
    contentType: typeByName(name) ?? 'application/octet-stream',
    pathId: `${realmId}/00/${digest}/${safeFilename(name)}`,
  };
}

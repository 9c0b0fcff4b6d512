import {isoInstant} from '#content/iso-instant.ts';
import {type TimeOptions, timeText} from '#content/time-text.ts';
import type {Channel} from '#state/model/channel.ts';
import {exactUser} from '#state/selectors/names/find-by-name.ts';
import {sortedByName} from '#state/selectors/names/names.ts';
import {personText} from '#state/selectors/search/parse-search.ts';
import type {AccountState} from '#state/state.ts';
import {foldText} from '#std/fold-text.ts';
import {fuzzyMatch, matchScores} from '#std/fuzzy.ts';
import {FuzzyIndex} from '#std/fuzzy-index.ts';
import {plainFormat} from '#std/locale-format.ts';
import {isoWithOffset, parseMoment, withWorkday} from '#std/parse-moment.ts';
import {
  type Completion,
  type CompletionContext,
  type CompletionOption,
  completionOf,
  type FileEntry,
  maxOptions,
} from '#ui/search/completion.ts';
import {
  channelLinkOptions,
  channelOption,
  findChannels,
  findTopics,
  isNewTopic,
  newTopicOption,
  parseChannelAndTopic,
  topicLinkOptions,
  topicOption,
} from '#ui/search/find-channels-and-topics.ts';
import {findPeople} from '#ui/search/find-people.ts';
import {
  addressCompletion,
  emojiOptions,
  emoticonOption,
  mentionOptions,
  messageLinkOptions,
  personOption,
} from '#ui/search/mention-and-emoji-options.ts';
import {searchCompletion} from '#ui/search/search-operands.ts';
import {suggestedTimes, usesHour12} from '#wording/moment-text.ts';
import {isCode, languageCompletion} from './language-completion.ts';

/** Returns the completions for the text before the cursor; undefined when there are none. */
export function completionAt(state: AccountState, context: CompletionContext): Completion | undefined {
  return fieldCompletions[context.field](state, context);
}

type FieldCompletion = (state: AccountState, context: CompletionContext) => Completion | undefined;

const fieldCompletions: Readonly<Record<CompletionContext['field'], FieldCompletion>> = {
  message: messageCompletion,
  channel: channelFieldCompletion,
  topic: topicFieldCompletion,
  people: peopleFieldCompletion,
  search: searchCompletion,
  file: (_state, context) => fileFieldCompletion(context),
};

function messageCompletion(state: AccountState, context: CompletionContext): Completion | undefined {
  const {text, cursor} = context;
  const atFence = languageCompletion(text, cursor);
  if (atFence !== undefined) return atFence;
  if (isCode(text, cursor)) return undefined;
  const first = slashCompletion(text, cursor) ?? addressCompletion(state, text, cursor);
  if (first !== undefined) return first;
  const trigger = triggerAt(text, cursor);
  if (trigger === undefined) return undefined;
  return trigger.kind === 'emoji' ? emojiCompletion(state, trigger, context) : signCompletion(state, trigger, context);
}

/** Completes emoji names. An emoticon such as `:)` is offered but not selected, so that Enter sends it as it is. */
function emojiCompletion(
  state: AccountState,
  trigger: CompletionTrigger,
  context: CompletionContext,
): Completion | undefined {
  const {start, query} = trigger;
  const emoticon = query.length === 1 ? emoticonOption(state, `:${query}`) : undefined;
  if (emoticon !== undefined) return completionOf('emoji', {start, end: context.cursor}, [emoticon], 'none');
  if (query.length < 2) return undefined;
  return completionOf('emoji', replacedRange(trigger, context), emojiOptions(state, query));
}

function signCompletion(
  state: AccountState,
  trigger: CompletionTrigger,
  context: CompletionContext,
): Completion | undefined {
  const {kind, options, channelId} = signOptions(state, trigger, context);
  const isName = kind === 'mention' || kind === 'channel';
  const matching =
    isName && trigger.query.endsWith(' ') ? options.filter((one) => isUnfinished(one, trigger.query)) : options;
  const completion = completionOf(kind, replacedRange(trigger, context), matching);
  return completion && {...completion, channelId};
}

/** Whether the label contains the query with its trailing space: after a space a complete name is no longer offered. */
function isUnfinished({label}: CompletionOption, query: string): boolean {
  return foldText(label).text.includes(foldText(query).text);
}

function signOptions(
  state: AccountState,
  {kind, query}: CompletionTrigger,
  context: CompletionContext,
): Pick<Completion, 'kind' | 'options' | 'channelId'> {
  const {remap} = context;
  switch (kind) {
    case 'mention':
    case 'silent':
      return {kind: 'mention', options: mentionOptions(state, query, kind === 'silent', context)};
    case 'channel': {
      const channelAndTopic = parseChannelAndTopic(state, query);
      return channelAndTopic === undefined
        ? {kind: 'channel', options: channelLinkOptions(state, query, remap)}
        : {
            kind: 'topic',
            options: topicLinkOptions(state, channelAndTopic, remap),
            channelId: channelAndTopic.channel.id,
          };
    }
    case 'time':
      return {kind: 'time', options: timeOptions(state, query, context)};
    default:
      return {kind: 'link', options: messageLinkOptions(state, query, context)};
  }
}

/**
 * Returns the range to replace. It includes the closing characters and a following space, because the inserted text
 * ends with one.
 */
function replacedRange(
  {start, kind}: CompletionTrigger,
  {text, cursor}: CompletionContext,
): {readonly start: number; readonly end: number} {
  const closing = {mention: '**', silent: '**', channel: '**', emoji: ':', time: '>', link: ']]'}[kind];
  const after = text.startsWith(closing, cursor) ? cursor + closing.length : cursor;
  return {start, end: text[after] === ' ' ? after + 1 : after};
}

const commands = [
  {name: 'me', detail: 'describe an action: /me is on it'},
  {name: 'poll', detail: 'poll: a question, then one option per line'},
  {name: 'todo', detail: 'to-do list: one task per line'},
] as const;

/** Completes slash commands, at the start of a message only. */
function slashCompletion(text: string, cursor: number): Completion | undefined {
  const [, query] = /^\/([a-z]*)$/iu.exec(text.slice(0, cursor)) ?? [];
  if (query === undefined || /^\S/u.test(text.slice(cursor))) return undefined;
  const options = commands.flatMap(({name, detail}): CompletionOption[] => {
    const match = fuzzyMatch(query, name);
    if (match === undefined || (query !== '' && match.score < matchScores.prefix)) return [];
    const ranges = match.ranges.map(([start, end]): readonly [number, number] => [start + 1, end + 1]);
    return [{label: `/${name}`, detail, insert: `/${name} `, ranges}];
  });
  return completionOf('command', {start: 0, end: cursor}, options);
}

/** The start of a completion, found from the characters before the cursor alone. */
interface CompletionTrigger {
  readonly kind: 'mention' | 'silent' | 'channel' | 'emoji' | 'time' | 'link';
  readonly start: number;
  /** The text after the sign, without asterisks. */
  readonly query: string;
}

/** The maximum distance between the sign and the cursor. */
const maxLookBack = 100;
/** The characters allowed before a mention; see the message syntax. A channel link may not follow a bracket. */
const beforeMention = /^[\s'"({[/<]$/u;
const beforeChannel = /^[\s'"({/<]$/u;
const beforeEmoji = /^[\s'"({[<>*_~|,.;!?-]$/u;
const url = /\S*:\/\/\S*$/u;

/** Returns the nearest sign before the cursor that starts a completion. Signs inside a URL do not count. */
function triggerAt(text: string, cursor: number): CompletionTrigger | undefined {
  const lineStart = text.slice(0, cursor).lastIndexOf('\n') + 1;
  const from = Math.max(lineStart, cursor - maxLookBack);
  const line = text.slice(from, cursor);
  return timeOrLink(line, from) ?? nearestSign(line, from, lineStart === from);
}

function timeOrLink(line: string, from: number): CompletionTrigger | undefined {
  const time = /<time:([^<>]*)$/u.exec(line);
  if (time !== null) return {kind: 'time', start: from + time.index, query: time[1] ?? ''};
  const link = /\[\[([^[\]]*)$/u.exec(line);
  return link === null ? undefined : {kind: 'link', start: from + link.index, query: link[1] ?? ''};
}

function nearestSign(line: string, from: number, isLineStart: boolean): CompletionTrigger | undefined {
  for (let at = line.length - 1; at >= 0; at -= 1) {
    const trigger = triggerOfSign(line, at, isLineStart);
    if (trigger === undefined) continue;
    return url.test(line.slice(0, at)) ? undefined : {...trigger, start: from + at};
  }
  return undefined;
}

function triggerOfSign(line: string, at: number, isLineStart: boolean): Omit<CompletionTrigger, 'start'> | undefined {
  const beforeLine = isLineStart ? ' ' : 'x';
  const before = at === 0 ? beforeLine : line.charAt(at - 1);
  const rest = line.slice(at + 1);
  switch (line[at]) {
    case '@': {
      const [, silent, query] = /^(_?)\*{0,2}([^*@`]*)$/u.exec(rest) ?? [];
      if (query === undefined || startsBlank(query) || !beforeMention.test(before)) return undefined;
      return {kind: silent === '_' ? 'silent' : 'mention', query};
    }
    case '#': {
      const [, query] = /^\*{0,2}([^*`]*)$/u.exec(rest) ?? [];
      if (query === undefined || startsBlank(query) || !beforeChannel.test(before)) return undefined;
      return {kind: 'channel', query};
    }
    case ':':
      return isEmojiStart(rest) && beforeEmoji.test(before) ? {kind: 'emoji', query: rest} : undefined;
    default:
      return undefined;
  }
}

function startsBlank(query: string): boolean {
  return /^\s/u.test(query);
}

/** Colons are common, so only a name of two letters or an emoticon counts. */
function isEmojiStart(rest: string): boolean {
  return /^[\p{L}\p{N}\p{M}_+-]{2,}$/u.test(rest) || /^[()|/DOoPp]$/.test(rest);
}

const presets = [
  'now',
  'in 1 hour',
  'today 17:00',
  'tomorrow 9:00',
  'monday 9:00',
  'in 30 minutes',
  'tomorrow 14:00',
  'friday 16:00',
] as const;

/** Returns times that each reader sees in their own zone: the typed one, if it parses, and presets. */
function timeOptions(
  state: Pick<AccountState, 'settings'>,
  query: string,
  {nowMs, zone, locale = plainFormat}: CompletionContext,
): readonly CompletionOption[] {
  const time = {now: nowMs, zone, hour12: usesHour12(state, locale), dateOrder: locale.dateOrder};
  const written = query.trim();
  const moment = written === '' ? undefined : (parseMoment(written, nowMs, zone, locale) ?? isoMoment(written));
  const own = moment === undefined ? [] : [timeOption(written, moment, time)];
  const usual = presets.flatMap((name): CompletionOption[] => {
    const preset = suggestedTimes(state, withWorkday(name, locale), locale);
    const at = parseMoment(preset, nowMs, zone, locale);
    const match = fuzzyMatch(written, preset);
    const fits = match !== undefined && (written === '' || match.score >= matchScores.inside);
    const isPast = at === undefined || (at < nowMs && preset !== 'now');
    if (!fits || isPast || at === moment) return [];
    return [{...timeOption(preset, at, time), ranges: match.ranges}];
  });
  return [...own, ...usual];
}

/** Parses only times with a zone: without one, the server and the reader would disagree. */
function isoMoment(written: string): number | undefined {
  const instant = /(?:z|[+-]\d\d:?\d\d)$/i.test(written) ? isoInstant(written) : undefined;
  return instant === undefined ? undefined : Date.parse(instant);
}

function timeOption(label: string, atMs: number, time: TimeOptions): CompletionOption {
  const iso = isoWithOffset(atMs, time.zone);
  return {label, detail: timeText(iso, time), insert: `<time:${iso}> `, ranges: []};
}

/** The whole field is the query: text after the cursor is replaced too. */
function wholeField({text}: CompletionContext): {readonly start: number; readonly end: number} {
  return {start: 0, end: text.length};
}

function channelFieldCompletion(state: AccountState, context: CompletionContext): Completion | undefined {
  const query = context.text.trim().replace(/^#/, '');
  const isSame = ({name}: Channel) => name.toLowerCase() === query.toLowerCase();
  const found = findChannels(state, query, context.remap);
  if (found.length === 1 && found[0] !== undefined && isSame(found[0].channel)) return undefined;
  const options = found.map((one) => channelOption(state, one));
  return completionOf('channel', wholeField(context), options);
}

/**
 * Completes a topic name. Nothing is selected, so the typed text stays unless the user picks; a topic that does not
 * exist is offered too, marked as new, so that typos show.
 */
function topicFieldCompletion(state: AccountState, context: CompletionContext): Completion | undefined {
  const {conversation, remap} = context;
  if (conversation?.kind !== 'topic') return undefined;
  const written = context.text.trim();
  const found = findTopics(state, conversation.channelId, written, remap);
  const options = found.map((one) => topicOption(one));
  if (isNewTopic(state, conversation.channelId, written)) options.push(newTopicOption(written));
  return completionOf('topic', wholeField(context), options, 'none');
}

/** Completes the name at the cursor in a comma-separated list, without people who are already in it. */
function peopleFieldCompletion(state: AccountState, context: CompletionContext): Completion | undefined {
  const {text, cursor, conversation, nowMs, remap} = context;
  const from = text.slice(0, cursor).lastIndexOf(',') + 1;
  const comma = text.indexOf(',', cursor);
  const end = comma < 0 ? text.length : comma;
  const segment = text.slice(from, end);
  const query = segment.trim().replace(/^@/, '');
  const start = Math.min(cursor, from + segment.length - segment.trimStart().length);
  const others = new Set(chosenIds(state, [...text.slice(0, from).split(','), ...text.slice(end).split(',')]));
  const found = findPeople(state, {query, conversation, remap}).filter(({user}) => !others.has(user.id));
  const options = found.map((match) => {
    const insert = `${personText(state, match.user.id)}${comma < 0 ? ', ' : ''}`;
    return personOption(state, match, {insert, nowMs});
  });
  return completionOf('people', {start, end}, options, query === '' && others.size > 0 ? 'none' : 'first');
}

/** Returns the users of complete names only: resolving a partial name would compare it with all users. */
function chosenIds(state: AccountState, names: readonly string[]): readonly number[] {
  return names.flatMap((name) => {
    const user = exactUser(state, name);
    return user === undefined ? [] : [user.id];
  });
}

/** Completes the last part of a path; a directory goes on with its files. */
function fileFieldCompletion({text, cursor, files}: CompletionContext): Completion | undefined {
  if (files === undefined) return undefined;
  const start = text.slice(0, cursor).lastIndexOf('/') + 1;
  const query = text.slice(start, cursor);
  const visible = files.filter(({name}) => !name.startsWith('.') || query.startsWith('.'));
  const options = matchingFiles(visible, query).map(({item, ranges}): CompletionOption => {
    const insert = item.isDirectory ? `${item.name}/` : item.name;
    return {label: insert, insert, ranges, ...(item.isDirectory && {drill: insert})};
  });
  return completionOf('file', {start, end: text.length}, options);
}

/** Returns all files, directories first, for an empty query; otherwise the best matches first. */
function matchingFiles(files: readonly FileEntry[], query: string) {
  if (query === '') {
    const named = sortedByName(files, ({name}) => name);
    const ordered = [...named.filter(isDirectory), ...named.filter((file) => !isDirectory(file))];
    return ordered.map((item) => ({item, ranges: []}));
  }
  const index = new FuzzyIndex<string, FileEntry>();
  for (const file of files) index.put(file.name, file, file.name);
  return index.find(query, {limit: maxOptions});
}

function isDirectory(file: FileEntry): boolean {
  return file.isDirectory;
}

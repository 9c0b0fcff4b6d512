import {autolinkPass, linkifierPass, linkPass, mediaPass} from './inline-links.ts';
import {InlineParser, type InlinePass, replaceMatches} from './inline-parser.ts';
import {
  emojiPass,
  emoticonPass,
  entityPass,
  literalStarsPass,
  mathPass,
  timePass,
  unicodeEmojiPass,
} from './inline-symbols.ts';
import {channelLink, groupMention, MessageNames, messageLink, topicLink, userMention} from './message-names.ts';
import type {ParseContext} from './parse-context.ts';
import type {InlineToken, StyledToken, WildcardMentionToken} from './tokens.ts';

const strong = /\*\*([^\n]+?)\*\*/g;
const strike = /(?<!~)~~([^~\n]+?)~~(?!~)/g;

const codePass: InlinePass = (inline, data) => {
  if (!data.includes('`')) return data;
  let out = '';
  let last = 0;
  for (const {start, end, close} of codeSpans(data)) {
    const text = data.slice(end, close);
    const after = close + (end - start);
    out += halvedBackslashes(inline, data.slice(last, start + 1)).slice(0, -1);
    out += inline.stash(data.slice(start, after), {type: 'code_span', text});
    last = after;
  }
  return out + halvedBackslashes(inline, data.slice(last));
};

/** Each pair of backslashes before backticks is one backslash, unless a single one is left. */
function halvedBackslashes(inline: InlineParser, text: string): string {
  return text.replace(/(?<!\\)(?:\\{2})+(?=`)/g, (pairs) => inline.stashText(pairs.slice(pairs.length / 2)));
}

type BacktickRun = {start: number; end: number};

function backtickRuns(data: string): BacktickRun[] {
  return Array.from(data.matchAll(/`+/g), ({0: text, index}) => ({start: index, end: index + text.length}));
}

/**
 * Finds the code spans of a paragraph. Pairs each opening run of backticks with the next run of the same length, or, if
 * there is none, its last ticks with a shorter run.
 */
export function* codeSpans(data: string): Generator<BacktickRun & {close: number}> {
  const runs = backtickRuns(data);
  const later = new Map<number, number[]>();
  for (let i = runs.length - 1; i >= 0; i--) {
    const length = lengthOf(runs[i]);
    const positions = later.get(length);
    if (positions === undefined) later.set(length, [i]);
    else positions.push(i);
  }
  for (let i = 0; i < runs.length; i++) {
    const open = runs[i];
    if (open === undefined || isEscaped(data, open.start)) continue;
    const length = lengthOf(open);
    for (let ticks = length; ticks > 0; ticks--) {
      const positions = later.get(ticks);
      while (positions !== undefined && (positions.at(-1) ?? runs.length) <= i) positions.pop();
      const closeAt = positions?.at(-1);
      const close = closeAt === undefined ? undefined : runs[closeAt];
      if (close === undefined || closeAt === undefined) continue;
      yield {start: open.start, end: open.start + ticks, close: close.start};
      i = closeAt;
      break;
    }
  }
}

/** Returns whether an odd number of backslashes stands before the backticks. */
function isEscaped(data: string, start: number): boolean {
  let slashes = 0;
  while (data[start - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}

function lengthOf(run: BacktickRun | undefined): number {
  return run === undefined ? 0 : run.end - run.start;
}

/** A run of stars and the text after it; `text` contains marks for the styles found in it. */
type StarRun = {stars: number; text: string; hasBreak: boolean};

/**
 * Replaces texts between `count` stars by styled tokens, inner ones first: `*can *the**` contains `*the*`. The text has no
 * other stars and no `^` or line break, and no white space at its ends.
 */
function replaceBetweenStars(
  inline: InlineParser,
  data: string,
  count: number,
  style: (raw: string, text: string) => string,
): string {
  const marker = '*'.repeat(count);
  const open: StarRun[] = [];
  let last: StarRun = {stars: 0, text: '', hasBreak: false};
  const append = (text: string): void => {
    last.text += text;
    last.hasBreak ||= /[\n^]/.test(text);
  };
  for (const [run, stars = '', text = ''] of data.matchAll(/(\**)([^*]*)/g)) {
    if (run === '') continue;
    let left = stars.length;
    while (left >= count && last.stars >= count && isBetweenStars(last) && !inline.isTooDeep(last.text)) {
      const styled = style(marker + last.text + marker, last.text);
      left -= count;
      last.stars -= count;
      last.text = '';
      const previous = last.stars === 0 ? open.pop() : undefined;
      if (previous !== undefined) last = previous;
      append(styled);
    }
    if (left > 0) {
      open.push(last);
      last = {stars: left, text: '', hasBreak: false};
    }
    append(text);
  }
  return [...open, last].map((run) => '*'.repeat(run.stars) + run.text).join('');
}

function isBetweenStars({text, hasBreak}: StarRun): boolean {
  return !hasBreak && text !== '' && /\S/.test(text[0] ?? '') && /\S/.test(text.at(-1) ?? '');
}

const strongEmphasisPass: InlinePass = (inline, data, index) => {
  if (!data.includes('***')) return data;
  return replaceBetweenStars(inline, data, 3, (raw, text) => {
    const emphasis = inline.stashNested(raw, text, index, (children) => ({type: 'emphasis', children}));
    return inline.stashNested(raw, emphasis, 'atomic', (children) => ({type: 'strong', children}));
  });
};

const emphasisPass: InlinePass = (inline, data, index) => {
  if (!data.includes('*')) return data;
  const wrap = (children: InlineToken[]): InlineToken => ({type: 'emphasis', children});
  return replaceBetweenStars(inline, data, 1, (raw, text) => inline.stashNested(raw, text, index, wrap));
};

function stylePass(marker: string, pattern: RegExp, type: StyledToken['type']): InlinePass {
  return (inline, data, index) => {
    if (!data.includes(marker)) return data;
    return replaceMatches(data, pattern, ([raw, inner = '']) =>
      inline.isTooDeep(inner) ? undefined : inline.stashNested(raw, inner, index, (children) => ({type, children})),
    );
  };
}

const strongPass = stylePass('**', strong, 'strong');
const strikePass = stylePass('~~', strike, 'strike');

const wildcards = new Map<string, WildcardMentionToken['scope']>([
  ['all', 'channel'],
  ['everyone', 'channel'],
  ['stream', 'channel'],
  ['channel', 'channel'],
  ['topic', 'topic'],
]);

const userMentionPass: InlinePass = (inline, data) => {
  if (!data.includes('@')) return data;
  return replaceMatches(data, userMention, ([raw], {silent, name = ''}) => {
    const token = userMentionToken(inline, name, silent === '_');
    return token === undefined ? undefined : inline.stash(raw, token);
  });
};

function userMentionToken({context, names}: InlineParser, name: string, silent: boolean): InlineToken | undefined {
  const scope = wildcards.get(name);
  if (scope !== undefined) return {type: 'wildcard_mention', scope, name, silent};
  const user = names.hasUser(name) ? mentionedUser(context, name) : undefined;
  if (user === undefined) return undefined;
  return {type: 'user_mention', userId: user.id, name: user.fullName, silent: silent || !user.isActive};
}

/** Resolves `Name`, `Name|12` (only while user 12 has that name, unless the context follows renames) and `|12`. */
function mentionedUser(context: ParseContext, name: string) {
  const [, fullName = '', id] = /^(.*)\|(\d+)$/s.exec(name) ?? [];
  if (id === undefined) return context.userByName?.(name);
  const user = context.userById?.(Number(id), fullName);
  if (user === undefined || fullName === '' || [user.fullName, user.writtenName].includes(fullName)) return user;
  // Servers want the name as it is written, so another case is no former name.
  const isOtherCase = user.fullName.toLowerCase() === fullName.toLowerCase();
  return context.followsRenames === true && !isOtherCase ? user : undefined;
}

const groupMentionPass: InlinePass = (inline, data) => {
  if (!data.includes('@')) return data;
  return replaceMatches(data, groupMention, ([raw], {silent, name = ''}) => {
    const group = inline.context.groupByName?.(name);
    if (group === undefined || !inline.names.hasGroup(group.writtenName ?? group.name)) return undefined;
    const isSilent = silent === '_' || !group.isActive;
    return inline.stash(raw, {type: 'group_mention', groupId: group.id, name: group.name, silent: isSilent});
  });
};

/** Parses message links, then topic links, then channel links: a channel's name may contain `>`. */
const channelLinkPass: InlinePass = (inline, data) => {
  if (!data.includes('#**')) return data;
  const {names, context} = inline;
  return [messageLink, topicLink, channelLink].reduce(
    (text, pattern) =>
      replaceMatches(text, pattern, ([raw], {name = '', topic: typed, id}) => {
        const channel = names.hasChannel(name) ? context.channelByName?.(name) : undefined;
        if (channel === undefined) return undefined;
        const topic = typed === undefined ? undefined : inline.restore(typed);
        const messageId = id === undefined ? undefined : Number(id);
        const today = channel.name ?? name;
        const link = {type: 'channel_link', channelId: channel.id, channel: today, topic, messageId} as const;
        if (topic === '') {
          const name = context.emptyTopicName ?? 'general chat';
          return inline.stash(raw, {...link, shownTopic: [{type: 'text', text: name}]});
        }
        if (typed === undefined || typed === topic) return inline.stash(raw, link);
        return inline.stashNested(raw, typed, 'atomic', (shownTopic) => ({...link, shownTopic}));
      }),
    data,
  );
};

/**
 * Parses inline syntax. The dialect applies its rules one after the other to the whole text, not from left to right: code
 * anywhere takes precedence over a link that starts before it. Each match is replaced by a mark that later rules see as an
 * ordinary character, and only later rules apply inside it.
 */

const passes: readonly InlinePass[] = [
  codePass,
  strongEmphasisPass,
  userMentionPass,
  mathPass,
  channelLinkPass,
  timePass,
  groupMentionPass,
  linkPass,
  mediaPass,
  autolinkPass,
  linkifierPass,
  entityPass,
  strongPass,
  emphasisPass,
  strikePass,
  literalStarsPass,
  emojiPass,
  emoticonPass,
  unicodeEmojiPass,
];

// A text without any of these has no inline syntax except linkifiers. The last ranges contain every emoji.
const special = /[`*@$#<[&~:\n\u0002\u00a9\u00ae\u203c\u2049\u2100-\u3299\ud83c-\ud83e]|\u20e3|\.\S|;\)|\(:/;

/** Returns whether the text has no inline syntax. Markers at the start of a line are not considered. */
export function isPlainInline(text: string, context: ParseContext): boolean {
  return !special.test(text) && !context.linkifiers?.some(({literal}) => text.includes(literal));
}

/** Parses the text of a block. `besideBlocks` is for text beside other blocks in a list item. */
export function parseInline(
  text: string,
  context: ParseContext,
  names = new MessageNames(text),
  besideBlocks = false,
): InlineToken[] {
  if (isPlainInline(text, context)) return text === '' ? [] : [{type: 'text', text}];
  return new InlineParser(passes, context, names, (part) => isPlainInline(part, context)).parse(text, besideBlocks);
}

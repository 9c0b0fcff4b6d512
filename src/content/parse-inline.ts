import {autolinkPass, linkifierPass, linkPass, mediaPass} from './inline-links.ts';
import {InlineParser, type InlinePass, replaceMatches} from './inline-parser.ts';
import {codePass, emphasisPass, strikePass, strongEmphasisPass, strongPass} from './inline-styles.ts';
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
import type {InlineToken, WildcardMentionToken} from './tokens.ts';

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
  return fullName === '' || user?.fullName === fullName || context.followsRenames === true ? user : undefined;
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
 * ordinary character, and only later rules apply inside it. marked's inline lexer works from left to right and cannot
 * express that, so it is not used here.
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

/** Inline passes for mentions of users, groups and wildcards, and for channel, topic and message links. */

import {type InlineParser, type InlinePass, replaceMatches} from './inline-parser.ts';
import {channelLink, groupMention, messageLink, topicLink, userMention} from './message-names.ts';
import type {ParseContext} from './parse-context.ts';
import type {InlineToken, WildcardMentionToken} from './tokens.ts';

const wildcards = new Map<string, WildcardMentionToken['scope']>([
  ['all', 'channel'],
  ['everyone', 'channel'],
  ['stream', 'channel'],
  ['channel', 'channel'],
  ['topic', 'topic'],
]);

export const userMentionPass: InlinePass = (inline, data) => {
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

export const groupMentionPass: InlinePass = (inline, data) => {
  if (!data.includes('@')) return data;
  return replaceMatches(data, groupMention, ([raw], {silent, name = ''}) => {
    const group = inline.context.groupByName?.(name);
    if (group === undefined || !inline.names.hasGroup(group.writtenName ?? group.name)) return undefined;
    const isSilent = silent === '_' || !group.isActive || group.isSystem;
    return inline.stash(raw, {type: 'group_mention', groupId: group.id, name: group.name, silent: isSilent});
  });
};

/** Parses message links, then topic links, then channel links: a channel's name may contain `>`. */
export const channelLinkPass: InlinePass = (inline, data) => {
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

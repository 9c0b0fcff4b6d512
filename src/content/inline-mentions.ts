/** Inline passes for mentions of users, groups and wildcards, and for channel, topic and message links. */

import {type InlineParser, type InlinePass, replaceMatches} from './inline-parser.ts';
import type {ParseContext} from './parse-context.ts';
import type {ChannelLinkToken, InlineToken, WildcardMentionToken} from './tokens.ts';

const userMention = /(?<![^\s'"({[/<])@(_?)\*\*([^*]+)\*\*/g;
const groupMention = /(?<![^\s'"({[/<])@(_?)\*([^*]+)\*/g;
const channelLink = /(?<![^\s'"({/<])#\*\*([^*]+)\*\*/g;

const wildcards = new Map<string, WildcardMentionToken['scope']>([
  ['all', 'channel'],
  ['everyone', 'channel'],
  ['stream', 'channel'],
  ['channel', 'channel'],
  ['topic', 'topic'],
]);

export const userMentionPass: InlinePass = (inline, data) => {
  if (!data.includes('@')) return data;
  return replaceMatches(data, userMention, ([raw, underscore, name = '']) => {
    const token = userMentionToken(inline, inline.restore(name), underscore === '_' || inline.quoted);
    return token === undefined ? undefined : inline.stash(raw, token);
  });
};

function userMentionToken({context}: InlineParser, name: string, silent: boolean): InlineToken | undefined {
  const scope = wildcards.get(name);
  if (scope !== undefined) return {type: 'wildcard_mention', scope, name, silent};
  const user = mentionedUser(context, name);
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
  return replaceMatches(data, groupMention, ([raw, underscore, name = '']) => {
    const group = inline.context.groupByName?.(inline.restore(name));
    if (group === undefined) return undefined;
    const silent = underscore === '_' || inline.quoted || !group.isActive || group.isSystem;
    return inline.stash(raw, {type: 'group_mention', groupId: group.id, name: group.name, silent});
  });
};

/** Parses channel, topic and message links. A channel's name may contain `>`; a topic link takes precedence then. */
export const channelLinkPass: InlinePass = (inline, data) => {
  if (!data.includes('#**')) return data;
  return replaceMatches(data, channelLink, ([raw, typed = '']) => {
    const token = channelLinkToken(inline.context, inline.restore(typed));
    return token === undefined ? undefined : inline.stash(raw, token);
  });
};

function channelLinkToken(context: ParseContext, typed: string): InlineToken | undefined {
  const [, channel = '', rest = ''] = /^([^>]+)>(.*)$/s.exec(typed) ?? [];
  const parent = channel === '' ? undefined : context.channelByName?.(channel);
  if (parent !== undefined) {
    const [, topic = '', messageId] = /^(.*)@(\d+)$/s.exec(rest) ?? [];
    const name = parent.name ?? channel;
    if (messageId === undefined) return channelLinkTo(parent.id, name, rest);
    return {...channelLinkTo(parent.id, name, topic), messageId: Number(messageId)};
  }
  const whole = context.channelByName?.(typed);
  return whole === undefined ? undefined : channelLinkTo(whole.id, whole.name ?? typed, undefined);
}

function channelLinkTo(channelId: number, channel: string, topic: string | undefined): ChannelLinkToken {
  return {type: 'channel_link', channelId, channel, topic, messageId: undefined};
}

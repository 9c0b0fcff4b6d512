import {parseNarrowLink} from '#content/narrow-link.ts';
import type {MentionedGroup, MentionedUser, ParseContext} from '#content/parse-context.ts';
import {parseMessage} from '#content/parse-message.ts';
import {inlineText} from '#content/plain-text.ts';
import type {InlineToken, MessageToken} from '#content/tokens.ts';
import type {Group, User} from '#state/model/user.ts';
import {channelNamed, groupCalled, usersNamed} from '#state/selectors/names/find-by-name.ts';
import type {AccountState} from '#state/state.ts';

/**
 * The users, groups and channels that a message refers to. Silent mentions and mentions in code or quotes notify no one
 * and are excluded.
 */
export type References = ReturnType<typeof referencesOf>;

export function referencesOf(state: AccountState, text: string) {
  const references = {
    userIds: new Set<number>(),
    groupIds: new Set<number>(),
    wildcards: new Map<'channel' | 'topic', string>(),
    channelIds: new Set<number>(),
    /** What is written as a mention and is none. */
    unknownNames: new Set<string>(),
    /** What begins as a mention, a link to a channel or a time and does not end, to the end of its line: `@**Ann, see`. */
    unclosed: new Set<string>(),
  };
  if (!/[@#]|<time:/.test(text)) return references;
  let before: InlineToken | undefined;
  for (const token of everyInline(parseMessage(text, nameContext(state)))) {
    const sign = before?.type === 'text' ? nextSign.exec(before.text)?.[0] : undefined;
    before = token;
    if (sign !== undefined && (token.type === 'strong' || token.type === 'emphasis')) {
      const name = inlineText(token.children);
      // The asterisks of the next mention or link closed this one.
      if (nextSign.test(name)) references.unclosed.add(`${sign}**${name.replace(nextSign, '')}`);
      else if (sign === '@') references.unknownNames.add(name);
    }
    if (token.type === 'text') {
      for (const [, written = ''] of token.text.matchAll(unclosedReference)) references.unclosed.add(written);
    }
    if (token.type === 'user_mention' && !token.silent) references.userIds.add(token.userId);
    else if (token.type === 'group_mention' && !token.silent) references.groupIds.add(token.groupId);
    else if (token.type === 'wildcard_mention' && !token.silent) references.wildcards.set(token.scope, token.name);
    else if (token.type === 'channel_link') references.channelIds.add(token.channelId);
    else if (token.type === 'link') {
      const channelId = linkedChannel(token.href);
      if (channelId !== undefined) references.channelIds.add(channelId);
    }
  }
  return references;
}

const nextSign = /(?<![\p{L}\p{N}])(?:@_?|#)$/u;

const unclosedReference = /((?<![\p{L}\p{N}])(?:@_?\*\*?|#\*\*)[\p{L}\p{N}](?:(?!<time:)[^\n*])*|<time:[^<>\n]*)/gu;

/** Returns the linked channel. The parser makes links into this organization relative; others point elsewhere. */
function linkedChannel(href: string): number | undefined {
  if (!href.startsWith('#') && !href.startsWith('/#')) return undefined;
  const channel = parseNarrowLink(href)?.find(({operator}) => operator === 'channel')?.operand;
  return typeof channel === 'number' ? channel : undefined;
}

/** Yields all inline tokens in source order, without the content of code and formulas. */
export function* everyInline(tokens: readonly MessageToken[]): Generator<InlineToken> {
  for (const token of tokens) {
    switch (token.type) {
      case 'paragraph':
      case 'tight_text':
      case 'heading':
        yield* nested(token.children);
        break;
      case 'quote':
        yield* everyInline(token.children);
        break;
      case 'spoiler':
        yield* everyInline(token.header);
        yield* everyInline(token.children);
        break;
      case 'list':
        for (const item of token.items) yield* everyInline(item.children);
        break;
      case 'table':
        for (const cell of [...token.header, ...token.rows.flat()]) yield* nested(cell);
        break;
      default:
        break;
    }
  }
}

function* nested(tokens: readonly InlineToken[]): Generator<InlineToken> {
  for (const token of tokens) {
    yield token;
    if ('children' in token) yield* nested(token.children);
  }
}

/** Returns the names that a message can refer to, resolved as the server would. */
export function nameContext(state: AccountState): ParseContext {
  const url = state.realm.url ?? state.realm.uri ?? state.server.url;
  return {
    userByName: (name) => mentionedUser(userCalled(state, name)),
    userById: (id) => mentionedUser(state.users.get(id)),
    groupByName: (name) => mentionedGroup(groupCalled(state, name, true)),
    groupById: (id) => mentionedGroup(state.groups.get(id)),
    channelByName: (name) => {
      const channel = channelNamed(state, name);
      return channel?.name === name ? {id: channel.id} : undefined;
    },
    realmUrl: url.replace(/\/+$/, ''),
  };
}

/** Prefers an active user among several of the same name, and the one with the highest id, as servers do. */
export function userCalled(state: AccountState, name: string): User | undefined {
  const same = usersNamed(state, name).filter(({fullName}) => fullName.toLowerCase() === name.toLowerCase());
  return same.findLast(({isActive}) => isActive) ?? same.at(-1);
}

function mentionedUser(user: User | undefined): MentionedUser | undefined {
  return user === undefined ? undefined : {id: user.id, fullName: user.fullName, isActive: user.isActive};
}

function mentionedGroup(group: Group | undefined): MentionedGroup | undefined {
  if (group === undefined) return undefined;
  return {id: group.id, name: group.name, isSystem: group.isSystemGroup, isActive: !group.isDeactivated};
}

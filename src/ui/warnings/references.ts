import {parseNarrowLink} from '#content/narrow-link.ts';
import type {MentionedGroup, MentionedUser, ParseContext} from '#content/parse-context.ts';
import {parseMessage} from '#content/parse-message.ts';
import type {InlineToken, MessageToken} from '#content/tokens.ts';
import type {Conversation} from '#state/model/conversation.ts';
import type {Group, User} from '#state/model/user.ts';
import {channelNamed, groupCalled, usersNamed} from '#state/selectors/names/find-by-name.ts';
import {groupMemberIds} from '#state/selectors/permissions/permission.ts';
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
  };
  if (!/[@#]/.test(text)) return references;
  for (const token of everyInline(parseMessage(text, nameContext(state)))) {
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
function userCalled(state: AccountState, name: string): User | undefined {
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

/**
 * Returns how many people a mention of a group notifies: its members and those of the groups in it, who can read the
 * conversation as far as that is known here.
 */
export function groupMentionReach(
  state: AccountState,
  conversation: Conversation | undefined,
  groupId: number,
  nowMs: number,
): number {
  const members = groupMemberIds(state, groupId, nowMs).filter((id) => id !== state.self.userId);
  if (conversation?.kind === 'direct') return members.filter((id) => conversation.userIds.includes(id)).length;
  const channelId = conversation?.channelId ?? 0;
  const subscribers = state.subscribers.get(channelId);
  const isLimited = state.channels.get(channelId)?.isPrivate === true && subscribers?.complete === true;
  return isLimited ? members.filter((id) => subscribers.ids.has(id)).length : members.length;
}

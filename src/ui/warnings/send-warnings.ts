import {parseNarrowLink} from '#content/narrow-link.ts';
import type {MentionedGroup, MentionedUser, ParseContext} from '#content/parse-context.ts';
import {parseMessage} from '#content/parse-message.ts';
import {inlineText} from '#content/plain-text.ts';
import type {InlineToken, MessageToken} from '#content/tokens.ts';
import {type Conversation, sameConversation} from '#state/model/conversation.ts';
import type {Group, User} from '#state/model/user.ts';
import {topicExists} from '#state/selectors/lists/conversation-rows.ts';
import {channelNamed, groupCalled, usersNamed} from '#state/selectors/names/find-by-name.ts';
import {channelName, conversationTitle, isResolved, userName} from '#state/selectors/names/names.ts';
import {
  canAddSubscribers,
  canMentionAll,
  canMentionGroup,
  canPost,
  reachCount,
  wildcardMentionLimit,
  wildcardReach,
} from '#state/selectors/permissions/channel-permissions.ts';
import {canResolveTopic} from '#state/selectors/permissions/message-permissions.ts';
import {groupMemberIds} from '#state/selectors/permissions/permission.ts';
import type {ScheduledMessage} from '#state/slices/scheduled.ts';
import type {AccountState} from '#state/state.ts';
import {composed, joined} from '#std/composed-text.ts';
import {realmDefaults} from '#wire/objects/realm.ts';

export interface Warning {
  readonly kind:
    | 'empty'
    | 'too_long'
    | 'forbidden'
    | 'deactivated'
    | 'destination_changed'
    | 'wildcard'
    | 'not_subscribed'
    | 'unknown_mention'
    | 'not_closed'
    | 'private_channel'
    | 'resolved'
    | 'secret'
    | 'scheduled';
  /** A sentence for the user. */
  readonly text: string;
  /** Whether the message cannot be sent as it is. Otherwise sending a second time ignores the warning. */
  readonly isBlocking: boolean;
  /** An action that resolves the warning. */
  readonly fix?: WarningFix | undefined;
}

export type WarningFix =
  /** Replaces the text by one whose mentions and links are closed. */
  | {readonly kind: 'close'; readonly text: string}
  | {readonly kind: 'subscribe'; readonly channelId: number; readonly userIds: readonly number[]}
  | {readonly kind: 'unresolve'; readonly channelId: number; readonly topic: string};

export interface SendContext {
  readonly nowMs: number;
  /** The original destination, when it differs from the current one. */
  readonly begunFor?: Conversation | undefined;
  /** Whether something else is sent along, such as a file: then the text may be empty. */
  readonly hasAttachment?: boolean | undefined;
}

/** Returns the warnings to show before sending. When some block sending, only those are returned. */
export function sendWarnings(
  state: AccountState,
  conversation: Conversation,
  text: string,
  context: SendContext,
): readonly Warning[] {
  const references = referencesOf(state, text);
  const blocking = blockingWarnings(state, conversation, text, references, context);
  if (blocking.length > 0) return blocking;
  return [
    ...changedDestination(state, conversation, context),
    ...secrets(text),
    ...alreadyScheduled(state, conversation, text),
    ...wildcards(state, conversation, references),
    ...groupMentions(state, conversation, references, context),
    ...notClosed(state, text, references),
    ...unknownMentions(references),
    ...notSubscribed(state, conversation, references, context),
    ...privateChannels(state, conversation, references),
    ...resolvedTopic(state, conversation, context),
  ];
}

function blocked(kind: Warning['kind'], text: string): Warning {
  return {kind, text, isBlocking: true};
}

function blockingWarnings(
  state: AccountState,
  conversation: Conversation,
  text: string,
  references: References,
  {nowMs, hasAttachment}: SendContext,
): readonly Warning[] {
  const warnings: Warning[] = [];
  if (text.trim() === '' && hasAttachment !== true) warnings.push(blocked('empty', 'Nothing to send yet.'));
  const counter = lengthCounter(state, text);
  if (counter !== undefined && counter.left < 0) {
    const over = -counter.left;
    const characters = over === 1 ? 'character' : 'characters';
    warnings.push(
      blocked('too_long', `This is ${over} ${characters} too long: at most ${counter.limit} fit into one message.`),
    );
  }
  const gone = deactivated(state, conversation);
  if (gone !== undefined) return [...warnings, blocked('deactivated', gone)];
  const reasons = [
    canPost(state, conversation, nowMs),
    ...Array.from(references.wildcards.keys(), (reach) => canMentionAll(state, conversation, nowMs, reach)),
    ...Array.from(references.groupIds, (id) => canMentionGroup(state, id, nowMs)),
  ]
    .filter((permission) => !permission.ok)
    .map((permission) => permission.reason);
  return [...warnings, ...reasons.map((reason) => blocked('forbidden', reason))];
}

function deactivated(state: AccountState, conversation: Conversation): string | undefined {
  if (conversation.kind === 'topic') return undefined;
  const gone = conversation.userIds.filter((id) => state.users.get(id)?.isActive === false);
  if (gone.length === 0) return undefined;
  const names = namesOf(state, gone);
  return gone.length === 1
    ? composed`${names} has left this organization and cannot be written to.`
    : composed`${names} have left this organization and cannot be written to.`;
}

function changedDestination(
  state: AccountState,
  conversation: Conversation,
  {begunFor}: SendContext,
): readonly Warning[] {
  if (begunFor === undefined) return [];
  const from = conversationTitle(state, begunFor);
  const to = conversationTitle(state, conversation);
  if (from === to) return [];
  return [
    {
      kind: 'destination_changed',
      text: `Written for ${from}, but goes to ${to}.`,
      isBlocking: false,
    },
  ];
}

function secrets(text: string): readonly Warning[] {
  const name = secretIn(text);
  if (name === undefined) return [];
  return [
    {
      kind: 'secret',
      text: composed`This looks like ${name}. Everyone here will be able to read it.`,
      isBlocking: false,
    },
  ];
}

/** Warns about a text that is scheduled already: the response to its scheduling may have been lost. */
function alreadyScheduled({scheduled}: AccountState, conversation: Conversation, text: string): readonly Warning[] {
  const isSame = (one: ScheduledMessage) =>
    one.content.trim() === text.trim() && sameConversation(one.conversation, conversation);
  if (![...scheduled.values()].some(isSame)) return [];
  return [{kind: 'scheduled', text: 'The same text is already scheduled: g s lists it.', isBlocking: false}];
}

function wildcards(
  state: AccountState,
  conversation: Conversation,
  {wildcards: mentioned}: References,
): readonly Warning[] {
  return Array.from(mentioned, ([scope, name]): Warning | undefined => {
    const reach = wildcardReach(state, conversation, scope);
    if (reach === undefined || reach.count <= wildcardMentionLimit) return undefined;
    return {kind: 'wildcard', text: composed`@${name} notifies ${reachCount(reach)} people.`, isBlocking: false};
  }).filter((warning) => warning !== undefined);
}

/** Warns about groups with many members, counting those of the groups in them. */
function groupMentions(
  state: AccountState,
  conversation: Conversation,
  {groupIds}: References,
  {nowMs}: SendContext,
): readonly Warning[] {
  return [...groupIds].flatMap((id): Warning[] => {
    const count = groupMentionReach(state, conversation, id, nowMs);
    if (count <= wildcardMentionLimit) return [];
    return [
      {kind: 'wildcard', text: composed`@${state.groups.get(id)?.name} notifies ${count} people.`, isBlocking: false},
    ];
  });
}

/** Warns about mentions that name nobody: they are sent as text and notify no one. */
function unknownMentions({unknownNames}: References): readonly Warning[] {
  return [...unknownNames].map((name) => {
    return {kind: 'unknown_mention', text: composed`“@${name}” is nobody here: no one is notified.`, isBlocking: false};
  });
}

/** Warns about mentions and links without their closing asterisks, and offers to add those whose name is known. */
function notClosed(state: AccountState, text: string, {unclosed}: References): readonly Warning[] {
  if (unclosed.size === 0) return [];
  let closed = text;
  const shown = [...unclosed].map((written) => {
    const known = knownReference(state, written);
    if (known !== undefined)
      closed = closed.replace(written, () => known.closed + withGap(written.slice(known.length)));
    return composed`“${known === undefined ? written.split(/\s/u, 1)[0] : written.slice(0, known.length)}”`;
  });
  const [verb, pronoun] = shown.length === 1 ? ['has', 'it is'] : ['have', 'they are'];
  const sentence = `${joinedNames(shown)} ${verb} no ** at the end: ${pronoun} sent as plain text.`;
  const fix = {kind: 'close', text: closed} as const;
  return [{kind: 'not_closed', text: sentence, isBlocking: false, ...(closed !== text && {fix})}];
}

/** Returns the text after a reference with a space in front, unless it begins with a space or punctuation. */
function withGap(after: string): string {
  return /^[\p{L}\p{N}]/u.test(after) ? ` ${after}` : after;
}

/**
 * Returns the closed form of an unclosed mention or link, and how much of the text it replaces: the longest beginning that
 * names a user, a channel, or a channel and a topic.
 */
function knownReference(
  state: AccountState,
  written: string,
): {readonly closed: string; readonly length: number} | undefined {
  const start = written.indexOf('**') + 2;
  const names = beginnings(written.slice(start));
  const closedAt = (name: string) => ({closed: `${written.slice(0, start)}${name}**`, length: start + name.length});
  if (written.startsWith('@')) {
    const name = names.find((one) => userCalled(state, one)?.isActive === true);
    return name === undefined ? undefined : closedAt(name);
  }
  const channelIn = (one: string) => channelNamed(state, one.replace(/>$/, ''));
  const found = names.find((one) => channelIn(one) !== undefined);
  const channel = found === undefined ? undefined : channelIn(found);
  if (found === undefined || channel === undefined) return undefined;
  const {closed} = closedAt(channel.name);
  const link = {closed, length: start + found.length};
  if (!found.endsWith('>')) return link;
  const topic = beginnings(written.slice(link.length)).find((one) => topicExists(state, channel.id, one) === true);
  return topic === undefined ? link : closedAt(`${channel.name}>${topic}`);
}

/** Returns the beginnings of a text that end before a character that may follow a name, or with a `>`; longest first. */
function beginnings(text: string): readonly string[] {
  const ends = Array.from(text.matchAll(/(?<=>)|(?![\p{L}\p{N}\p{M}])/gu), ({index}) => index);
  return ends.reverse().flatMap((end) => (end === 0 ? [] : [text.slice(0, end)]));
}

/** Warns about mentioned people who are not subscribed. Bots receive mentions everywhere. */
function notSubscribed(
  state: AccountState,
  conversation: Conversation,
  {userIds}: References,
  {nowMs}: SendContext,
): readonly Warning[] {
  const subscribers = conversation.kind === 'topic' ? state.subscribers.get(conversation.channelId) : undefined;
  if (conversation.kind !== 'topic' || subscribers?.complete !== true) return [];
  const missing = [...userIds].filter((id) => {
    return !subscribers.ids.has(id) && state.users.get(id)?.isBot === false && id !== state.self.userId;
  });
  if (missing.length === 0) return [];
  const {channelId} = conversation;
  const isPrivate = state.channels.get(channelId)?.isPrivate === true;
  const verb = missing.length === 1 ? 'is' : 'are';
  const consequence = isPrivate ? 'will not see this' : 'may not see this';
  const text = composed`${namesOf(state, missing)} ${verb} not in #${channelName(state, channelId)} and ${consequence}.`;
  const fix = {kind: 'subscribe', channelId, userIds: missing} as const;
  return [
    {
      kind: 'not_subscribed',
      text,
      isBlocking: false,
      ...(canAddSubscribers(state, channelId, nowMs).ok && {fix}),
    },
  ];
}

/** Warns about links that reveal the name of a private channel to people who may not know of it. */
function privateChannels(
  state: AccountState,
  conversation: Conversation,
  {channelIds}: References,
): readonly Warning[] {
  return [...channelIds].flatMap((id): Warning[] => {
    const channel = state.channels.get(id);
    const isHere = conversation.kind === 'topic' && conversation.channelId === id;
    if (channel?.isPrivate !== true || isHere || areAllIn(state, conversation, id)) return [];
    const text = composed`#${channel.name} is private: some readers cannot open it, but will see its name.`;
    return [{kind: 'private_channel', text, isBlocking: false}];
  });
}

/** Whether all readers of this conversation are known to be in that channel. */
function areAllIn(state: AccountState, conversation: Conversation, channelId: number): boolean {
  const members = state.subscribers.get(channelId)?.ids;
  if (members === undefined) return false;
  if (conversation.kind === 'direct') return conversation.userIds.every((id) => members.has(id));
  const audience = state.subscribers.get(conversation.channelId);
  if (state.channels.get(conversation.channelId)?.isPrivate !== true || audience?.complete !== true) return false;
  for (const id of audience.ids) if (!members.has(id)) return false;
  return true;
}

function resolvedTopic(state: AccountState, conversation: Conversation, {nowMs}: SendContext): readonly Warning[] {
  if (conversation.kind !== 'topic' || !isResolved(conversation.topic)) return [];
  const {channelId, topic} = conversation;
  const fix = {kind: 'unresolve', channelId, topic} as const;
  const canUnresolve = canResolveTopic(state, channelId, topic, nowMs).ok;
  const text = 'This topic is resolved.';
  return [{kind: 'resolved', text, isBlocking: false, ...(canUnresolve && {fix})}];
}

const maxNames = 3;

/** Joins names: `Ann`, `Ann and Bo`, `Ann, Bo, Cy and 4 others`. */
function namesOf(state: AccountState, ids: readonly number[]): string {
  const names = ids.slice(0, maxNames).map((id) => userName(state, id));
  const others = ids.length - names.length;
  return joinedNames(others === 0 ? names : [...names, others === 1 ? '1 other' : `${others} others`]);
}

function joinedNames(all: readonly string[]): string {
  const last = all.at(-1) ?? '';
  return all.length < 2 ? last : composed`${joined(all.slice(0, -1))} and ${last}`;
}

interface SecretShape {
  readonly name: string;
  readonly pattern: RegExp;
}

/** Only patterns that are almost never anything else, because users ignore warnings that are often wrong. */
const shapes: readonly SecretShape[] = [
  {name: 'a private key', pattern: /-----BEGIN (?:[A-Z0-9]{2,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/},
  {
    name: 'an API key from a zuliprc file',
    pattern: /^[ \t]{0,8}(?:api_?)?key[ \t]{0,8}[=:][ \t]{0,8}["']?[A-Za-z0-9]{32}["']?[ \t]{0,8}$/im,
  },
  {name: 'a GitHub token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{40})/},
  {name: 'a GitLab token', pattern: /\bglpat-[\w-]{20}/},
  {name: 'a Slack token', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10}/},
  {name: 'an AWS access key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/},
  {name: 'a Google API key', pattern: /\bAIza[\w-]{35}/},
  {name: 'a Stripe secret key', pattern: /\b[sr]k_live_[A-Za-z0-9]{16}/},
  {name: 'an npm token', pattern: /\bnpm_[A-Za-z0-9]{36}/},
  {name: 'an access token', pattern: /\beyJ[\w-]{10,2000}\.eyJ[\w-]{10,2000}\.[\w-]{20}/},
  {
    name: 'a password in a web address',
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{1,100}:[^\s/@]{3,100}@/i,
  },
];

/** Returns the kind of secret that a text contains, such as `a private key`; undefined for none. */
export function secretIn(text: string): string | undefined {
  return shapes.find(({pattern}) => pattern.test(text))?.name;
}

/** The counter shows from this share of the limit on. */
const visibleFrom = 0.8;

/**
 * Counts a message's characters once it nears the limit. Surrounding white space is not sent and does not count. `left`:
 * negative when the message is too long.
 */
export function lengthCounter({server}: Pick<AccountState, 'server'>, text: string) {
  const {maxMessageLength: limit = realmDefaults.max_message_length} = server;
  // A text never has more characters than UTF-16 units, so most texts are not counted at all.
  if (text.length < limit * visibleFrom) return undefined;
  let count = 0;
  for (const _character of text.trim()) count += 1;
  return count < limit * visibleFrom ? undefined : {count, limit, left: limit - count};
}

/**
 * The users, groups and channels that a message refers to. Silent mentions and mentions in code or quotes notify no one
 * and are excluded.
 */
type References = ReturnType<typeof referencesOf>;

function referencesOf(state: AccountState, text: string) {
  const references = {
    userIds: new Set<number>(),
    groupIds: new Set<number>(),
    wildcards: new Map<'channel' | 'topic', string>(),
    channelIds: new Set<number>(),
    /** What is written as a mention and is none. */
    unknownNames: new Set<string>(),
    /** What begins as a mention or a link to a channel and does not end, to the end of its line: `@**Ann, see`. */
    unclosed: new Set<string>(),
  };
  if (!/[@#]/.test(text)) return references;
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
const unclosedReference = /(?<![\p{L}\p{N}])((?:@_?|#)\*\*[\p{L}\p{N}][^\n*]*)/gu;

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

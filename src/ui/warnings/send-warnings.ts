import {type Conversation, sameConversation} from '#state/model/conversation.ts';
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
import {composed} from '#std/composed-text.ts';
import {realmDefaults} from '#wire/objects/realm.ts';
import {type References, referencesOf} from './message-references.ts';
import {secretIn} from './secrets.ts';
import {notClosed} from './unclosed-references.ts';
import {joinedNames, type Warning} from './warning.ts';

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
    ...alreadyScheduled(state, conversation, text),
    ...textWarnings(state, conversation, text, references, context),
    ...resolvedTopic(state, conversation, context),
  ];
}

/** Returns the warnings to show before an edited message is saved: those that its text did not have before. */
export function editWarnings(
  state: AccountState,
  conversation: Conversation,
  edit: {readonly before: string; readonly after: string},
  context: SendContext,
): readonly Warning[] {
  const warningsOf = (text: string) => textWarnings(state, conversation, text, referencesOf(state, text), context);
  const before = new Set(warningsOf(edit.before).map(({text}) => text));
  return warningsOf(edit.after).filter(({text}) => !before.has(text));
}

function textWarnings(
  state: AccountState,
  conversation: Conversation,
  text: string,
  references: References,
  context: SendContext,
): readonly Warning[] {
  return [
    ...secrets(text),
    ...wildcards(state, conversation, references),
    ...groupMentions(state, conversation, references, context),
    ...notClosed(state, text, references),
    ...unknownMentions(references),
    ...notSubscribed(state, conversation, references, context),
    ...privateChannels(state, conversation, references),
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

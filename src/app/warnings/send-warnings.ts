import type {Conversation} from '#state/model/conversation.ts';
import {channelName, conversationTitle, isResolved, userName} from '#state/selectors/names/names.ts';
import {canAddSubscribers} from '#state/selectors/permissions/channel-permissions.ts';
import {canResolveTopic} from '#state/selectors/permissions/message-permissions.ts';
import {
  canMentionAll,
  canMentionGroup,
  canPost,
  wildcardMentionLimit,
} from '#state/selectors/permissions/sending-permissions.ts';
import type {AccountState} from '#state/state.ts';
import {type MentionReach, mentionReach} from './mention-reach.ts';
import {lengthCounter} from './message-length.ts';
import {type References, referencesOf} from './references.ts';
import {secretIn} from './secrets.ts';

export interface Warning {
  readonly kind:
    | 'empty'
    | 'too_long'
    | 'forbidden'
    | 'deactivated'
    | 'destination_changed'
    | 'wildcard'
    | 'not_subscribed'
    | 'private_channel'
    | 'resolved'
    | 'secret';
  /** A sentence. */
  readonly text: string;
  /** It cannot be sent as it is. Otherwise asking to send once more sends it. */
  readonly isBlocking: boolean;
  /** What would settle it. */
  readonly fix?: WarningFix | undefined;
}

export type WarningFix =
  | {readonly kind: 'subscribe'; readonly channelId: number; readonly userIds: readonly number[]}
  | {readonly kind: 'unresolve'; readonly channelId: number; readonly topic: string};

export interface SendContext {
  readonly nowMs: number;
  /** Where the message was begun, when that is not where it would go now. */
  readonly begunFor?: Conversation | undefined;
  /** Something else is sent along, such as a file: then there may be no text. */
  readonly hasAttachment?: boolean | undefined;
}

/** What to know before a message leaves. What stops it comes first; then nothing else is said. */
export function sendWarnings(
  state: AccountState,
  conversation: Conversation,
  text: string,
  facts: SendContext,
): readonly Warning[] {
  const references = referencesOf(state, text);
  const blocking = blockingWarnings(state, conversation, text, references, facts);
  if (blocking.length > 0) return blocking;
  return [
    ...changedDestination(state, conversation, facts),
    ...secrets(text),
    ...wildcards(state, conversation, references),
    ...notSubscribed(state, conversation, references, facts),
    ...privateChannels(state, conversation, references),
    ...resolvedTopic(state, conversation, facts),
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
  if (text.trim() === '' && hasAttachment !== true)
    warnings.push(blocked('empty', 'There is nothing to send yet.'));
  const counter = lengthCounter(state, text);
  if (counter !== undefined && counter.left < 0) {
    const over = -counter.left;
    const characters = over === 1 ? 'character' : 'characters';
    warnings.push(
      blocked(
        'too_long',
        `This is ${over} ${characters} too long: at most ${counter.limit} fit into one message.`,
      ),
    );
  }
  const gone = deactivated(state, conversation);
  if (gone !== undefined) return [...warnings, blocked('deactivated', gone)];
  const reasons = [
    canPost(state, conversation, nowMs),
    ...Array.from(references.wildcards.keys(), (reach) => canMentionAll(state, conversation, nowMs, reach)),
    ...Array.from(references.groupIds, (id) => canMentionGroup(state, id, nowMs)),
  ].flatMap((permission) => (permission.ok ? [] : [permission.reason]));
  return [...warnings, ...reasons.map((reason) => blocked('forbidden', reason))];
}

function deactivated(state: AccountState, conversation: Conversation): string | undefined {
  if (conversation.kind === 'topic') return undefined;
  const gone = conversation.userIds.filter((id) => state.users.get(id)?.isActive === false);
  if (gone.length === 0) return undefined;
  const names = namesOf(state, gone);
  return gone.length === 1
    ? `${names} has left this organization and cannot be written to.`
    : `${names} have left this organization and cannot be written to.`;
}

function changedDestination(
  state: AccountState,
  conversation: Conversation,
  {begunFor}: SendContext,
): readonly Warning[] {
  if (begunFor === undefined) return [];
  const [from, to] = [conversationTitle(state, begunFor), conversationTitle(state, conversation)];
  if (from === to) return [];
  return [
    {
      kind: 'destination_changed',
      text: `You began this for ${from}; it would go to ${to}.`,
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
      text: `This looks like ${name}. Everybody here will be able to read it.`,
      isBlocking: false,
    },
  ];
}

function wildcards(
  state: AccountState,
  conversation: Conversation,
  {wildcards: named}: References,
): readonly Warning[] {
  return Array.from(named, ([scope, name]): Warning | undefined => {
    const reach: MentionReach | undefined = mentionReach(state, conversation, scope);
    if (reach === undefined || reach.count <= wildcardMentionLimit) return undefined;
    const least = reach.isLeast ? 'at least ' : '';
    return {kind: 'wildcard', text: `@${name} notifies ${least}${reach.count} people.`, isBlocking: false};
  }).filter((warning) => warning !== undefined);
}

/** Bots are told of mentions wherever they are. */
function notSubscribed(
  state: AccountState,
  conversation: Conversation,
  {userIds}: References,
  {nowMs}: SendContext,
): readonly Warning[] {
  const subscribers =
    conversation.kind === 'topic' ? state.subscribers.get(conversation.channelId) : undefined;
  if (conversation.kind !== 'topic' || subscribers?.complete !== true) return [];
  const missing = [...userIds].filter((id) => {
    return !subscribers.ids.has(id) && state.users.get(id)?.isBot === false && id !== state.self.userId;
  });
  if (missing.length === 0) return [];
  const {channelId} = conversation;
  const isPrivate = state.channels.get(channelId)?.isPrivate === true;
  const verb = missing.length === 1 ? 'is' : 'are';
  const so = isPrivate ? 'will not see this' : 'may not see this';
  const text = `${namesOf(state, missing)} ${verb} not in #${channelName(state, channelId)} and ${so}.`;
  const offer = {kind: 'subscribe', channelId, userIds: missing} as const;
  return [
    {
      kind: 'not_subscribed',
      text,
      isBlocking: false,
      ...(canAddSubscribers(state, channelId, nowMs).ok && {fix: offer}),
    },
  ];
}

/** A link tells the name of a private channel to people who may not know that it exists. */
function privateChannels(
  state: AccountState,
  conversation: Conversation,
  {channelIds}: References,
): readonly Warning[] {
  return [...channelIds].flatMap((id): Warning[] => {
    const channel = state.channels.get(id);
    const isHere = conversation.kind === 'topic' && conversation.channelId === id;
    if (channel?.isPrivate !== true || isHere || areAllIn(state, conversation, id)) return [];
    const text = `#${channel.name} is private: some who read this cannot open it, but will see its name.`;
    return [{kind: 'private_channel', text, isBlocking: false}];
  });
}

/** Whether everybody who reads this conversation surely reads that channel. */
function areAllIn(state: AccountState, conversation: Conversation, channelId: number): boolean {
  const inside = state.subscribers.get(channelId)?.ids;
  if (inside === undefined) return false;
  if (conversation.kind === 'direct') return conversation.userIds.every((id) => inside.has(id));
  const audience = state.subscribers.get(conversation.channelId);
  if (state.channels.get(conversation.channelId)?.isPrivate !== true || audience?.complete !== true)
    return false;
  for (const id of audience.ids) if (!inside.has(id)) return false;
  return true;
}

function resolvedTopic(
  state: AccountState,
  conversation: Conversation,
  {nowMs}: SendContext,
): readonly Warning[] {
  if (conversation.kind !== 'topic' || !isResolved(conversation.topic)) return [];
  const {channelId, topic} = conversation;
  const offer = {kind: 'unresolve', channelId, topic} as const;
  const mayOffer = canResolveTopic(state, channelId, topic, nowMs).ok;
  const text = 'This topic is resolved: perhaps nobody expects more here.';
  return [{kind: 'resolved', text, isBlocking: false, ...(mayOffer && {fix: offer})}];
}

const mostNamed = 3;

/** `Ann`, `Ann and Bo`, `Ann, Bo, Cy and 4 others`. */
function namesOf(state: AccountState, ids: readonly number[]): string {
  const names = ids.slice(0, mostNamed).map((id) => userName(state, id));
  const others = ids.length - names.length;
  const all = others === 0 ? names : [...names, others === 1 ? '1 other' : `${others} others`];
  const last = all.at(-1) ?? '';
  return all.length < 2 ? last : `${all.slice(0, -1).join(', ')} and ${last}`;
}

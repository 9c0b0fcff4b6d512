import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {isConversationFollowed, isConversationMuted} from '#state/selectors/lists/conversation-properties.ts';
import {countedUnreads} from '#state/selectors/unreads/unread-counts.ts';
import type {AccountState} from '#state/state.ts';
import {isResolvedTopic} from '#wire/objects/channel.ts';

/** Why a conversation is worth a look, the most important first. */
const catchUpReasons = ['mention', 'question', 'direct', 'reactions', 'resolved', 'followed', 'other'] as const;
export type CatchUpReason = (typeof catchUpReasons)[number];

/** A conversation with unread messages, and what matters in it. */
export interface CatchUpCard {
  readonly key: ConversationKey;
  readonly conversation: Conversation;
  /** The most important first; never empty. */
  readonly reasons: readonly CatchUpReason[];
  /** The unread messages in the range. */
  readonly count: number;
  /** How many of them mention the user. */
  readonly mentions: number;
  /** The reactions to them. */
  readonly reactions: number;
  /** The senders, those who wrote last first. */
  readonly senderIds: readonly number[];
  /** The messages that say most, oldest first. */
  readonly messages: readonly Message[];
  /** When the newest was sent, in UNIX seconds. */
  readonly newestAt: number;
}

/** The unread messages to look at. */
interface CatchUpRange {
  /** UNIX seconds: older messages are left out. */
  readonly since: number;
  /** Newer messages are left out, so that the order does not change while the user looks at it. */
  readonly upTo: number;
}

/** The number of messages that a card quotes. */
const quoted = 3;
/** From this number on reactions are a reason. */
const minReactions = 2;

/**
 * Returns the conversations with unread messages of the range, what matters first: mentions, questions in direct messages,
 * other direct messages, the most reactions, topics that were resolved, followed topics, and the rest by the number of
 * messages. Muted conversations are included only if they mention the user. Only loaded messages are looked at.
 */
export function catchUpCards(state: AccountState, range: CatchUpRange): readonly CatchUpCard[] {
  const cards: CatchUpCard[] = [];
  for (const [key, {conversation, ids}] of countedUnreads(state).conversations) {
    const messages: Message[] = [];
    for (const id of ids) {
      const message = id <= range.upTo ? state.messages.byId.get(id) : undefined;
      const isShown = message !== undefined && message.timestamp >= range.since;
      if (isShown && !state.mutedUsers.has(message.senderId)) messages.push(message);
    }
    const card = messages.length === 0 ? undefined : cardOf(state, key, conversation, messages);
    if (card !== undefined && (card.mentions > 0 || !isConversationMuted(state, conversation, key))) cards.push(card);
  }
  return cards.sort(byImportance);
}

function cardOf(
  state: AccountState,
  key: ConversationKey,
  conversation: Conversation,
  messages: readonly Message[],
): CatchUpCard {
  const isMention = ({id}: Message) => state.unreads.mentions.has(id);
  const isQuestion = (message: Message) =>
    (conversation.kind === 'direct' || isMention(message)) && asksSomething(message.content);
  const reactions = messages.reduce((sum, message) => sum + message.reactions.length, 0);
  const is: Readonly<Record<CatchUpReason, boolean>> = {
    mention: messages.some(isMention),
    question: messages.some(isQuestion),
    direct: conversation.kind === 'direct',
    reactions: reactions >= minReactions,
    resolved: conversation.kind === 'topic' && isResolvedTopic(conversation.topic),
    followed: isConversationFollowed(state, conversation),
    other: false,
  };
  const reasons = catchUpReasons.filter((reason) => is[reason]);
  const weight = (message: Message) =>
    (isMention(message) ? 1000 : 0) + (isQuestion(message) ? 500 : 0) + message.reactions.length;
  // Of messages that matter as much as others, the latest are quoted.
  const best = messages.toReversed().sort((a, b) => weight(b) - weight(a));
  return {
    key,
    conversation,
    reasons: reasons.length === 0 ? ['other'] : reasons,
    count: messages.length,
    mentions: messages.filter(isMention).length,
    reactions,
    senderIds: [...new Set(messages.toReversed().map(({senderId}) => senderId))],
    messages: best.slice(0, quoted).sort((a, b) => a.id - b.id),
    newestAt: messages.at(-1)?.timestamp ?? 0,
  };
}

function byImportance(a: CatchUpCard, b: CatchUpCard): number {
  const rank = ({reasons: [first = 'other']}: CatchUpCard) => catchUpReasons.indexOf(first);
  return rank(a) - rank(b) || sizeOf(b) - sizeOf(a) || b.newestAt - a.newestAt;
}

/** Returns how many messages or reactions there are of a card's first reason. */
function sizeOf({reasons: [first], mentions, reactions, count}: CatchUpCard): number {
  if (first === 'mention') return mentions;
  if (first === 'reactions') return reactions;
  return first === 'other' ? count : 0;
}

/** Returns whether a text asks something: a question mark ends a word outside of code, quotations and links. */
function asksSomething(content: string): boolean {
  const own = content.replaceAll(/^(`{3,}|~{3,})[\s\S]*?^\1/gmu, '').replaceAll(/`[^`\n]*`|^>.*$|\w+:\/\/\S+/gmu, '');
  return /[?？؟][)*_"”!?]*(?:\s|$)/u.test(own);
}

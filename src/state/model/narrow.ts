import {memoByObject} from '#std/memo.ts';
import type {NarrowTerm, Operand} from '#wire/narrow.ts';
import {type Conversation, topicKey} from './conversation.ts';

/**
 * The search terms that define a view; a message must match all. Operators have their current names; channels
 * and people are ids, people ascending and without the user; an empty list matches everything.
 */
export type Narrow = readonly NarrowTerm[];

/** A string that is equal for narrows that show the same view. */
export type NarrowKey = string;

/** Computed once for each narrow: every frame asks for those it shows. */
export const narrowKey = memoByObject((narrow: Narrow): NarrowKey => narrow.map(termKey).sort().join(' '));

function termKey({operator, operand, negated}: NarrowTerm): string {
  return `${negated === true ? '-' : ''}${operator}:${JSON.stringify(operandKey(operator, operand))}`;
}

function operandKey(operator: string, operand: Operand): Operand {
  return operator === 'topic' && typeof operand === 'string' ? topicKey(operand) : operand;
}

export const everythingNarrow: Narrow = [];

/** Matches everything that is not muted. */
export const combinedFeedNarrow: Narrow = [{operator: 'in', operand: 'home'}];

export function isCombinedFeed(narrow: Narrow): boolean {
  const [term, more] = narrow.filter(({operator}) => operator !== 'near');
  return more === undefined && term?.operator === 'in' && term.operand === 'home' && term.negated !== true;
}

export function channelNarrow(channelId: number): Narrow {
  return [{operator: 'channel', operand: channelId}];
}

export function topicNarrow(channelId: number, topic: string): Narrow {
  return [
    {operator: 'channel', operand: channelId},
    {operator: 'topic', operand: topic},
  ];
}

/**
 * `userIds` ascending, without the user. The server requires at least one id: the user's own, for messages to
 * oneself.
 */
export function directNarrow(userIds: readonly number[]): Narrow {
  return [{operator: 'dm', operand: [...userIds]}];
}

export function narrowIs(operand: string): Narrow {
  return [{operator: 'is', operand}];
}

/** Returns the channel that a narrow is about. */
export function channelIdOfNarrow(narrow: Narrow): number | undefined {
  const term = narrow.find(({operator, negated}) => operator === 'channel' && negated !== true);
  return typeof term?.operand === 'number' ? term.operand : undefined;
}

export function conversationNarrow(conversation: Conversation): Narrow {
  return conversation.kind === 'topic'
    ? topicNarrow(conversation.channelId, conversation.topic)
    : directNarrow(conversation.userIds);
}

/** Returns the conversation that a narrow shows completely; undefined when it shows several, or part of one. */
export function conversationOfNarrow(narrow: Narrow): Conversation | undefined {
  const terms = narrow.filter(({operator}) => operator !== 'near' && operator !== 'with');
  if (terms.some(({negated}) => negated === true)) return undefined;
  const [first, second] = terms;
  if (terms.length === 1 && first?.operator === 'dm' && Array.isArray(first.operand)) {
    return {kind: 'direct', userIds: first.operand.map(Number)};
  }
  if (terms.length !== 2) return undefined;
  const [channel, topic] = first?.operator === 'channel' ? [first, second] : [second, first];
  if (channel?.operator !== 'channel' || topic?.operator !== 'topic') return undefined;
  if (typeof channel.operand !== 'number' || typeof topic.operand !== 'string') return undefined;
  return {kind: 'topic', channelId: channel.operand, topic: topic.operand};
}

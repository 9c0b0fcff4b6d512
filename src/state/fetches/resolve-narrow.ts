import {isRefusal} from '#api/failure.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {directConversation} from '#state/model/conversation.ts';
import {conversationNarrow, type Narrow} from '#state/model/narrow.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {NarrowTerm} from '#wire/narrow.ts';
import {fetchMessage} from './fetch-messages.ts';

export interface ResolvedNarrow {
  /** The terms without `near` and `with`. */
  readonly narrow: Narrow;
  /** The message to open at, if the narrow names one. */
  readonly near: number | undefined;
}

const conversationOperators = new Set(['channel', 'topic', 'dm']);

/**
 * Resolves `near` and `with`. `near` is only the position to open at. `with` stands for the conversation that
 * its message is in now; if the message is inaccessible, the narrow's other conversation terms count.
 */
export async function resolveNarrow(context: SessionContext, requested: Narrow): Promise<ResolvedNarrow> {
  const selfId = context.cache.state.self.userId;
  const near = messageIdOf(requested.find(({operator}) => operator === 'near'));
  const withId = messageIdOf(requested.find(({operator}) => operator === 'with'));
  const terms = requested
    .filter(({operator}) => operator !== 'near' && operator !== 'with')
    .map((term) => withoutSelf(term, selfId));
  if (withId === undefined) return {narrow: terms, near};
  const others = terms.filter(({operator}) => !conversationOperators.has(operator));
  const conversation = await conversationWith(context, withId, others.length < terms.length);
  const narrow = conversation === undefined ? terms : [...conversationNarrow(conversation), ...others];
  return {narrow, near: near ?? (conversation === undefined ? undefined : withId)};
}

function messageIdOf(term: NarrowTerm | undefined): number | undefined {
  const id = Number(term?.operand);
  return term !== undefined && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

function withoutSelf(term: NarrowTerm, selfId: number): NarrowTerm {
  if (term.operator !== 'dm' || !Array.isArray(term.operand)) return term;
  const people = term.operand.map(Number);
  return people.every(Number.isSafeInteger)
    ? {...term, operand: [...directConversation(people, selfId).userIds]}
    : term;
}

async function conversationWith(context: SessionContext, messageId: number, mayBeMissing: boolean) {
  const loaded = context.cache.state.messages.byId.get(messageId);
  if (loaded !== undefined) return conversationOf(loaded);
  try {
    return conversationOf(await fetchMessage(context, messageId));
  } catch (error) {
    if (mayBeMissing && isRefusal(error)) return undefined;
    throw error;
  }
}

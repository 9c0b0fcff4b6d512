import {isRefusal} from '#api/failure.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {directConversation} from '#state/model/conversation.ts';
import {conversationNarrow, type Narrow} from '#state/model/narrow.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {NarrowTerm} from '#wire/narrow.ts';
import {fetchMessage} from './fetch-messages.ts';

export interface ResolvedNarrow {
  /** Without `near` and `with`. */
  readonly narrow: Narrow;
  /** The message to begin at, if the narrow named one. */
  readonly near: number | undefined;
}

const placeOperators = new Set(['channel', 'topic', 'dm']);

/**
 * `near` says where to begin and is no part of a view. `with` stands for the conversation its message is in, wherever it
 * was moved to; if the message is out of reach, what else the narrow says about the place counts.
 */
export async function resolveNarrow(context: SessionContext, given: Narrow): Promise<ResolvedNarrow> {
  const selfId = context.cache.state.self.userId;
  const near = messageIdOf(given.find(({operator}) => operator === 'near'));
  const withId = messageIdOf(given.find(({operator}) => operator === 'with'));
  const terms = given
    .filter(({operator}) => operator !== 'near' && operator !== 'with')
    .map((term) => withoutSelf(term, selfId));
  if (withId === undefined) return {narrow: terms, near};
  const others = terms.filter(({operator}) => !placeOperators.has(operator));
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

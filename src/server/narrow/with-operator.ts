import type {ActionContext, ReadContext} from '#server/context.ts';
import {findMessage} from '#server/db/messages.ts';
import type {MessageRow, UserRow} from '#server/db/rows.ts';
import {canReadMessage} from '#server/permissions/message.ts';
import type {NarrowTerm} from '#wire/narrow.ts';
import {badCombination, badNarrow, messageIdOperand} from './operands.ts';

const invalidWith = "Invalid 'with' operator";
const replacedOperators = new Set(['channel', 'topic', 'dm']);

/**
 * Replaces `with` by the conversation that contains its message, so that a link to a topic that was moved or resolved
 * still works; a negated one is the same. When the viewer cannot read the message, the other terms must name a conversation.
 */
export function resolveWithOperator(act: ReadContext, viewer: UserRow, terms: NarrowTerm[]): NarrowTerm[] {
  const [anchor, second] = terms.filter(({operator}) => operator === 'with');
  if (anchor === undefined) return terms;
  if (second !== undefined) throw badCombination("Duplicate 'with' operators.");
  const rest = terms.filter((term) => term !== anchor);
  const message = findMessage(act.server.db, messageIdOperand(anchor.operand, invalidWith));
  if (message === undefined || !canReadMessage(act, viewer, message)) {
    if (!namesConversation(rest)) throw badNarrow(invalidWith);
    return rest;
  }
  return [...rest.filter(({operator}) => !replacedOperators.has(operator)), ...conversationOf(act, message)];
}

function namesConversation(terms: readonly NarrowTerm[]): boolean {
  const named = new Set(terms.map(({operator}) => operator));
  return named.has('dm') || (named.has('channel') && named.has('topic'));
}

function conversationOf(act: Pick<ActionContext, 'server'>, message: MessageRow): NarrowTerm[] {
  if (message.channel_id !== null) {
    return [
      {operator: 'channel', operand: message.channel_id},
      {operator: 'topic', operand: message.topic},
    ];
  }
  const userIds = act.server.db.pluck('SELECT user_id FROM dm_member WHERE dm_id = ?', message.dm_id);
  return [{operator: 'dm', operand: userIds}];
}

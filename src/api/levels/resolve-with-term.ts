import type {Connection} from '#api/connection.ts';
import type {CallOptions} from '#api/connection-options.ts';
import {isRefusal} from '#api/failure.ts';
import {endpoints} from '#wire/endpoints.ts';
import {levels} from '#wire/levels.ts';
import {type NarrowTerm, normalizeTerm, type WireNarrow} from '#wire/narrow.ts';
import type {FetchedMessage} from '#wire/objects/message.ts';

const conversationOperators = new Set(['channel', 'topic', 'dm']);

/** Replaces `with:` by the message's conversation, for servers below level 271, which do not support it. */
export async function resolveWithTerm(
  connection: Connection,
  narrow: WireNarrow | undefined,
  options: CallOptions,
): Promise<WireNarrow | undefined> {
  if (narrow === undefined || connection.level >= levels.withOperator) return narrow;
  const terms = narrow.map(normalizeTerm);
  const withTerm = terms.find(({operator}) => operator === 'with');
  if (withTerm === undefined) return narrow;
  const others = terms.filter(({operator}) => operator !== 'with');
  const otherTerms = others.filter(({operator}) => !conversationOperators.has(operator));
  const message = await lookUp(connection, Number(withTerm.operand), others.length > otherTerms.length, options);
  return message === undefined ? others : [...otherTerms, ...conversationOf(message)];
}

/** Fetches a message. With `mayBeMissing` it returns undefined without access: the narrow names a conversation anyway. */
async function lookUp(
  connection: Connection,
  messageId: number,
  mayBeMissing: boolean,
  options: CallOptions,
): Promise<FetchedMessage | undefined> {
  try {
    const args = {message_id: messageId, apply_markdown: false};
    return (await connection.call(endpoints.getMessage, args, options)).message;
  } catch (error) {
    if (mayBeMissing && isRefusal(error)) return undefined;
    throw error;
  }
}

function conversationOf(message: FetchedMessage): NarrowTerm[] {
  if (message.type === 'private') {
    return [{operator: 'dm', operand: message.display_recipient.map(({id}) => id)}];
  }
  return [
    {operator: 'channel', operand: message.stream_id},
    {operator: 'topic', operand: message.subject},
  ];
}

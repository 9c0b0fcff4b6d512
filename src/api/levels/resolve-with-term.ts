import type {Connection} from '#api/connection.ts';
import type {CallOptions} from '#api/connection-options.ts';
import {isRefusal} from '#api/failure.ts';
import {endpoints} from '#wire/endpoints.ts';
import {levels} from '#wire/levels.ts';
import {type NarrowTerm, normalizeTerm, type WireNarrow} from '#wire/narrow.ts';
import type {FetchedMessage} from '#wire/objects/message.ts';

const placeOperators = new Set(['channel', 'topic', 'dm']);

/** Below level 271 there is no `with`: the message is looked up, and its conversation named instead. */
export async function resolveWithTerm(
  connection: Connection,
  narrow: WireNarrow | undefined,
  options: CallOptions,
): Promise<WireNarrow | undefined> {
  if (narrow === undefined || connection.level >= levels.withOperator) return narrow;
  const terms = narrow.map(normalizeTerm);
  const asked = terms.find(({operator}) => operator === 'with');
  if (asked === undefined) return narrow;
  const others = terms.filter(({operator}) => operator !== 'with');
  const elsewhere = others.filter(({operator}) => !placeOperators.has(operator));
  const message = await lookUp(connection, Number(asked.operand), others.length > elsewhere.length, options);
  return message === undefined ? others : [...elsewhere, ...conversationOf(message)];
}

/** A message out of reach is no reason to fail when the narrow names a conversation anyway. */
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

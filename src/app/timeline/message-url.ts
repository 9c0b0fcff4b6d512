import {narrowLink} from '#content/narrow-link.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import {conversationNarrow} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';

/** The address of a message, as every client of the organization understands it. */
export function messageUrl({realm, server, channels, self}: AccountState, message: Message): string {
  const site = (realm.url ?? realm.uri ?? server.url).replace(/\/+$/, '');
  const place = conversationNarrow(conversationOf(message)).map(({operator, operand}) => ({
    operator,
    // In links a conversation is named by everybody in it.
    operand: Array.isArray(operand) ? [...operand.map(Number), self.userId].sort((a, b) => a - b) : operand,
    negated: false,
  }));
  const near = {operator: 'near', operand: message.id, negated: false};
  return `${site}/${narrowLink([...place, near], (id) => channels.get(id)?.name)}`;
}

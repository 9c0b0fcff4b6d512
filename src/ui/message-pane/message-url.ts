import {narrowLink} from '#content/narrow-link.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import {conversationNarrow} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';

/** Returns the message's URL, which every client of the organization understands. */
export function messageUrl({realm, server, channels, self}: AccountState, message: Message): string {
  const site = (realm.url ?? realm.uri ?? server.url).replace(/\/+$/, '');
  const terms = conversationNarrow(conversationOf(message)).map(({operator, operand}) => ({
    operator,
    // Links to direct messages list all participants.
    operand: Array.isArray(operand) ? [...operand.map(Number), self.userId].sort((a, b) => a - b) : operand,
    negated: false,
  }));
  const near = {operator: 'near', operand: message.id, negated: false};
  return `${site}/${narrowLink([...terms, near], (id) => channels.get(id)?.name)}`;
}

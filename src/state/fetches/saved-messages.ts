import type {AccountStore} from '#state/account-store.ts';
import {conversationKey} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {conversationOfNarrow, type Narrow} from '#state/model/narrow.ts';
import {searchSavedMessages} from '#state/persistence/persistence.ts';
import type {AccountState} from '#state/state.ts';
import {messageMatchesNarrow} from '#state/timelines/narrow-membership.ts';
import {maxSavedMessages} from '#state/timelines/timeline-from-loaded.ts';
import type {NarrowTerm} from '#wire/narrow.ts';

/** Messages on the disk among which the terms of a view choose. Reading so many takes a few hundredths of a second. */
const maxFiltered = 5000;

/**
 * What the disk has of a view, newest first. Words are looked up in its index; whatever only the server can tell, such as
 * which messages have a link, finds nothing. Nothing newer than what was heard of: its event is still to come.
 */
export function savedMessagesOf(
  store: Pick<AccountStore, 'messages'>,
  state: AccountState,
  narrow: Narrow,
): readonly Message[] {
  const words = narrow.filter(isWords);
  const others = narrow.filter((term) => !isWords(term));
  const found: Message[] = [];
  for (const message of candidates(store, words, others)) {
    if (message.id > state.maxMessageId || messageMatchesNarrow(state, others, message) !== true) continue;
    if (found.push(message) >= maxSavedMessages) break;
  }
  return found;
}

function isWords({operator, negated}: NarrowTerm): boolean {
  return operator === 'search' && negated !== true;
}

function candidates(
  store: Pick<AccountStore, 'messages'>,
  words: Narrow,
  others: Narrow,
): readonly Message[] {
  if (words.length > 0) {
    const text = words.map(({operand}) => String(operand)).join(' ');
    return searchSavedMessages(store, text, others.length === 0 ? maxSavedMessages : maxFiltered);
  }
  const conversation = conversationOfNarrow(others);
  return conversation === undefined
    ? store.messages.newest(maxFiltered).toReversed()
    : store.messages.ofConversation(conversationKey(conversation), maxSavedMessages).toReversed();
}

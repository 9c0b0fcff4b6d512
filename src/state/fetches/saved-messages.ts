import type {AccountStore} from '#state/account-store.ts';
import {conversationKey} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {conversationOfNarrow, type Narrow} from '#state/model/narrow.ts';
import {searchSavedMessages} from '#state/persistence/persistence.ts';
import type {AccountState} from '#state/state.ts';
import {messageMatchesNarrow} from '#state/timelines/narrow-membership.ts';
import {maxSavedMessages} from '#state/timelines/timeline-from-loaded.ts';
import type {NarrowTerm} from '#wire/narrow.ts';

/** The maximum number of saved messages that a narrow filters. Reading this many takes a few hundredths of a second. */
const maxFiltered = 5000;

/**
 * Returns the saved messages of a view, newest first. Search terms use the full-text index; terms that only
 * the server can evaluate, such as `has:link`, match nothing. Messages newer than the newest known one are
 * left out: their events are still to come.
 */
export function savedMessagesOf(
  store: Pick<AccountStore, 'messages'>,
  state: AccountState,
  narrow: Narrow,
): readonly Message[] {
  const searchTerms = narrow.filter(isSearchTerm);
  const others = narrow.filter((term) => !isSearchTerm(term));
  const messages: Message[] = [];
  for (const message of candidates(store, searchTerms, others)) {
    if (message.id > state.maxMessageId || messageMatchesNarrow(state, others, message) !== true) continue;
    if (messages.push(message) >= maxSavedMessages) break;
  }
  return messages;
}

function isSearchTerm({operator, negated}: NarrowTerm): boolean {
  return operator === 'search' && negated !== true;
}

function candidates(store: Pick<AccountStore, 'messages'>, searchTerms: Narrow, others: Narrow): readonly Message[] {
  if (searchTerms.length > 0) {
    const text = searchTerms.map(({operand}) => String(operand)).join(' ');
    return searchSavedMessages(store, text, others.length === 0 ? maxSavedMessages : maxFiltered);
  }
  const conversation = conversationOfNarrow(others);
  return conversation === undefined
    ? store.messages.newest(maxFiltered).toReversed()
    : store.messages.ofConversation(conversationKey(conversation), maxSavedMessages).toReversed();
}

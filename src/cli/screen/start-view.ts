import type {View} from '#app/core/view.ts';
import {messagesView} from '#app/core/view.ts';
import {combinedFeedNarrow} from '#state/model/narrow.ts';
import {unreadCounts} from '#state/selectors/unreads/unread-counts.ts';
import type {AccountState} from '#state/state.ts';

/** Where nobody said where to begin: at what is unread, else at the account's home. */
export function defaultView(state: AccountState): View {
  if (unreadCounts(state).total > 0) return {kind: 'inbox'};
  switch (state.settings.webHomeView) {
    case 'recent':
    case 'recent_topics':
      return {kind: 'recent'};
    case 'all_messages':
      return messagesView(combinedFeedNarrow);
    default:
      return {kind: 'inbox'};
  }
}

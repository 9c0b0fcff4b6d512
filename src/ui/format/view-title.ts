import type {Conversation} from '#state/model/conversation.ts';
import {conversationOfNarrow, isCombinedFeed} from '#state/model/narrow.ts';
import {channelName, conversationRowTitle, distinctUserName, isResolved} from '#state/selectors/names/names.ts';
import {searchText} from '#state/selectors/search/parse-search.ts';
import type {AccountState} from '#state/state.ts';
import type {AppInfo, Frame, View} from '#ui/core/frame.ts';

/** Returns the title of a view for the header, lists and the window title. */
export function viewTitle({account}: Pick<Frame, 'account'>, view: View): string {
  if (view.kind === 'topics') return `Topics of #${channelName(account, view.channelId)}`;
  if (view.kind === 'messages') return messagesTitle(account, view);
  return view.kind === 'drafts' ? draftsTitles[view.tab] : viewTitles[view.kind];
}

const viewTitles = {
  inbox: 'Inbox',
  triage: 'Triage',
  recent: 'Recent conversations',
  catchUp: 'Catch up',
  directs: 'Direct messages',
  channels: 'Channels',
  people: 'People',
} as const;

const draftsTitles = {
  drafts: 'Drafts',
  outbox: 'Outbox',
  scheduled: 'Scheduled messages',
  reminders: 'Reminders',
} as const;

const isTitles: Readonly<Record<string, string>> = {
  dm: 'Direct message feed',
  mentioned: 'Mentions',
  starred: 'Starred messages',
  unread: 'Unread messages',
  followed: 'Followed topics',
  resolved: 'Resolved topics',
  alerted: 'Alert words',
};

/** Returns the conversation's title with a check mark if it is resolved. */
export function titleWithResolvedMark(account: Frame['account'], conversation: Conversation): string {
  const isDone = conversation.kind === 'topic' && isResolved(conversation.topic);
  return `${conversationRowTitle(account, conversation)}${isDone ? ' ✓' : ''}`;
}

function messagesTitle(account: Frame['account'], {narrow, query}: Extract<View, {kind: 'messages'}>): string {
  const conversation = conversationOfNarrow(narrow);
  if (conversation !== undefined) return titleWithResolvedMark(account, conversation);
  const [first, second] = narrow;
  if (first === undefined) return 'All messages';
  if (isCombinedFeed(narrow)) return 'Combined feed';
  if (second === undefined && first.negated !== true) {
    if (first.operator === 'sender' && query === undefined && typeof first.operand === 'number')
      return `Messages from ${distinctUserName(account, first.operand)}`;
    if (first.operator === 'channel') return `#${channelName(account, Number(first.operand))}`;
    const title = first.operator === 'is' ? isTitles[String(first.operand)] : undefined;
    if (title !== undefined) return title;
  }
  return `Search: ${query ?? searchText(narrow, account)}`;
}

/**
 * Returns how the screen calls the account: by its name if there are several accounts, else by its organization. An
 * account that was opened by its file has the path as its name, which is too long to show.
 */
export function accountLabel({realm}: AccountState, {accountName, accountCount}: AppInfo): string {
  const hasShortName = accountCount > 1 && !accountName.includes('/');
  return hasShortName ? accountName : (realm.name ?? accountName.slice(accountName.lastIndexOf('/') + 1));
}

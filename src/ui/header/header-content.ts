import {hasServerState} from '#state/initial-state.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {OutboxEntry, OutboxStatus} from '#state/model/outbox.ts';
import {isConversationFollowed, isConversationMuted} from '#state/selectors/lists/conversation-properties.ts';
import {conversationRowTitle, topicDisplayName, userName} from '#state/selectors/names/names.ts';
import {viewUnreads} from '#state/selectors/unreads/unread-counts.ts';
import type {AccountState} from '#state/state.ts';
import {bannerOfferHint, connectionOffer} from '#ui/banner/banner-lines.ts';
import {type Frame, shownConversation, viewChannelId} from '#ui/core/frame.ts';
import {channelColor, conversationColor} from '#ui/format/conversation-name.ts';
import {unreadCountText} from '#ui/format/counted-noun.ts';
import {timeOptionsOf} from '#ui/format/moment-text.ts';
import {accountLabel, viewTitle} from '#ui/format/view-title.ts';
import {inboxTotals, organizationTotals} from '#ui/inbox/triage-rows.ts';
import {screenLayout} from '#ui/layout/screen-layout.ts';
import {selectedCount} from '#ui/lists/visible-rows.ts';
import {selectedMessage} from '#ui/message-pane/selection.ts';

/** What the header says, without how much of it fits. */
export type HeaderContent = ReturnType<typeof headerContent>;

export function headerContent(frame: Frame) {
  const {account, screen, info} = frame;
  const {view} = screen;
  const {size, main, status} = screenLayout(frame);
  const conversation = shownConversation(screen);
  return {
    size,
    /** The column where the main pane begins. */
    mainStart: main.x,
    accountName: accountLabel(account, info),
    ownName: account.self.userId > 0 ? userName(account, account.self.userId) : '',
    accountCount: info.accountCount,
    isExploring: info.isExploring,
    isReadOnly: info.isReadOnly,
    isInbox: view.kind === 'inbox',
    title: viewTitle(frame, view),
    color: conversationColor(account, conversation) ?? channelColor(account, viewChannelId(view)),
    selectedConversation: selectedConversationTitle(frame),
    /** The number of selected rows, where no status line shows it. */
    selectedRows: status === undefined ? selectedCount(frame) : 0,
    isFollowed: conversation !== undefined && isConversationFollowed(account, conversation),
    isMuted: conversation !== undefined && isConversationMuted(account, conversation),
    unreads: view.kind === 'messages' ? viewUnreads(account, view.narrow) : undefined,
    inbox: inboxCounts(frame),
    /** What is unread in each of several organizations. */
    organizations: organizationCounts(frame),
    /** Whether the counts of the inbox may be outdated. */
    isApproximate: hasStaleUnreads(account),
    failed: account.outbox.filter(isUndelivered).length,
    connection: connectionContent(frame),
  };
}

/** In views of several conversations: the selected message's conversation, where a reply would go. */
function selectedConversationTitle(frame: Frame): string {
  const {account, screen} = frame;
  if (screen.view.kind !== 'messages' || screen.size.columns < 60) return '';
  const message = shownConversation(screen) === undefined ? selectedMessage({frame}) : undefined;
  if (message === undefined) return '';
  const conversation = conversationOf(message);
  return conversation.kind === 'topic' && viewChannelId(screen.view) === conversation.channelId
    ? topicDisplayName(account, conversation.topic)
    : conversationRowTitle(account, conversation);
}

/** Returns the unread conversations and messages of the inbox, as its row in the sidebar shows them. */
function inboxCounts(frame: Frame) {
  const {conversations, count, mentions} = inboxTotals(frame).all;
  return {conversations, count, mentions};
}

/** Returns what is unread in each organization that is shown together with others. */
function organizationCounts(frame: Frame) {
  if (frame.organizations === undefined) return [];
  return organizationTotals(frame).map(({organization, totals}) => ({
    name: organization?.name ?? '',
    isShown: organization?.isShown === true,
    count: totals.all.count,
    mentions: totals.all.mentions,
  }));
}

/**
 * Returns the terminal's window title: `(@1 3) #backend › deploy — acme`; with several organizations
 * `(acme @1 3 · beta 2) …`.
 */
export function windowTitle(frame: Frame): string {
  const {account, info, screen} = frame;
  const inbox = inboxCounts(frame);
  const counts = organizationCounts(frame).flatMap((each) =>
    each.count === 0 ? [] : `${each.name} ${unreadCountText(each)}`,
  );
  const organization = account.realm.name ?? info.accountName;
  const unread = counts.length === 0 ? unreadCountText(inbox) : counts.join(' · ');
  return `${inbox.count === 0 ? '' : `(${unread}) `}${viewTitle(frame, screen.view)} — ${organization}`;
}

/** What the header says about the connection. */
export type ConnectionContent = ReturnType<typeof connectionContent>;

function connectionContent(frame: Frame) {
  const {account, screen} = frame;
  const offer = connectionOffer(frame);
  return {
    status: account.connection,
    outage: screen.outage,
    /** Whether keys apply to it. */
    isFocused: screen.focus === 'connection',
    offer,
    /** The keys to the offer. */
    keyHint: bannerOfferHint(frame, offer, 'connection'),
    /** The number of messages that are sent when it works again. */
    waiting: account.outbox.filter(({status}) => pendingStatuses.has(status)).length,
    time: timeOptionsOf(frame),
    /** Before the first registration the format of times is not known. */
    isTimeKnown: hasServerState(account),
  };
}

const pendingStatuses: ReadonlySet<OutboxStatus> = new Set(['queued', 'sending', 'held']);
const undeliveredStatuses: ReadonlySet<OutboxStatus> = new Set(['failed', 'unconfirmed']);

/** Whether the message needs its author to act. */
export function isUndelivered({status}: OutboxEntry): boolean {
  return undeliveredStatuses.has(status);
}

/** Whether the unread counts may be outdated. */
function hasStaleUnreads({connection}: AccountState): boolean {
  return connection.phase !== 'online' && 'savedAt' in connection && connection.savedAt !== undefined;
}

import {spansColumns} from '#content/styled-text/wrap.ts';
import {clockText} from '#content/time-text.ts';
import {hasServerState} from '#state/initial-state.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {isConversationFollowed, isConversationMuted} from '#state/selectors/lists/conversation-properties.ts';
import {conversationRowTitle, topicDisplayName, userName} from '#state/selectors/names/names.ts';
import {viewUnreads} from '#state/selectors/unreads/view-unreads.ts';
import type {Frame} from '#ui/core/frame.ts';
import {memoByFrame} from '#ui/core/memo-by-frame.ts';
import type {PaneLine} from '#ui/core/pane-line.ts';
import {shownConversation, viewChannelId} from '#ui/core/view.ts';
import {accountLabel} from '#ui/format/account-label.ts';
import {channelColor, conversationColor} from '#ui/format/channel-color.ts';
import {tintedChannelSpans} from '#ui/format/conversation-name.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {timeOptionsOf} from '#ui/format/moment-text.ts';
import {plainGlyphText, uiGlyphs} from '#ui/format/ui-glyphs.ts';
import {unreadCountSpans, unreadCountText} from '#ui/format/unread-count.ts';
import {viewTitle} from '#ui/format/view-title.ts';
import {type InboxContents, inboxContents} from '#ui/inbox/triage-rows.ts';
import {screenLayout} from '#ui/layout/screen-layout.ts';
import {fittedLine, leftRightLine, paddedLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {selectedCount} from '#ui/lists/visible-rows.ts';
import {selectedMessage} from '#ui/message-pane/selection.ts';
import {connectionBannerSpans, connectionSpans, failedCount, hasStaleUnreads} from './connection-text.ts';

/** The header: the current view first, because sending to the wrong place costs most; status at the right. */
export const headerLine = memoByFrame(
  (frame) => {
    const {account, screen, display, info, minute} = frame;
    return [
      account.connection,
      account.unreads,
      account.messages,
      account.channels,
      account.subscriptions,
      account.userTopics,
      account.users,
      account.mutedUsers,
      account.realm,
      account.self,
      account.outbox,
      account.settings,
      account.localDrafts,
      account.drafts,
      inboxContents(frame),
      screen.view,
      screen.size,
      screen.panes,
      screen.focus,
      screen.outage,
      selectedConversationTitle(frame),
      selectedCount(frame),
      display,
      info,
      minute,
    ];
  },
  (frame): PaneLine => {
    const {columns} = frame.screen.size;
    const banner = connectionBannerSpans(frame);
    if (banner !== undefined) return fittedLine(banner, columns, uiGlyphs(frame.display).ellipsis);
    const parts = rightParts(frame);
    const aligned = leftSpans(frame, true);
    const trouble = fittingSpans(parts, gapOf(frame), 0);
    const isAligned = spansColumns(aligned) + spansColumns(trouble) < columns;
    const left = isAligned ? aligned : leftSpans(frame, false);
    const right = fittingSpans(parts, gapOf(frame), columns - spansColumns(left) - 2);
    return leftRightLine(left, right, columns, {ellipsis: uiGlyphs(frame.display).ellipsis, minLeft: minTitleColumns});
  },
);

/** The title keeps this width beside a connection that does not work. */
const minTitleColumns = 16;

/** The account, where there is room or more than one, and the title of the main pane; aligned with it if both fit. */
function leftSpans(frame: Frame, isAligned: boolean): readonly UiSpan[] {
  const {size} = screenLayout(frame);
  const isWide = size === 'xl' || size === 'l';
  const title = [...selectedSpans(frame), ...titleSpans(frame, isWide)];
  const pad: UiSpan = {text: ' ', role: 'text'};
  if (!isWide && frame.info.accountCount < 2) return size === 's' ? title : [pad, ...title];
  const account = accountLine(frame, isWide && isAligned);
  return [...account.spans, ...title];
}

function accountLine(frame: Frame, isWide: boolean): UiLine {
  const {account, info, display} = frame;
  const {dot, ellipsis} = uiGlyphs(display);
  const organization: UiSpan = {text: ` ${accountLabel(account, info)}`, role: 'account'};
  if (!isWide) {
    const line = fittedLine([organization], Math.floor(frame.screen.size.columns / 3), ellipsis);
    return paddedLine(line, line.width + 2);
  }
  const {main} = screenLayout(frame);
  const self = account.self.userId > 0 ? ` ${dot} ${userName(account, account.self.userId)}` : '';
  const parts: UiSpan[] = [organization, {text: self, role: 'dim'}];
  if (main.x === 0) return fittedLine([...parts, {text: '   ', role: 'text'}], frame.screen.size.columns);
  const isWhole = spansColumns(parts) < main.x;
  return paddedLine(fittedLine(isWhole ? parts : [organization], main.x - 1, ellipsis), main.x + 1);
}

/**
 * The number of selected rows, where no status line shows it: first, because actions apply to rows that may be
 * off-screen.
 */
function selectedSpans(frame: Frame): readonly UiSpan[] {
  const count = screenLayout(frame).status === undefined ? selectedCount(frame) : 0;
  if (count === 0) return [];
  return [
    {text: `${count} selected`, role: 'marked'},
    {text: ` ${uiGlyphs(frame.display).dot} `, role: 'dim'},
  ];
}

function titleSpans(frame: Frame, isWide: boolean): readonly UiSpan[] {
  const {account, screen, display} = frame;
  const text = plainGlyphText(viewTitle(frame, screen.view), display);
  const color =
    conversationColor(account, shownConversation(screen)) ?? channelColor(account, viewChannelId(screen.view));
  const title = tintedChannelSpans([{text, role: 'header_title'}], color, uiGlyphs(display));
  const conversationTitle = selectedConversationTitle(frame);
  if (conversationTitle !== '')
    return [...title, {text: plainGlyphText(` · ${conversationTitle}`, display), role: 'dim'}];
  if (screen.view.kind !== 'inbox' || !isWide) return title;
  const approximately = hasStaleUnreads(account) ? uiGlyphs(display).approximate : '';
  const {counts, messages} = inboxContents(frame);
  if (counts.all === 0) return title;
  const {dot} = uiGlyphs(display);
  const counted = `${approximately}${countedNoun(counts.all, 'conversation')}, ${approximately}${countedNoun(messages, 'message')}`;
  return [...title, {text: ` ${dot} ${counted}`, role: 'dim'}];
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

/** Returns the unread messages of the inbox, as its row in the sidebar shows them. */
function inboxCountText({messages, mentions}: InboxContents): string {
  return unreadCountText({count: messages, mentions});
}

interface HeaderPart {
  readonly spans: readonly UiSpan[];
  /** Parts with the highest rank are dropped first, so that the title is not cut; those of rank 0 never. */
  readonly rank: number;
}

const part = (rank: number, text: string, role: UiSpan['role']): HeaderPart => ({
  rank,
  spans: [{text, role}],
});

function rightParts(frame: Frame): readonly HeaderPart[] {
  const {account, info, screen, minute} = frame;
  const {size} = screenLayout(frame);
  const isShort = size === 's';
  const failed = failedCount(account);
  const parts: HeaderPart[] = [...viewParts(frame, isShort)];
  if (info.isExploring) parts.push(part(1, 'EXPLORE', 'banner'));
  if (info.isReadOnly) parts.push(part(1, 'READ-ONLY', 'banner'));
  if (failed > 0) parts.push(part(0, `${failed} failed`, 'failed'));
  const inbox = inboxContents(frame);
  if (inbox.counts.all > 0 && (screen.view.kind !== 'inbox' || size === 'm' || isShort)) {
    const approximately = hasStaleUnreads(account) ? uiGlyphs(frame.display).approximate : '';
    const count = `${approximately}${inboxCountText(inbox)}`;
    const conversations = `${approximately}${countedNoun(inbox.counts.all, 'conversation')}`;
    const text = screen.view.kind === 'inbox' ? conversations : isShort ? count : `inbox ${count}`;
    parts.push(part(3, text, 'dim'));
  }
  if (info.accountCount > 1 && !isShort) parts.push(part(5, `${info.accountCount} accounts`, 'dim'));
  const isTrouble = account.connection.phase !== 'online' || screen.outage !== undefined;
  const hasKeys = screen.focus === 'connection';
  if (!isShort || isTrouble || hasKeys)
    parts.push({rank: isTrouble || hasKeys ? 0 : 1, spans: connectionSpans(frame, isShort)});
  // Before the first registration the format of times is not known.
  if (!isShort && hasServerState(account)) parts.push(part(4, clockText(minute, timeOptionsOf(frame)), 'dim'));
  return parts;
}

/** The status of the shown conversation: followed, muted, unread. */
function viewParts(frame: Frame, isShort: boolean): readonly HeaderPart[] {
  const {account, screen} = frame;
  if (screen.view.kind !== 'messages') return [];
  const parts: HeaderPart[] = [];
  const conversation = shownConversation(screen);
  if (conversation !== undefined && !isShort) {
    if (isConversationFollowed(account, conversation)) parts.push(part(4, 'following', 'followed'));
    if (isConversationMuted(account, conversation)) parts.push(part(4, 'muted', 'muted'));
  }
  const spans = unreadCountSpans(viewUnreads(account, screen.view.narrow));
  const last = spans.at(-1);
  if (last === undefined) return parts;
  return [...parts, {rank: 2, spans: isShort ? spans : [...spans, {text: ' unread', role: last.role}]}];
}

/** Drops parts until the rest fits, except those of rank 0; keeps their order. */
function fittingSpans(parts: readonly HeaderPart[], gap: string, room: number): readonly UiSpan[] {
  const shownParts = [...parts];
  const columns = () => shownParts.reduce((sum, {spans}) => sum + spansColumns(spans) + gap.length, 1);
  while (columns() > room) {
    const highestRank = Math.max(0, ...shownParts.map(({rank}) => rank));
    if (highestRank === 0) break;
    shownParts.splice(
      shownParts.findIndex(({rank}) => rank === highestRank),
      1,
    );
  }
  if (shownParts.length === 0) return [];
  const spans = shownParts.flatMap(({spans: shown}, at): readonly UiSpan[] =>
    at === 0 ? shown : [{text: gap, role: 'dim'}, ...shown],
  );
  return [...spans, {text: ' ', role: 'text'}];
}

function gapOf({screen, display}: Frame): string {
  return screen.size.columns < 60 ? ` ${uiGlyphs(display).dot} ` : '  ';
}

/** Returns the terminal's window title: `(@1 3) #backend › deploy — acme`. */
export function windowTitle(frame: Frame): string {
  const {account, info, screen} = frame;
  const inbox = inboxContents(frame);
  const organization = account.realm.name ?? info.accountName;
  return `${inbox.messages === 0 ? '' : `(${inboxCountText(inbox)}) `}${viewTitle(frame, screen.view)} — ${organization}`;
}

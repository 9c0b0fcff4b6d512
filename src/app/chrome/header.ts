import type {Frame} from '#app/core/frame.ts';
import {memoByFrame} from '#app/core/memo-by-frame.ts';
import type {PaneLine} from '#app/core/pane-line.ts';
import {shownConversation, viewChannelId} from '#app/core/view.ts';
import {timeOptionsOf} from '#app/format/moment-text.ts';
import {plainGlyphText, uiGlyphs} from '#app/format/ui-glyphs.ts';
import {viewTitle} from '#app/format/view-title.ts';
import {inboxContents} from '#app/inbox/triage-rows.ts';
import type {Rect} from '#app/layout/layout.ts';
import {screenLayout} from '#app/layout/screen-layout.ts';
import {fittedLine, leftRightLine, paddedLine, type UiLine, type UiSpan} from '#app/layout/ui-line.ts';
import {selectedCount} from '#app/lists/visible-rows.ts';
import {selectedMessage} from '#app/timeline/selection.ts';
import {spansColumns} from '#content/styled-text/wrap.ts';
import {clockText} from '#content/time-text.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {conversationKey} from '#state/model/conversation.ts';
import {isConversationFollowed, isConversationMuted} from '#state/selectors/lists/conversation-properties.ts';
import {conversationRowTitle, topicDisplayName, userName} from '#state/selectors/names/names.ts';
import {unreadCountIn} from '#state/selectors/timeline.ts';
import {mentionCounts} from '#state/selectors/unreads/unread-counts.ts';
import {connectionBannerSpans, connectionSpans, failedCount, hasStaleUnreads} from './connection-text.ts';

export function headerLines(frame: Frame, _rect: Rect): readonly PaneLine[] {
  return [headerLine(frame)];
}

/** Where one is comes first: sending to the wrong place costs most. At the right, what one should know at any time. */
const headerLine = memoByFrame(
  (frame) => {
    const {account, screen, display: looks, info: facts, minute} = frame;
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
      looks,
      facts,
      minute,
    ];
  },
  (frame): PaneLine => {
    const {columns} = frame.screen.size;
    const banner = connectionBannerSpans(frame);
    if (banner !== undefined) return fittedLine(banner, columns, uiGlyphs(frame.display).ellipsis);
    const left = leftSpans(frame);
    const right = fitting(
      rightParts(frame),
      gapOf(frame),
      columns - Math.min(spansColumns(left), leastLeft(columns)) - 2,
    );
    return leftRightLine(left, right, columns, {
      ellipsis: uiGlyphs(frame.display).ellipsis,
      leastLeft: leastLeft(columns),
    });
  },
);

function leastLeft(columns: number): number {
  return Math.max(16, Math.floor(columns * 0.45));
}

/** The account where there is room or choice, and what the main pane shows, above it where that is possible. */
function leftSpans(frame: Frame): readonly UiSpan[] {
  const {size} = screenLayout(frame);
  const isWide = size === 'xl' || size === 'l';
  const title = [...selectedSpans(frame), ...titleSpans(frame, isWide)];
  const pad: UiSpan = {text: ' ', role: 'text'};
  if (!isWide && frame.info.accountCount < 2) return size === 's' ? title : [pad, ...title];
  const account = accountLine(frame, isWide);
  return [...account.spans, ...title];
}

function accountLine(frame: Frame, isWide: boolean): UiLine {
  const {account, info: facts, display: looks} = frame;
  const {dot, ellipsis} = uiGlyphs(looks);
  const name = facts.accountCount > 1 ? facts.accountName : (account.realm.name ?? facts.accountName);
  const organization: UiSpan = {text: ` ${name}`, role: 'account'};
  if (!isWide) return fittedLine([organization, {text: '  ', role: 'text'}], frame.screen.size.columns);
  const {main} = screenLayout(frame);
  const self = account.self.userId > 0 ? ` ${dot} ${userName(account, account.self.userId)}` : '';
  const parts: UiSpan[] = [organization, {text: self, role: 'dim'}];
  if (main.x === 0) return fittedLine([...parts, {text: '   ', role: 'text'}], frame.screen.size.columns);
  const isWhole = spansColumns(parts) < main.x;
  return paddedLine(fittedLine(isWhole ? parts : [organization], main.x - 1, ellipsis), main.x + 1);
}

/** Where the status line does not say it: what is out of sight and about to be acted on comes before all else. */
function selectedSpans(frame: Frame): readonly UiSpan[] {
  const count = screenLayout(frame).status === undefined ? selectedCount(frame) : 0;
  if (count === 0) return [];
  return [
    {text: `${count} selected`, role: 'marked'},
    {text: ` ${uiGlyphs(frame.display).dot} `, role: 'dim'},
  ];
}

function titleSpans(frame: Frame, isWide: boolean): readonly UiSpan[] {
  const {account, screen, display: looks} = frame;
  const text = plainGlyphText(viewTitle(frame, screen.view), looks);
  const title: UiSpan = {text, role: 'header_title'};
  const place = selectedConversationTitle(frame);
  if (place !== '') return [title, {text: plainGlyphText(` · ${place}`, looks), role: 'dim'}];
  if (screen.view.kind !== 'inbox' || !isWide) return [title];
  const about = hasStaleUnreads(account) ? uiGlyphs(looks).approximate : '';
  const {conversations, messages} = inboxCounts(frame);
  if (conversations === 0) return [title];
  const {dot} = uiGlyphs(looks);
  const counted = `${about}${countedNoun(conversations, 'conversation')}, ${about}${countedNoun(messages, 'message')}`;
  return [title, {text: ` ${dot} ${counted}`, role: 'dim'}];
}

/** Among messages of many conversations: that of the selected one, where an answer would go. */
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

function countedNoun(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function inboxCounts(frame: Frame) {
  const {counts, messages} = inboxContents(frame);
  return {conversations: counts.all, messages};
}

interface HeaderPart {
  readonly spans: readonly UiSpan[];
  /** The least important are left out first. */
  readonly rank: number;
}

const part = (rank: number, text: string, role: UiSpan['role']): HeaderPart => ({
  rank,
  spans: [{text, role}],
});

function rightParts(frame: Frame): readonly HeaderPart[] {
  const {account, info: facts, screen, minute} = frame;
  const {size} = screenLayout(frame);
  const isShort = size === 's';
  const failed = failedCount(account);
  const parts: HeaderPart[] = [...viewParts(frame, isShort)];
  if (facts.isExploring) parts.push(part(1, 'EXPLORE', 'banner'));
  if (facts.isReadOnly) parts.push(part(1, 'READ-ONLY', 'banner'));
  if (failed > 0) parts.push(part(1, `${failed} failed`, 'failed'));
  const inbox = inboxContents(frame).counts.all;
  if (screen.view.kind !== 'inbox' || size === 'm' || isShort) {
    const about = hasStaleUnreads(account) ? uiGlyphs(frame.display).approximate : '';
    if (inbox > 0) parts.push(part(3, isShort ? `${about}${inbox}` : `inbox ${about}${inbox}`, 'dim'));
  }
  if (facts.accountCount > 1 && !isShort) parts.push(part(5, `${facts.accountCount} accounts`, 'dim'));
  if (!isShort || account.connection.phase !== 'online' || screen.focus === 'connection')
    parts.push({rank: 0, spans: connectionSpans(frame, isShort)});
  if (!isShort) parts.push(part(4, clockText(minute, timeOptionsOf(frame)), 'dim'));
  return parts;
}

/** How one stands with what is shown. */
function viewParts(frame: Frame, isShort: boolean): readonly HeaderPart[] {
  const {account, screen} = frame;
  if (screen.view.kind !== 'messages') return [];
  const parts: HeaderPart[] = [];
  const conversation = shownConversation(screen);
  if (conversation !== undefined && !isShort) {
    if (isConversationFollowed(account, conversation)) parts.push(part(4, 'following', 'followed'));
    if (isConversationMuted(account, conversation)) parts.push(part(4, 'muted', 'muted'));
  }
  const unread = unreadCountIn(account, screen.view.narrow);
  if (unread === 0) return parts;
  const isMeant = conversation !== undefined && mentionCounts(account).has(conversationKey(conversation));
  const text = `${isMeant ? '@' : ''}${unread}${isShort ? '' : ' unread'}`;
  return [...parts, part(2, text, isMeant ? 'mention_count' : 'unread_count')];
}

/** As many as there is room for, in their order. */
function fitting(parts: readonly HeaderPart[], gap: string, room: number): readonly UiSpan[] {
  const kept = [...parts];
  const columns = () => kept.reduce((sum, {spans}) => sum + spansColumns(spans) + gap.length, 1);
  while (kept.length > 1 && columns() > room) {
    const least = kept.reduce((worst, one) => (one.rank > worst.rank ? one : worst));
    kept.splice(kept.indexOf(least), 1);
  }
  const spans = kept.flatMap(({spans: shown}, at): readonly UiSpan[] =>
    at === 0 ? shown : [{text: gap, role: 'dim'}, ...shown],
  );
  return [...spans, {text: ' ', role: 'text'}];
}

function gapOf({screen, display: looks}: Frame): string {
  return screen.size.columns < 60 ? ` ${uiGlyphs(looks).dot} ` : '  ';
}

/** For the terminal's own title: `(3) #backend › deploy — acme`. */
export function windowTitle(frame: Frame): string {
  const {account, info: facts, screen} = frame;
  const count = inboxContents(frame).counts.all;
  const place = account.realm.name ?? facts.accountName;
  return `${count === 0 ? '' : `(${count}) `}${viewTitle(frame, screen.view)} — ${place}`;
}

import type {Frame} from '#app/core/frame.ts';
import {memoByFrame} from '#app/core/memo-by-frame.ts';
import type {PaneLine} from '#app/core/pane-line.ts';
import {channelOf, shownConversation} from '#app/core/view.ts';
import {timeOptionsOf} from '#app/format/moment-text.ts';
import {plainSignText, uiGlyphs} from '#app/format/ui-glyphs.ts';
import {viewTitle} from '#app/format/view-title.ts';
import {waiting} from '#app/inbox/triage-rows.ts';
import type {Rect} from '#app/layout/layout.ts';
import {screenLayout} from '#app/layout/screen-layout.ts';
import {joined, padded, row, type UiLine, type UiSpan} from '#app/layout/ui-line.ts';
import {selectedCount} from '#app/lists/selected-count.ts';
import {selectedMessage} from '#app/timeline/selection.ts';
import {spansColumns} from '#content/styled-text/wrap.ts';
import {clockText} from '#content/time-text.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {conversationKey} from '#state/model/conversation.ts';
import {isFollowed, isMuted} from '#state/selectors/lists/conversation-properties.ts';
import {rowTitle, topicDisplay, userName} from '#state/selectors/names/names.ts';
import {unreadCountIn} from '#state/selectors/timeline.ts';
import {mentionCounts} from '#state/selectors/unreads/unread-counts.ts';
import {bannerSpans, connectionSpans, failedCount, isGuessing} from './connection-text.ts';

export function headerLines(frame: Frame, _rect: Rect): readonly PaneLine[] {
  return [headerLine(frame)];
}

/** Where one is comes first: sending to the wrong place costs most. At the right, what one should know at any time. */
const headerLine = memoByFrame(
  (frame) => {
    const {account, screen, looks, facts, minute} = frame;
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
      waiting(frame),
      screen.view,
      screen.size,
      screen.panes,
      screen.focus,
      screen.outage,
      placeInFeed(frame),
      selectedCount(frame),
      looks,
      facts,
      minute,
    ];
  },
  (frame): PaneLine => {
    const {columns} = frame.screen.size;
    const banner = bannerSpans(frame);
    if (banner !== undefined) return row(banner, columns, uiGlyphs(frame.looks).ellipsis);
    const left = leftSpans(frame);
    const right = fitting(
      rightParts(frame),
      gapOf(frame),
      columns - Math.min(spansColumns(left), leastLeft(columns)) - 2,
    );
    return joined(left, right, columns, {
      ellipsis: uiGlyphs(frame.looks).ellipsis,
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
  if (!isWide && frame.facts.accountCount < 2) return size === 's' ? title : [pad, ...title];
  const account = accountLine(frame, isWide);
  return [...account.spans, ...title];
}

function accountLine(frame: Frame, isWide: boolean): UiLine {
  const {account, facts, looks} = frame;
  const {dot, ellipsis} = uiGlyphs(looks);
  const name = facts.accountCount > 1 ? facts.accountName : (account.realm.name ?? facts.accountName);
  const organization: UiSpan = {text: ` ${name}`, role: 'account'};
  if (!isWide) return row([organization, {text: '  ', role: 'text'}], frame.screen.size.columns);
  const {main} = screenLayout(frame);
  const self = account.self.userId > 0 ? ` ${dot} ${userName(account, account.self.userId)}` : '';
  const parts: UiSpan[] = [organization, {text: self, role: 'dim'}];
  if (main.x === 0) return row([...parts, {text: '   ', role: 'text'}], frame.screen.size.columns);
  const isWhole = spansColumns(parts) < main.x;
  return padded(row(isWhole ? parts : [organization], main.x - 1, ellipsis), main.x + 1);
}

/** Where the status line does not say it: what is out of sight and about to be acted on comes before all else. */
function selectedSpans(frame: Frame): readonly UiSpan[] {
  const count = screenLayout(frame).status === undefined ? selectedCount(frame) : 0;
  if (count === 0) return [];
  return [
    {text: `${count} selected`, role: 'marked'},
    {text: ` ${uiGlyphs(frame.looks).dot} `, role: 'dim'},
  ];
}

function titleSpans(frame: Frame, isWide: boolean): readonly UiSpan[] {
  const {account, screen, looks} = frame;
  const text = plainSignText(viewTitle(frame, screen.view), looks);
  const title: UiSpan = {text, role: 'header_title'};
  const place = placeInFeed(frame);
  if (place !== '') return [title, {text: plainSignText(` · ${place}`, looks), role: 'dim'}];
  if (screen.view.kind !== 'inbox' || !isWide) return [title];
  const about = isGuessing(account) ? uiGlyphs(looks).about : '';
  const {conversations, messages} = inboxCounts(frame);
  if (conversations === 0) return [title];
  const {dot} = uiGlyphs(looks);
  const counted = `${about}${numbered(conversations, 'conversation')}, ${about}${numbered(messages, 'message')}`;
  return [title, {text: ` ${dot} ${counted}`, role: 'dim'}];
}

/** Among messages of many conversations: that of the selected one, where an answer would go. */
function placeInFeed(frame: Frame): string {
  const {account, screen} = frame;
  if (screen.view.kind !== 'messages' || screen.size.columns < 60) return '';
  const message = shownConversation(screen) === undefined ? selectedMessage({frame}) : undefined;
  if (message === undefined) return '';
  const conversation = conversationOf(message);
  return conversation.kind === 'topic' && channelOf(screen.view) === conversation.channelId
    ? topicDisplay(account, conversation.topic)
    : rowTitle(account, conversation);
}

function numbered(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function inboxCounts(frame: Frame) {
  const {counts, messages} = waiting(frame);
  return {conversations: counts.all, messages};
}

interface Part {
  readonly spans: readonly UiSpan[];
  /** The least important are left out first. */
  readonly rank: number;
}

const part = (rank: number, text: string, role: UiSpan['role']): Part => ({rank, spans: [{text, role}]});

function rightParts(frame: Frame): readonly Part[] {
  const {account, facts, screen, minute} = frame;
  const {size} = screenLayout(frame);
  const isShort = size === 's';
  const failed = failedCount(account);
  const parts: Part[] = [...viewParts(frame, isShort)];
  if (facts.isExploring) parts.push(part(1, 'EXPLORE', 'banner'));
  if (facts.isReadOnly) parts.push(part(1, 'READ-ONLY', 'banner'));
  if (failed > 0) parts.push(part(1, `${failed} failed`, 'failed'));
  const inbox = waiting(frame).counts.all;
  if (screen.view.kind !== 'inbox' || size === 'm' || isShort) {
    const about = isGuessing(account) ? uiGlyphs(frame.looks).about : '';
    if (inbox > 0) parts.push(part(3, isShort ? `${about}${inbox}` : `inbox ${about}${inbox}`, 'dim'));
  }
  if (facts.accountCount > 1 && !isShort) parts.push(part(5, `${facts.accountCount} accounts`, 'dim'));
  if (!isShort || account.connection.phase !== 'online' || screen.focus === 'connection')
    parts.push({rank: 0, spans: connectionSpans(frame, isShort)});
  if (!isShort) parts.push(part(4, clockText(minute, timeOptionsOf(frame)), 'dim'));
  return parts;
}

/** How one stands with what is shown. */
function viewParts(frame: Frame, isShort: boolean): readonly Part[] {
  const {account, screen} = frame;
  if (screen.view.kind !== 'messages') return [];
  const parts: Part[] = [];
  const conversation = shownConversation(screen);
  if (conversation !== undefined && !isShort) {
    if (isFollowed(account, conversation)) parts.push(part(4, 'following', 'followed'));
    if (isMuted(account, conversation)) parts.push(part(4, 'muted', 'muted'));
  }
  const unread = unreadCountIn(account, screen.view.narrow);
  if (unread === 0) return parts;
  const isMeant = conversation !== undefined && mentionCounts(account).has(conversationKey(conversation));
  const text = `${isMeant ? '@' : ''}${unread}${isShort ? '' : ' unread'}`;
  return [...parts, part(2, text, isMeant ? 'mention_count' : 'unread_count')];
}

/** As many as there is room for, in their order. */
function fitting(parts: readonly Part[], gap: string, room: number): readonly UiSpan[] {
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

function gapOf({screen, looks}: Frame): string {
  return screen.size.columns < 60 ? ` ${uiGlyphs(looks).dot} ` : '  ';
}

/** For the terminal's own title: `(3) #backend › deploy — acme`. */
export function windowTitle(frame: Frame): string {
  const {account, facts, screen} = frame;
  const count = waiting(frame).counts.all;
  const place = account.realm.name ?? facts.accountName;
  return `${count === 0 ? '' : `(${count}) `}${viewTitle(frame, screen.view)} — ${place}`;
}

import {spansColumns} from '#content/styled-text/wrap.ts';
import {clockText} from '#content/time-text.ts';
import {hasServerState} from '#state/initial-state.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {ServerBusyResponse} from '#state/model/connection.ts';
import type {OutboxEntry, OutboxStatus} from '#state/model/outbox.ts';
import {isConversationFollowed, isConversationMuted} from '#state/selectors/lists/conversation-properties.ts';
import {conversationRowTitle, topicDisplayName, userName} from '#state/selectors/names/names.ts';
import {viewUnreads} from '#state/selectors/unreads/unread-counts.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {bannerOfferHint, bannerOfferText, connectionOffer} from '#ui/banner/banner-lines.ts';
import {
  type DisplayOptions,
  type Frame,
  memoByFrame,
  type PaneLine,
  shownConversation,
  viewChannelId,
} from '#ui/core/frame.ts';
import {accountLabel, channelColor, conversationColor, tintedChannelSpans} from '#ui/format/conversation-name.ts';
import {unreadCountSpans} from '#ui/format/unread-count-spans.ts';
import {inboxTotals, organizationTotals} from '#ui/inbox/triage-rows.ts';
import type {Rect} from '#ui/layout/layout.ts';
import {fittedLine, leftRightLine, paddedLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {mainList, selectedCount} from '#ui/list-table.ts';
import {selectedMessage} from '#ui/message-pane/selected-message.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {savedViewTitle} from '#ui/search/sidebar-views.ts';
import {countedNoun, unreadCountText, unreadCountWords} from '#wording/counted-noun.ts';
import {timeOptionsOf} from '#wording/moment-text.ts';
import {plainGlyphText, type UiGlyphs, uiGlyphs} from '#wording/ui-glyphs.ts';

/** The header: the current view first, because sending to the wrong place costs most; status at the right. */
export function headerLine(
  content: HeaderContent,
  {columns}: Pick<Rect, 'columns'>,
  display: DisplayOptions,
): PaneLine {
  const glyphs = uiGlyphs(display);
  const {ellipsis} = glyphs;
  const banner = connectionBannerSpans(content.connection, glyphs);
  if (banner !== undefined) return fittedLine(banner, columns, ellipsis);
  const parts = rightParts(content, glyphs).filter(isSaid(display, glyphs));
  const gap = columns < 60 ? ` ${glyphs.dot} ` : '  ';
  const title = titleSpans(content, display);
  const aligned = [...accountSpans(content, columns, glyphs, true), ...title];
  const trouble = fittingSpans(parts, gap, 0);
  const isAligned = spansColumns(aligned) + spansColumns(trouble) < columns;
  const left = isAligned ? aligned : [...accountSpans(content, columns, glyphs, false), ...title];
  const right = fittingSpans(parts, gap, columns - spansColumns(left) - 2);
  return leftRightLine(left, right, columns, {ellipsis, minLeft: minTitleColumns});
}

/** Returns whether a part is shown: a screen reader would speak counts and the time again and again. */
function isSaid(display: DisplayOptions, {online}: UiGlyphs): (part: HeaderPart) => boolean {
  if (display.glyphs !== 'words') return () => true;
  return ({rank, spans}) => rank < 2 && spans[0]?.text !== online;
}

/** The title keeps this width beside a connection that does not work. */
const minTitleColumns = 16;

function isWide({size}: HeaderContent): boolean {
  return size === 'xl' || size === 'l';
}

/** The account, where there is room, or more than one and no name in the title. If aligned, the title follows above the main pane. */
function accountSpans(
  content: HeaderContent,
  columns: number,
  glyphs: UiGlyphs,
  isAligned: boolean,
): readonly UiSpan[] {
  if (isWide(content) || (content.accountCount > 1 && !content.isOfOne))
    return accountLine(content, columns, glyphs, isWide(content) && isAligned).spans;
  return content.size === 's' ? [] : [{text: ' ', role: 'text'}];
}

function accountLine(
  {accountName, ownName, mainStart}: HeaderContent,
  columns: number,
  {dot, ellipsis}: UiGlyphs,
  isAligned: boolean,
): UiLine {
  const organization: UiSpan = {text: composed` ${accountName}`, role: 'account'};
  if (!isAligned) {
    const line = fittedLine([organization], Math.floor(columns / 3), ellipsis);
    return paddedLine(line, line.width + 2);
  }
  const parts: UiSpan[] = [organization, {text: ownName === '' ? '' : composed` ${dot} ${ownName}`, role: 'dim'}];
  if (mainStart === 0) return fittedLine([...parts, {text: '   ', role: 'text'}], columns);
  const isWhole = spansColumns(parts) < mainStart;
  return paddedLine(fittedLine(isWhole ? parts : [organization], mainStart - 1, ellipsis), mainStart + 1);
}

/** The title of the main pane. The selected rows come first, because actions apply to rows that may be off-screen. */
function titleSpans(content: HeaderContent, display: DisplayOptions): readonly UiSpan[] {
  const {selectedRows, title, color, selectedConversation, isInbox, inbox} = content;
  const glyphs = uiGlyphs(display);
  const separator = ` ${glyphs.dot} `;
  const selected: readonly UiSpan[] = [
    {text: `${selectedRows} selected`, role: 'marked'},
    {text: separator, role: 'dim'},
  ];
  const named: UiSpan = {text: plainGlyphText(title, display), role: 'header_title'};
  const spans = [...(selectedRows === 0 ? [] : selected), ...tintedChannelSpans([named], color, glyphs)];
  if (display.glyphs === 'words') return spans;
  if (selectedConversation !== '')
    return [...spans, {text: plainGlyphText(` · ${selectedConversation}`, display), role: 'dim'}];
  if (!isInbox || !isWide(content) || inbox.conversations === 0) return spans;
  return [...spans, {text: `${separator}${inboxWords(content, glyphs)}`, role: 'dim'}];
}

/** Returns `19 mentions · 197 unread in 35 conversations`. */
function inboxWords({inbox, isApproximate}: HeaderContent, {dot, approximate}: UiGlyphs): string {
  const about = isApproximate ? approximate : '';
  const conversations = countedNoun(inbox.conversations, 'conversation');
  return `${unreadCountWords(inbox, {dot, about})} in ${about}${conversations}`;
}

interface HeaderPart {
  readonly spans: readonly UiSpan[];
  /** The same in fewer columns. */
  readonly brief?: readonly UiSpan[];
  /** Parts with the highest rank are dropped first, so that the title is not cut; those of rank 0 never. */
  readonly rank: number;
}

const part = (rank: number, text: string, role: UiSpan['role']): HeaderPart => ({
  rank,
  spans: [{text, role}],
});

function rightParts(content: HeaderContent, glyphs: UiGlyphs): readonly HeaderPart[] {
  const {inbox, isInbox, failed, accountCount, connection} = content;
  const isShort = content.size === 's';
  const parts: HeaderPart[] = [...viewParts(content, isShort, glyphs)];
  if (content.isExploring) parts.push(part(1, 'EXPLORE', 'banner'));
  if (content.isReadOnly) parts.push(part(1, 'READ-ONLY', 'banner'));
  if (failed > 0) parts.push(part(0, `${failed} failed`, 'failed'));
  if (inbox.conversations > 0 && !(isInbox && isWide(content))) {
    const about = content.isApproximate ? glyphs.approximate : '';
    const name = isInbox || isShort ? '' : 'inbox ';
    const brief = part(3, `${name}${about}${unreadCountText(inbox)}`, 'dim');
    const words = isInbox ? inboxWords(content, glyphs) : `${name}${unreadCountWords(inbox, {dot: glyphs.dot, about})}`;
    parts.push(isShort && !isInbox ? brief : {...part(3, words, 'dim'), brief: brief.spans});
  }
  if (accountCount > 1 && !isShort) parts.push(accountsPart(content, glyphs));
  const {status, outage, isFocused, time, isTimeKnown} = connection;
  const isNeeded = status.phase !== 'online' || outage !== undefined || isFocused;
  if (!isShort || isNeeded) parts.push({rank: isNeeded ? 0 : 1, spans: connectionSpans(connection, isShort, glyphs)});
  if (!isShort && isTimeKnown) parts.push(part(4, clockText(time.now, time), 'dim'));
  return parts;
}

/** Returns what is unread in the other organizations: `beta 3 · club @1 2`; the number of accounts where nothing is. */
function accountsPart({accountCount, organizations}: HeaderContent, {dot}: UiGlyphs): HeaderPart {
  const unread = organizations.filter(({isShown, count}) => !isShown && count > 0);
  const brief = part(5, `${accountCount} accounts`, 'dim');
  if (unread.length === 0) return brief;
  const text = unread.map((each) => composed`${each.name} ${unreadCountText(each)}`).join(` ${dot} `);
  return {...part(5, text, 'dim'), brief: brief.spans};
}

/** The status of the shown conversation: followed, muted, unread. */
function viewParts(
  {isFollowed, isMuted, unreads}: HeaderContent,
  isShort: boolean,
  {dot}: UiGlyphs,
): readonly HeaderPart[] {
  const parts: HeaderPart[] = [];
  if (isFollowed && !isShort) parts.push(part(4, 'following', 'followed'));
  if (isMuted && !isShort) parts.push(part(4, 'muted', 'muted'));
  const marks = unreads === undefined ? [] : unreadCountSpans(unreads);
  const [first] = marks;
  if (unreads === undefined || first === undefined) return parts;
  const words = part(2, unreadCountWords(unreads, {dot}), first.role);
  const brief: readonly UiSpan[] = [...marks, {text: ' unread', role: marks.at(-1)?.role ?? first.role}];
  return [...parts, isShort ? {rank: 2, spans: marks} : {...words, brief}];
}

/** Shortens parts, then drops them, until the rest fits, except those of rank 0; keeps their order. */
function fittingSpans(parts: readonly HeaderPart[], gap: string, room: number): readonly UiSpan[] {
  const shownParts = [...parts];
  const columns = () => shownParts.reduce((sum, {spans}) => sum + spansColumns(spans) + gap.length, 1);
  while (columns() > room) {
    const long = shownParts.filter(({brief}) => brief !== undefined);
    const candidates = long.length > 0 ? long : shownParts;
    const highestRank = Math.max(0, ...candidates.map(({rank}) => rank));
    if (highestRank === 0) break;
    const at = shownParts.findIndex((one) => candidates.includes(one) && one.rank === highestRank);
    const {rank, brief} = shownParts[at] ?? {rank: 0};
    if (brief === undefined) shownParts.splice(at, 1);
    else shownParts[at] = {rank, spans: brief};
  }
  if (shownParts.length === 0) return [];
  const spans = shownParts.flatMap(({spans: shown}, at): readonly UiSpan[] =>
    at === 0 ? shown : [{text: gap, role: 'dim'}, ...shown],
  );
  return [...spans, {text: ' ', role: 'text'}];
}

type OfflineStatus = Extract<ConnectionContent['status'], {phase: 'offline'}>;

/**
 * Returns the banner for being signed out or refused; undefined otherwise. The keys come first, so that truncation
 * spares them.
 */
function connectionBannerSpans(
  {status, isFocused, offer, keyHint}: ConnectionContent,
  {bar, dot}: UiGlyphs,
): readonly UiSpan[] | undefined {
  if (status.phase !== 'signedOut' && status.phase !== 'refused') return undefined;
  const isSignedOut = status.phase === 'signedOut';
  const savedNote = isSignedOut ? ' What you wrote is saved.' : '';
  const help = isSignedOut && offer !== 'logIn' ? keyHelp(status) : '';
  const what = isSignedOut ? 'Signed out' : 'Not connected';
  const text = `${isFocused ? bar : ' '}${what}${keyHint} ${dot} ${status.problem}${help}${savedNote}`;
  return [{text, role: 'banner'}];
}

/** A new key does not help a deactivated account or organization. */
function keyHelp({isDeactivated}: {readonly isDeactivated?: boolean}): string {
  return isDeactivated === true ? ' Parley keeps trying.' : ' “parley login” gets a new key.';
}

/** The connection status; while online, a single glyph. When focused, it begins with a bar, which needs no colour. */
function connectionSpans(content: ConnectionContent, isShort: boolean, glyphs: UiGlyphs): readonly UiSpan[] {
  const {status, outage, isFocused, time} = content;
  const bar = isFocused ? glyphs.bar : '';
  const silentFor = outage?.silentFor;
  if (silentFor !== undefined && status.phase !== 'offline')
    return [{text: `${bar}${glyphs.waiting} no answer for ${secondsText(silentFor)}`, role: 'warning'}];
  switch (status.phase) {
    case 'online':
      return [{text: `${bar}${glyphs.online}`, role: 'online'}];
    case 'starting':
      return status.savedAt === undefined
        ? [{text: `${glyphs.waiting} connecting`, role: 'dim'}]
        : [{text: `cached ${clockText(status.savedAt, time)}`, role: 'dim'}];
    case 'offline':
      return outageSpans(content, status, isShort, glyphs);
    default:
      return [{text: glyphs.offline, role: 'offline'}];
  }
}

/** When focused, it shows in full when the next retry is, and how to retry now. */
function outageSpans(
  content: ConnectionContent,
  status: OfflineStatus,
  isShort: boolean,
  glyphs: UiGlyphs,
): readonly UiSpan[] {
  const text = outageText(content, status, isShort, glyphs);
  if (!content.isFocused) return [{text, role: 'warning'}];
  const before = isShort ? '' : `${text} ${glyphs.dot} `;
  return [{text: `${glyphs.bar}${before}${bannerOfferText('retry')}`, role: 'warning', bold: true}];
}

function outageText(content: ConnectionContent, status: OfflineStatus, isShort: boolean, glyphs: UiGlyphs): string {
  const {isFresh = false, retryIn} = content.outage ?? {};
  const {waiting, dot} = glyphs;
  const when = retryIn === undefined ? '' : ` in ${secondsText(retryIn)}`;
  if (status.answered !== undefined) {
    const [text, short] = responseTexts[status.answered];
    return isShort ? `${waiting} ${short}${when}` : `${waiting} ${text}, retrying${when}`;
  }
  if (isFresh) return isShort && when !== '' ? `${waiting} again${when}` : `${waiting} reconnecting${when}`;
  const since = offlineText(content, status.since, isShort, dot);
  if (!content.isFocused) return since;
  return `${since} ${dot} ${when === '' ? 'trying' : `again${when}`}`;
}

/** What arrived instead of the expected response, in full and short. */
const responseTexts: Readonly<Record<ServerBusyResponse, readonly [string, string]>> = {
  busy: ['server busy', 'busy'],
  wait: ['server busy', 'busy'],
  webPage: ['got a web page, not Zulip', 'web page'],
  unreadable: ['unreadable response', 'unreadable'],
};

/** Long waits are shown in minutes. */
function secondsText(seconds: number): string {
  return seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

function offlineText(
  {waiting, time, isTimeKnown}: ConnectionContent,
  since: number,
  isShort: boolean,
  dot: string,
): string {
  if (isShort || !isTimeKnown) return waiting === 0 ? 'offline' : `offline ${dot} ${waiting} waiting`;
  const sentLater = `${waiting} message${waiting === 1 ? '' : 's'} waiting`;
  const at = `offline since ${clockText(since, time)}`;
  return waiting === 0 ? at : `${at} ${dot} ${sentLater}`;
}

/** What the header says, without how much of it fits. */
type HeaderContent = ReturnType<typeof headerContent>;

export function headerContent(frame: Frame) {
  const {account, screen, info} = frame;
  const {view} = screen;
  const {size, main, status} = screenLayout(frame);
  const conversation = shownConversation(screen);
  const accountName = accountLabel(account, info);
  // A list of all organizations is about none of them; a conversation follows the name of the account.
  const isOfOne = frame.organizations !== undefined && conversation === undefined && mainList(view)?.isMerged !== true;
  return {
    size,
    /** The column where the main pane begins. */
    mainStart: main.x,
    accountName,
    ownName: account.self.userId > 0 ? userName(account, account.self.userId) : '',
    accountCount: info.accountCount,
    isExploring: info.isExploring,
    isReadOnly: info.isReadOnly,
    isInbox: view.kind === 'inbox',
    title: savedViewTitle(frame, view, isOfOne ? accountName : undefined),
    /** Whether the title names the account. */
    isOfOne,
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
export const windowTitle = memoByFrame(
  ({account, info, minute, organizations, screen}) => [
    account,
    info,
    minute,
    organizations,
    screen.view,
    screen.size,
    screen.inbox,
    screen.lists.inbox,
    screen.localViews,
    screen.sidebarOrder,
  ],
  (frame): string => {
    const {account, info, screen} = frame;
    const inbox = inboxCounts(frame);
    const counts = organizationCounts(frame).flatMap((each) =>
      each.count === 0 ? [] : composed`${each.name} ${unreadCountText(each)}`,
    );
    const organization = account.realm.name ?? info.accountName;
    const unread = counts.length === 0 ? unreadCountText(inbox) : counts.join(' · ');
    return composed`${inbox.count === 0 ? '' : composed`(${unread}) `}${savedViewTitle(frame, screen.view)} — ${organization}`;
  },
);

/** What the header says about the connection. */
type ConnectionContent = ReturnType<typeof connectionContent>;

function connectionContent(frame: Frame) {
  const {account, screen} = frame;
  const offer = connectionOffer(frame);
  return {
    status: account.connection,
    outage: screen.outage,
    /** Whether keys apply to it. */
    isFocused: screen.focus === 'connection',
    offer,
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

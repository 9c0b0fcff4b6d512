import {textColumns} from '#content/styled-text/text-width.ts';
import {prefixLine, spansColumns} from '#content/styled-text/wrap.ts';
import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import {conversationNarrow, narrowKey} from '#state/model/narrow.ts';
import {emptyTimeline, type Timeline} from '#state/model/timeline.ts';
import {typingText} from '#state/selectors/people/people.ts';
import {timelineOf} from '#state/selectors/timeline.ts';
import {memoByObject} from '#std/memo.ts';
import type {SortedSet} from '#std/sorted-map.ts';
import type {App} from '#ui/core/app.ts';
import type {DisplayOptions, Frame} from '#ui/core/frame.ts';
import {
  conversationColor,
  conversationNameSpans,
  conversationNameText,
  tintedChannelSpans,
} from '#ui/format/conversation-name.ts';
import {countedNoun, unreadCountText, unreadCountWords} from '#ui/format/counted-noun.ts';
import {plainGlyphText, ruleGlyph, type UiGlyphs, uiGlyphs} from '#ui/format/ui-glyphs.ts';
import {inboxLayout, type Rect, triageLayout} from '#ui/layout/layout.ts';
import {screenLayout} from '#ui/layout/screen-layout.ts';
import {blankLine, fittedLine, leftRightLine, rule, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {rowSymbolSpans} from '#ui/lists/navigation-row.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import type {ShownTimeline} from '#ui/message-pane/shown-timeline.ts';
import {previewTimeline} from '#ui/message-pane/shown-timeline.ts';
import {bottomEdge, type TimelineRows, topEdge} from '#ui/message-pane/timeline-rows.ts';
import type {TopLine} from '#ui/message-pane/timeline-state.ts';
import {type LinePosition, movedByLines} from '#ui/message-pane/timeline-window.ts';
import type {PreviewPosition, ViewedLines} from './inbox-state.ts';
import {inboxHints, keyHintLines, triageProgressText} from './inbox-summary.ts';
import {
  isTriageItem,
  removalLabels,
  type TriageItem,
  type TriageRow,
  type TriageTitle,
  triageLine,
} from './triage-row.ts';
import {triageRows} from './triage-rows.ts';

/** Returns the row under the cursor, when it is a conversation. */
export function triageItemUnderCursor(frame: Frame): TriageItem | undefined {
  const row = cursorRow(frame, 'inbox');
  return isTriageItem(row) ? row : undefined;
}

/** Returns the place of the preview on the screen; undefined when there is no room for it. */
export function previewRect(frame: Frame): Rect | undefined {
  const {main} = screenLayout(frame);
  return frame.screen.view.kind === 'triage' ? triageLayout(main).preview : inboxLayout(frame, main).preview;
}

/**
 * Returns the messages of a conversation, from a little before the first unread one, or from where the user
 * scrolled to.
 */
function shownInboxPreview(
  frame: Frame,
  {key, conversation}: {readonly key: ConversationKey; readonly conversation: Conversation},
  rect: Pick<Rect, 'columns' | 'rows'>,
): ShownTimeline {
  const {account, screen} = frame;
  const ids = account.unreads.conversations.get(key)?.ids;
  const {preview} = screen.inbox;
  return previewTimeline(withCachedTimeline(frame, key, conversation), {
    narrow: conversationNarrow(conversation),
    rect,
    top: preview?.key === key ? preview.top : undefined,
    firstUnread: ids?.first(),
    unreadCount: ids?.size ?? 0,
  });
}

/** Returns a frame with the cached messages of a conversation as its timeline, until the conversation is fetched. */
function withCachedTimeline(frame: Frame, key: ConversationKey, conversation: Conversation): Frame {
  const {account} = frame;
  const narrow = conversationNarrow(conversation);
  const fetched = timelineOf(account, narrow);
  const ids = account.messages.byConversation.get(key);
  const isFetched = fetched !== undefined && (fetched.ids.size > 0 || fetched.hasNewest);
  if (isFetched || ids === undefined) return frame;
  const timeline = timelineOfCached(ids, conversation, fetched, account.connection.phase === 'online');
  return {...frame, account: {...account, timelines: account.timelines.with(narrowKey(narrow), timeline)}};
}

/** Returns a timeline of cached messages. There may be gaps, so it has no ends: it must not count as complete. */
const timelineOfCached = memoByObject(
  (ids: SortedSet<number>, conversation: Conversation, fetched: Timeline | undefined, isOnline: boolean): Timeline => {
    const problem = fetched?.loading === undefined ? fetched?.problem : undefined;
    const loading = isOnline && problem === undefined ? 'newer' : undefined;
    return {...emptyTimeline(conversationNarrow(conversation)), ids, loading, problem};
  },
);

/** The row under the cursor with its preview. */
export interface CursorPreview {
  readonly row: TriageItem;
  readonly shown: ShownTimeline;
  /** Whether the last line of the pane is for typing indicators and the number of further messages. */
  readonly hasNotice: boolean;
}

/** A lower pane has no notice line: every line is for messages. */
const noticeMinRows = 4;

/** Returns the preview of the row under the cursor, one line shorter where a notice is shown below it. */
export function cursorPreview(frame: Frame, rect: Pick<Rect, 'columns' | 'rows'>): CursorPreview | undefined {
  const row = triageItemUnderCursor(frame);
  if (row === undefined) return undefined;
  const shown = shownInboxPreview(frame, row, rect);
  const hasNoTyping = typingText(frame.account, row.conversation) === '';
  if (rect.rows < noticeMinRows || (hasNoTyping && (isAtConversationEnd(shown) || shown.window === undefined))) {
    return {row, shown, hasNotice: false};
  }
  const {columns, rows} = rect;
  return {row, shown: shownInboxPreview(frame, row, {columns, rows: rows - 1}), hasNotice: true};
}

/** Selects the messages of the row under the cursor. The first frame has none: it must not wait for them. */
export function previewedMessages(frame: Frame, rect: Rect): ShownTimeline | undefined {
  return frame.screen.isFirstFrame ? undefined : cursorPreview(frame, rect)?.shown;
}

/** Returns the preview of the row under the cursor as it is on the screen. */
export function previewUnderCursor(frame: Frame): CursorPreview | undefined {
  const rect = previewRect(frame);
  return rect && cursorPreview(frame, rect);
}

/** Whether the painted preview is that of the row under the cursor, at the current scroll position. */
export function isPreviewPainted({frame, frames}: App): boolean {
  const {paintedFrame} = frames;
  return (
    !paintedFrame.screen.isFirstFrame &&
    paintedFrame.screen.size === frame.screen.size &&
    paintedFrame.screen.view === frame.screen.view &&
    paintedFrame.screen.inbox.preview === frame.screen.inbox.preview &&
    triageItemUnderCursor(paintedFrame)?.key === triageItemUnderCursor(frame)?.key
  );
}

/** Whether the end of the conversation is on screen. */
export function isAtConversationEnd({window, timeline}: ShownTimeline): boolean {
  return window?.isAtEnd === true && timeline?.hasNewest === true;
}

/** Scrolls by a page; two lines overlap. */
export function pageInboxPreview(app: App, step: 1 | -1): void {
  scrollInboxPreview(app, (height) => step * Math.max(1, height - 2));
}

/** Scrolls by lines and fetches what is not loaded yet. At the end nothing moves. */
export function scrollInboxPreview(app: App, by: (height: number) => number): void {
  const now = previewUnderCursor(app.frame);
  const window = now?.shown.window;
  const rows = now?.shown.rows;
  if (now === undefined || window === undefined || rows === undefined) return;
  const lines = by(now.shown.height);
  const isAtBottom = lines > 0 && window.isAtEnd;
  const top = isAtBottom ? undefined : topLine(rows, movedByLines(rows, window.start, lines));
  if (top !== undefined) setPreviewPosition(app, {key: now.row.key, top, viewed: viewedSoFar(app)});
  else freezeInboxOrder(app);
  fetchMore(app, lines);
}

/** Returns the lines viewed so far, including those on screen. */
export function viewedSoFar(app: App): ViewedLines {
  const {paintedFrame} = app.frames;
  const {preview} = app.screen.inbox;
  const painted = previewUnderCursor(paintedFrame);
  const before = preview?.key === painted?.row.key ? preview?.viewed : undefined;
  return painted !== undefined && isPreviewPainted(app)
    ? withViewedLines(before, painted.shown)
    : (before ?? noViewedLines);
}

export function setPreviewPosition(app: App, preview: PreviewPosition): void {
  app.update((screen) => ({...screen, inbox: {...screen.inbox, preview}}));
}

/** Fetches more when the end of the loaded messages is on screen, or would be after the next page. */
function fetchMore(app: App, lines: number): void {
  const now = previewUnderCursor(app.frame);
  if (now === undefined) return;
  const {window, timeline, rows, height} = now.shown;
  if (window === undefined || rows === undefined) return;
  const isNearEnd = window.isAtEnd || movedByLines(rows, window.start, 2 * height).key === bottomEdge;
  const narrow = conversationNarrow(now.row.conversation);
  const {timelines} = app.session;
  if (lines > 0 && isNearEnd && timeline?.hasNewest === false) {
    fetchNextPage(app, now.row.conversation);
  }
  if (lines < 0 && window.isAtStart && timeline?.hasOldest === false) {
    timelines.loadOlder(narrow).catch(() => {});
  }
}

/** Fetches the page after the loaded messages; the first one when there are none. */
export function fetchNextPage(app: App, conversation: Conversation): void {
  const narrow = conversationNarrow(conversation);
  const {timelines} = app.session;
  const isLoaded = (timelineOf(app.state, narrow)?.ids.size ?? 0) > 0;
  const fetch: Promise<unknown> = isLoaded ? timelines.loadNewer(narrow) : timelines.open(narrow, 'firstUnread');
  fetch.catch(() => {});
}

/** Returns the top line relative to a message, so that messages loaded around it move nothing. */
function topLine(rows: TimelineRows, {key, line}: LinePosition): TopLine | undefined {
  const id = key === topEdge ? rows.first() : key === bottomEdge ? rows.last() : key;
  if (id === undefined) return undefined;
  const {lines, lead} = rows.block(id);
  if (key === topEdge) return {id, skippedLines: line - rows.block(topEdge).lines.length - lead};
  return {id, skippedLines: key === bottomEdge ? lines.length - lead - 1 : line - lead};
}

const noViewedLines: ViewedLines = {columns: 0, lines: new Map()};

/** The line count of a message that was viewed completely. */
const allLines = Number.POSITIVE_INFINITY;

/**
 * Returns the lines viewed before and those on screen now. For messages laid out at another width, only
 * completely viewed ones still count.
 */
function withViewedLines(before: ViewedLines | undefined, {window, rows, typeset}: ShownTimeline): ViewedLines {
  const {columns} = typeset.measures;
  const stillValid = [...(before?.lines ?? [])].filter(
    ([, viewed]) => before?.columns === columns || viewed === allLines,
  );
  const lines = new Map(stillValid);
  if (window === undefined || rows === undefined) return {columns, lines};
  for (const {key, first, last, isCutAbove, isCutBelow} of window.rows) {
    const from = isCutAbove ? window.start.line - rows.block(key).lead : 0;
    const viewed = lines.get(key) ?? 0;
    if (from > viewed) continue;
    lines.set(key, isCutBelow ? Math.max(viewed, from + last - first + 1) : allLines);
  }
  return {columns, lines};
}

/** Returns the first of these messages that was not viewed completely. */
export function firstUnviewedMessage({lines}: ViewedLines, ids: Iterable<number>): number | undefined {
  for (const id of ids) if (lines.get(id) !== allLines) return id;
  return undefined;
}

/** Returns how many lines of a message were viewed. */
export function viewedLineCount({lines}: ViewedLines, id: number): number {
  return lines.get(id) ?? 0;
}

/** Freezes the order of the rows: the user has started, even if only to read. */
export function freezeInboxOrder(app: App): void {
  app.update((now) => (now.inbox.isOrderFrozen ? now : {...now, inbox: {...now.inbox, isOrderFrozen: true}}));
}

/** Where a preview is: beside the list, below it, or without it (triage). */
export type PreviewPlace = 'beside' | 'below' | 'alone';

/** What the heading of a preview is made of. `progress`: empty beside or below the list, whose tabs show it. */
type PreviewTitle = NonNullable<ReturnType<typeof previewTitle>>;

/** Selects the heading of the conversation under the cursor. */
export function previewTitle(frame: Frame) {
  const {account, screen, display} = frame;
  const item = triageItemUnderCursor(frame);
  if (item === undefined) return undefined;
  const progress = screen.view.kind === 'triage' ? triageProgressText(frame) : '';
  return {item, color: conversationColor(account, item.conversation), progress, glyphs: display.glyphs};
}

/** A part of a heading; the part with the highest rank is left out first. */
interface HeadingPart {
  readonly text: string;
  /** The same in fewer columns. */
  readonly brief?: string;
  readonly rank: number;
}

/** Returns the state of a conversation: `Dan, Bo · following · 4 unread · latest 2h`. */
function stateParts({item, progress, glyphs}: PreviewTitle): readonly HeadingPart[] {
  const unread = {text: unreadCountWords(item, uiGlyphs({glyphs})), brief: `${unreadCountText(item)} unread`};
  const parts: readonly HeadingPart[] = [
    {text: item.people, rank: 5},
    {text: item.isFollowed ? 'following' : '', rank: 4},
    {text: item.isMuted ? 'muted' : '', rank: 2},
    {...(item.removalReason === undefined ? unread : {text: removalLabels[item.removalReason]}), rank: 0},
    {text: item.age === '' ? '' : `latest ${item.age}`, rank: 3},
    {text: progress, rank: 1},
  ];
  return parts.filter(({text}) => text !== '');
}

/** Returns as many parts as fit beside the title. */
function fittingText(parts: readonly HeadingPart[], room: number, {dot}: UiGlyphs): string {
  const shown = [...parts];
  const text = () => shown.map((word) => word.text).join(` ${dot} `);
  const shortened = () => shown.findIndex(({brief}) => brief !== undefined);
  if (textColumns(text()) > room && shortened() >= 0) {
    const {brief = '', rank = 0} = shown[shortened()] ?? {};
    shown[shortened()] = {text: brief, rank};
  }
  while (shown.length > 1 && textColumns(text()) > room) {
    const lowest = shown.reduce((worst, one) => (one.rank > worst.rank ? one : worst));
    shown.splice(shown.indexOf(lowest), 1);
  }
  return text();
}

/** The title is never cut below this width for other parts. */
const minTitleColumns = 24;

function headingOf(shown: PreviewTitle, columns: number) {
  const {item, color} = shown;
  const glyphs = uiGlyphs(shown);
  const symbols = rowSymbolSpans({...item, isFollowed: false}, glyphs);
  const label: UiSpan = {text: conversationNameText(item.label, glyphs), role: 'topic', bold: true};
  const wanted = fittedLine([label], columns).width + spansColumns(symbols);
  const isNarrow = columns < 2 * minTitleColumns;
  const titleRoom = isNarrow ? Math.min(wanted, minTitleColumns) : wanted;
  const details = fittingText(stateParts(shown), columns - titleRoom - 2, glyphs);
  const left = columns - textColumns(details) - 2 - spansColumns(symbols);
  const name = tintedChannelSpans(conversationNameSpans([label], Math.max(1, left), glyphs), color, glyphs);
  return {title: [...name, ...symbols], details};
}

/** Returns the heading for a screen reader, without the age, which changes while it is read. */
function spokenHeading(shown: PreviewTitle, columns: number): UiLine {
  const glyphs = uiGlyphs(shown);
  const states = stateParts({...shown, item: {...shown.item, age: ''}}).map(({text}) => text.replace(' - ', ', '));
  const text = [conversationNameText(shown.item.label, glyphs), ...states].join(', ');
  return fittedLine([{text, role: 'topic'}], columns, glyphs.ellipsis);
}

/** The columns of a heading that are not for its texts: margins, or the ends of the rule. */
const edgeColumns: Readonly<Record<PreviewPlace, number>> = {beside: 1, alone: 2, below: 4};

/** Returns the heading of a preview; below the list it is the rule between both. */
export function previewHeading(shown: PreviewTitle, place: PreviewPlace, columns: number): UiLine {
  if (shown.glyphs === 'words') return spokenHeading(shown, columns);
  const {title, details} = headingOf(shown, columns - edgeColumns[place]);
  return headingLine(title, details, shown, place, columns);
}

function headingLine(
  title: readonly UiSpan[],
  details: string,
  display: Pick<DisplayOptions, 'glyphs'>,
  place: PreviewPlace,
  columns: number,
): UiLine {
  const {ellipsis} = uiGlyphs(display);
  if (place === 'below') {
    const label: UiSpan[] = [...title, {text: `  ${details}`, role: 'dim'}];
    return rule(columns, {label, glyph: ruleGlyph(display), ellipsis});
  }
  const margin: UiSpan = {text: place === 'alone' ? ' ' : '', role: 'text'};
  return leftRightLine([margin, ...title], [{text: `${details} `, role: 'dim'}], columns, {ellipsis});
}

/** The texts below the messages of a preview; empty ones for nothing. */
type PreviewNotice = NonNullable<ReturnType<typeof previewNotice>>;

/** Selects who is typing and how many messages are to come; undefined where the messages take all rows. */
export function previewNotice(frame: Frame, rect: Pick<Rect, 'columns' | 'rows'>) {
  const preview = cursorPreview(frame, rect);
  if (frame.screen.isFirstFrame || preview?.hasNotice !== true || frame.display.glyphs === 'words') return undefined;
  const {account, display} = frame;
  const typing = typingText(account, preview.row.conversation);
  // The key works only in the focused pane.
  const key = frame.screen.focus === 'other' ? '' : ' · Space';
  return {typing, more: moreText(frame, preview), key, glyphs: display.glyphs};
}

/** Returns the number of unread messages below, `7 more`; `more` for messages that are read. */
function moreText({account}: Frame, {row, shown}: CursorPreview): string {
  const {window} = shown;
  if (window === undefined || isAtConversationEnd(shown)) return '';
  const last = window.rows.at(-1)?.key;
  if (typeof last !== 'number') return 'more';
  const ids = account.unreads.conversations.get(row.key)?.ids;
  const count = ids === undefined ? 0 : [...ids.from(last + 1)].length;
  return count === 0 ? 'more' : `${count} more`;
}

export function noticeLine({typing, more, key, glyphs}: PreviewNotice, columns: number): UiLine {
  const arrow = {unicode: '↓ ', ascii: 'v ', words: ''}[glyphs];
  return leftRightLine(
    [{text: typing === '' ? '' : ` ${typing}`, role: 'typing'}],
    more === '' ? [] : [{text: plainGlyphText(`${arrow}${more}${key} `, {glyphs}), role: 'hint'}],
    columns,
  );
}

/** Returns the title of the folded group under the cursor. */
export function foldedGroup(frame: Frame): TriageTitle | undefined {
  const at = cursorRow(frame, 'inbox');
  if (at?.kind !== 'title') return undefined;
  return triageRows(frame).find((one): one is TriageTitle => one.kind === 'title' && one.key === at.key);
}

/** What the preview of a folded group is made of. */
export type ShownGroup = NonNullable<ReturnType<typeof shownGroup>>;

/**
 * Selects the folded group under the cursor: its conversations, and the keys that unfold it or mark it read, so that the user
 * sees what these keys act on.
 */
export function shownGroup(frame: Frame) {
  const group = foldedGroup(frame);
  if (group === undefined) return undefined;
  const isIn = (one: TriageRow): one is TriageItem => one.kind === 'item' && one.inboxGroup === group.inboxGroup;
  const items = triageRows(frame).filter(isIn);
  return {title: group.label, items, hints: inboxHints(frame, maxKeys), glyphs: frame.display.glyphs};
}

const maxKeys = 3;

/** Returns `5 conversations, 61 messages`. */
function countsText(items: readonly TriageItem[]): string {
  const messages = items.reduce((sum, {count}) => sum + count, 0);
  return `${countedNoun(items.length, 'conversation')}, ${countedNoun(messages, 'message')}`;
}

/** Returns the heading of the preview, with the number of conversations and messages. */
export function groupHeading(group: ShownGroup, place: PreviewPlace, columns: number): UiLine {
  const name: UiSpan = {text: group.title, role: 'topic', bold: true};
  return headingLine([name], countsText(group.items), group, place, columns);
}

/** Returns the conversations of a group, and the keys for it. */
export function groupLines(group: ShownGroup, {columns, rows}: Pick<Rect, 'columns' | 'rows'>): readonly UiLine[] {
  const {items, hints} = group;
  const glyphs = uiGlyphs(group);
  const keys = [blankLine, ...keyHintLines(hints, glyphs, columns)];
  const rowCount = Math.max(1, rows - keys.length);
  const shown = items.length <= rowCount ? items : items.slice(0, Math.max(0, rowCount - 1));
  const labels = shown.map(({label}) => conversationNameText(label, glyphs));
  const lines = shown.map((item, at) =>
    prefixLine(
      triageLine(item, {
        columns: columns - 1,
        glyphs,
        isFocused: false,
        isFolded: false,
        isTop: true,
        neighbours: [labels[at - 1], labels[at + 1]].flatMap((label) => label ?? []),
        label: (role) => [{text: labels[at] ?? '', role}],
      }),
      [{text: ' ', role: 'text'}],
    ),
  );
  const hiddenCount = items.length - shown.length;
  const rest = fittedLine([{text: `      and ${hiddenCount} more`, role: 'dim'}], columns, glyphs.ellipsis);
  return [...lines, ...(hiddenCount === 0 ? [] : [rest]), ...keys].slice(0, rows);
}

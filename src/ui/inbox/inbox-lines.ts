import {prefixLine} from '#content/styled-text/wrap.ts';
import {memoizeLast} from '#std/memo.ts';
import type {SortedSet} from '#std/sorted-map.ts';
import type {DisplayOptions, Frame} from '#ui/core/frame.ts';
import {memoByFrame} from '#ui/core/memo-by-frame.ts';
import type {PaneLine} from '#ui/core/pane-line.ts';
import {conversationColor} from '#ui/format/channel-color.ts';
import type {Rect} from '#ui/layout/layout.ts';
import {blankLine, paddedLine, rule, type UiLine} from '#ui/layout/ui-line.ts';
import {listLines, shownList} from '#ui/lists/list-lines.ts';
import {splitTabs} from '#ui/lists/split-tabs.ts';
import type {ShownTimeline} from '#ui/message-pane/shown-timeline.ts';
import {foldedGroup, groupLines} from './group-lines.ts';
import {inboxLayout} from './inbox-layout.ts';
import {isAtConversationEnd, previewWithNotice, triageItemUnderCursor} from './inbox-preview.ts';
import {inboxSummaryLines} from './inbox-summary.ts';
import {isInboxEmpty} from './is-inbox-empty.ts';
import {previewHeading, previewNotice, previewRule} from './preview-heading.ts';
import type {TriageItem} from './triage-row.ts';
import {inboxContents, inboxOrder} from './triage-rows.ts';

/** Returns the lines of the inbox: the list, and beside or below it the conversation under the cursor. */
export function inboxLines(frame: Frame, pane: Rect): readonly PaneLine[] {
  const parts = inboxLayout(frame, pane);
  const isEmpty = isInboxEmpty(frame);
  const dividerAt = isEmpty || parts.divider === undefined ? undefined : parts.divider.x - pane.x;
  const head = [
    inboxTabsLine(frame, pane.columns),
    ...(parts.rule === undefined ? [] : [ruleLine(frame.display.glyphs, pane.columns, dividerAt)]),
  ];
  if (isEmpty) return [...head, ...inboxSummaryLines(frame, pane.columns)].slice(0, pane.rows);
  const list = listLines(shownList(frame, 'inbox', parts.list));
  if (parts.heading === undefined || parts.preview === undefined) {
    return [...head, ...list].slice(0, pane.rows);
  }
  const shown = previewWithHeading(frame, parts.preview, parts.divider !== undefined);
  if (parts.divider === undefined) {
    return [...head, ...paddedToRows(list, parts.list.rows), ...shown].slice(0, pane.rows);
  }
  const divider = frame.display.glyphs === 'ascii' ? '| ' : '│ ';
  const body = Array.from({length: parts.list.rows}, (_, at) =>
    sideBySide(list[at] ?? blankLine, shown[at] ?? blankLine, parts.list.columns, divider),
  );
  return [...head, ...body].slice(0, pane.rows);
}

/**
 * Returns a heading, and below it the messages of the conversation under the cursor or the rows of the folded group.
 */
function previewWithHeading(frame: Frame, rect: Rect, isBeside: boolean): readonly PaneLine[] {
  const {columns} = rect;
  const item = triageItemUnderCursor(frame);
  if (item !== undefined) {
    const color = conversationColor(frame.account, item.conversation);
    const heading = (isBeside ? previewHeading : previewRule)(frame.display.glyphs, item, color, columns);
    return [heading, ...inboxPreviewLines(frame, item, rect)];
  }
  const group = foldedGroup(frame);
  if (group === undefined) return [];
  return groupLines(frame, group, rect, isBeside ? 'beside' : 'below');
}

/** Returns the messages of a conversation, and below them the notice line. */
export function inboxPreviewLines(frame: Frame, item: TriageItem, rect: Rect): readonly PaneLine[] {
  if (frame.screen.isFirstFrame) return [];
  const {shown, hasNotice} = previewWithNotice(frame, item, rect);
  if (!hasNotice) return shown.lines;
  return [
    ...paddedToRows(shown.lines, rect.rows - 1),
    previewNotice(frame, item, moreText(frame, item, shown), rect.columns),
  ];
}

/** Returns the number of unread messages below, `7 more`; `more` for messages that are read. */
function moreText({account}: Frame, {key}: TriageItem, shown: ShownTimeline): string {
  const {window} = shown;
  if (window === undefined || isAtConversationEnd(shown)) return '';
  const last = window.rows.at(-1)?.key;
  if (typeof last !== 'number') return 'more';
  const ids = account.unreads.conversations.get(key)?.ids;
  const count = ids === undefined ? 0 : countAfter(ids, last);
  return count === 0 ? 'more' : `${count} more`;
}

const cachedCounts = new WeakMap<SortedSet<number>, {readonly id: number; readonly count: number}>();

/** Counts the ids after one. There may be thousands: counted once for each position. */
function countAfter(ids: SortedSet<number>, id: number): number {
  const cached = cachedCounts.get(ids);
  if (cached?.id === id) return cached.count;
  let count = 0;
  for (const _ of ids.from(id + 1)) count += 1;
  cachedCounts.set(ids, {id, count});
  return count;
}

function paddedToRows(lines: readonly PaneLine[], rows: number): readonly PaneLine[] {
  return lines.length >= rows ? lines : [...lines, ...new Array<PaneLine>(rows - lines.length).fill(blankLine)];
}

/** The tabs with their counts, and at the right the progress. */
export const inboxTabsLine = memoByFrame(
  (frame, columns: number) => {
    const {split, topicFilter} = frame.screen.lists.inbox;
    return [inboxContents(frame).counts, split, topicFilter, shownProgress(frame), frame.display.glyphs, columns];
  },
  (frame, columns: number): UiLine => {
    const progress = shownProgress(frame);
    return splitTabs(frame, frame.screen.lists.inbox, columns, {
      counts: {...inboxContents(frame).counts, all: 0},
      followedTabs: ['mentions', 'directs', 'followed'],
      right: progress === '' ? [] : [{text: ` ${progress} `, role: 'dim'}],
    });
  },
);

/** Returns the progress; empty when the summary shows it. */
function shownProgress(frame: Frame): string {
  return isInboxEmpty(frame) ? '' : triageProgressText(frame);
}

/** Returns `triage 5/14`: the number of handled conversations of all that were in this session. */
export function triageProgressText(frame: Frame): string {
  const {size} = inboxOrder(frame);
  const done = size - inboxContents(frame).counts.all;
  return done > 0 && frame.screen.inbox.log.length > 0 ? `triage ${done}/${size}` : '';
}

/** The rule below the tabs; `dividerAt` is where the line between list and preview starts, if there is one. */
const ruleLine = memoizeLast(
  (glyphs: DisplayOptions['glyphs'], columns: number, dividerAt: number | undefined): UiLine => {
    const [glyph, tee] = glyphs === 'ascii' ? ['-', '+'] : ['─', '┬'];
    const whole = rule(columns, {glyph});
    const text = glyph.repeat(columns);
    const cut = dividerAt === undefined ? text : text.slice(0, dividerAt) + tee + text.slice(dividerAt + 1);
    return {...whole, spans: [{text: cut, role: 'separator'}]};
  },
);

const joinedLines = new WeakMap<
  PaneLine,
  WeakMap<PaneLine, {readonly columns: number; readonly divider: string; readonly line: PaneLine}>
>();

/** Returns a line of the list and one of the preview as one line; the same object for the same two. */
function sideBySide(left: PaneLine, right: PaneLine, columns: number, divider: string): PaneLine {
  const cached = joinedLines.get(left)?.get(right);
  if (cached?.columns === columns && cached.divider === divider) return cached.line;
  const start = paddedLine(left, columns);
  const whole = prefixLine(right, [...start.spans, {text: divider, role: 'separator'}]);
  const line = right.hyperlinks === undefined ? whole : {...whole, hyperlinks: right.hyperlinks};
  const others = joinedLines.get(left) ?? new WeakMap();
  joinedLines.set(left, others.set(right, {columns, divider, line}));
  return line;
}

import type {Frame} from '#app/frame.ts';
import type {Rect} from '#app/layout.ts';
import {blank, padded, rule, type UiLine} from '#app/lines.ts';
import {listLines} from '#app/lists/list-pane.ts';
import {splitTabs} from '#app/lists/split-tabs.ts';
import type {PaneLine} from '#app/pane-line.ts';
import {prefixed} from '#content/lines/wrap.ts';
import {previewHeading, previewNotice, previewRule} from './heading.ts';
import {inboxParts} from './inbox-parts.ts';
import {isOver} from './over.ts';
import {isAtEnd, previewOf, triagedRow} from './preview.ts';
import {endLines} from './summary.ts';
import type {TriageItem} from './triage-row.ts';
import {waiting} from './triage-rows.ts';

/** The list of what waits, and beside or below it what the conversation under the cursor says. */
export function inboxLines(frame: Frame, pane: Rect): readonly PaneLine[] {
  const parts = inboxParts(frame, pane);
  const isEnd = isOver(frame);
  const dividerAt = isEnd || parts.divider === undefined ? undefined : parts.divider.x - pane.x;
  const head = [
    tabsLine(frame, pane.columns),
    ...(parts.rule === undefined ? [] : [ruleLine(frame, pane.columns, dividerAt)]),
  ];
  if (isEnd) return [...head, ...endLines(frame, pane.columns)].slice(0, pane.rows);
  const list = listLines(frame, 'inbox', parts.list);
  const item = triagedRow(frame);
  if (parts.heading === undefined || parts.preview === undefined) {
    return [...head, ...list].slice(0, pane.rows);
  }
  if (parts.divider === undefined) {
    const between = item === undefined ? blank : previewRule(frame, item, parts.heading.columns);
    const below = item === undefined ? [] : previewLines(frame, item, parts.preview);
    return [...head, ...filled(list, parts.list.rows), between, ...below].slice(0, pane.rows);
  }
  const right =
    item === undefined
      ? []
      : [previewHeading(frame, item, parts.heading.columns), ...previewLines(frame, item, parts.preview)];
  const divider = frame.looks.glyphs === 'ascii' ? '| ' : '│ ';
  const body = Array.from({length: parts.list.rows}, (_, at) =>
    sideBySide(list[at] ?? blank, right[at] ?? blank, parts.list.columns, divider),
  );
  return [...head, ...body].slice(0, pane.rows);
}

export function previewLines(frame: Frame, item: TriageItem, rect: Rect): readonly PaneLine[] {
  if (frame.screen.isFirst) return [];
  const {shown, hasNotice} = previewOf(frame, item, rect);
  if (!hasNotice) return shown.lines;
  const hasMore = shown.window !== undefined && !isAtEnd(shown);
  return [...filled(shown.lines, rect.rows - 1), previewNotice(frame, item, hasMore, rect.columns)];
}

function filled(lines: readonly PaneLine[], rows: number): readonly PaneLine[] {
  return lines.length >= rows ? lines : [...lines, ...new Array<PaneLine>(rows - lines.length).fill(blank)];
}

const tabs = new WeakMap<object, {readonly key: string; readonly line: UiLine}>();

/** The splits with their counts, and at the right how far one is. The same line while it says the same. */
function tabsLine(frame: Frame, columns: number): UiLine {
  const now = waiting(frame);
  const {inbox: list} = frame.screen.lists;
  const progress = progressText(frame);
  const key = `${columns} ${list.split} ${list.reach} ${progress} ${frame.looks.glyphs}`;
  const known = tabs.get(now);
  if (known?.key === key) return known.line;
  const counts = {...now.counts, all: 0};
  const line = splitTabs(frame, list, counts, columns, [{text: ` ${progress} `, role: 'dim'}]);
  tabs.set(now, {key, line});
  return line;
}

/** `triage 5/14`: so many of those that were there are dealt with. */
export function progressText(frame: Frame): string {
  const {order, acts} = frame.screen.inbox;
  const done = order.size - waiting(frame).counts.all;
  return done > 0 && acts.length > 0 ? `triage ${done}/${order.size}` : '';
}

let keptRule: {readonly key: string; readonly line: UiLine} | undefined;

/** `dividerAt`: where the line between list and preview begins, if there is one. */
function ruleLine({looks}: Frame, columns: number, dividerAt: number | undefined): UiLine {
  const [glyph, tee] = looks.glyphs === 'ascii' ? ['-', '+'] : ['─', '┬'];
  const key = `${columns} ${glyph} ${dividerAt}`;
  if (keptRule?.key !== key) {
    const whole = rule(columns, {glyph});
    const text = glyph.repeat(columns);
    const cut = dividerAt === undefined ? text : text.slice(0, dividerAt) + tee + text.slice(dividerAt + 1);
    keptRule = {key, line: {...whole, spans: [{text: cut, role: 'separator'}]}};
  }
  return keptRule.line;
}

const joinedLines = new WeakMap<
  PaneLine,
  WeakMap<PaneLine, {readonly columns: number; readonly divider: string; readonly line: PaneLine}>
>();

/** One line of the list and one of the preview as one line; the same one for the same two. */
function sideBySide(left: PaneLine, right: PaneLine, columns: number, divider: string): PaneLine {
  const known = joinedLines.get(left)?.get(right);
  if (known?.columns === columns && known.divider === divider) return known.line;
  const start = padded(left, columns);
  const whole = prefixed(right, [...start.spans, {text: divider, role: 'separator'}]);
  const line = right.hyperlinks === undefined ? whole : {...whole, hyperlinks: right.hyperlinks};
  const others = joinedLines.get(left) ?? new WeakMap();
  joinedLines.set(left, others.set(right, {columns, divider, line}));
  return line;
}

import {lineToText} from '#content/styled-text/ansi.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import * as banners from '#ui/banner/banner-lines.ts';
import {completionMenuLines, completionMenuRect} from '#ui/completion-menu/completion-menu.ts';
import * as composer from '#ui/composer/composer-lines.ts';
import type {Frame, PaneLine} from '#ui/core/frame.ts';
import {formContent} from '#ui/forms/form-lines.ts';
import {headerContent, headerLine} from '#ui/header/header-line.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {previewedMessages} from '#ui/inbox/inbox-preview.ts';
import {inboxSummary, isInboxEmpty, ruleLine, summaryLines} from '#ui/inbox/inbox-summary.ts';
import {inboxTabsLine} from '#ui/inbox/inbox-tabs.ts';
import {
  groupHeading,
  groupLines,
  type PreviewPlace,
  previewHeading,
  previewNotice,
  noticeLine as previewNoticeLine,
  previewTitle,
  shownGroup,
} from '#ui/inbox/preview-heading.ts';
import {inboxLayout, type Rect, triageLayout} from '#ui/layout/layout.ts';
import {blankLine} from '#ui/layout/ui-line.ts';
import {listLines, shownList} from '#ui/lists/list-lines.ts';
import type {ListSource} from '#ui/lists/list-source.ts';
import {noMessagesLines} from '#ui/message-pane/lines/edge-lines.ts';
import {mainTimeline, noticeLine, paneNotice, type ShownTimeline} from '#ui/message-pane/shown-timeline.ts';
import {paneHead, paneHeadLine} from '#ui/other-pane/other-pane-frame.ts';
import {cardContent} from '#ui/overlays/card-content.ts';
import {textBox} from '#ui/overlays/overlay-box.ts';
import {pickerBox, pickerContent} from '#ui/overlays/picker-lines.ts';
import * as status from '#ui/status-line/status-line.ts';

/** The lines of parts of the screen, as their components make them. */
export type PartLines = (frame: Frame, rect: Rect) => readonly PaneLine[];

export const headerLines: PartLines = (frame) => [headerLine(headerContent(frame), frame.screen.size, frame.display)];

export const statusLines: PartLines = (frame) => [
  status.statusLine(status.statusContent(frame), frame.screen.size, frame.display),
];

export const paneHeadLines: PartLines = (frame, rect) => [paneHeadLine(paneHead(frame), rect, frame.display)];

export const bannerLines: PartLines = (frame, rect) => {
  const banner = banners.bannerContent(frame);
  return banners.bannerLines(banner, rect, frame.display);
};

/** A part that decides itself where it is. */
export interface PlacedLines {
  readonly rect: Rect;
  readonly lines: readonly PaneLine[];
}

export function keyPanel(frame: Frame): PlacedLines | undefined {
  const shown = status.keyContinuations(frame);
  return shown && status.keyPanel(shown, frame.display);
}

export function completionMenu(frame: Frame): PlacedLines | undefined {
  const rect = completionMenuRect(frame);
  const {menu} = frame.screen.composer;
  return rect && menu && {rect, lines: completionMenuLines(menu, rect, frame.display)};
}

export function overlayPart(frame: Frame): PlacedLines | undefined {
  const picker = pickerContent(frame);
  if (picker !== undefined) return pickerBox(picker, frame.display);
  const box = cardContent(frame) ?? formContent(frame);
  return box && textBox(box, frame.display);
}

/** Returns the lines of the top overlay; none when there is none. */
export function overlayLines(frame: Frame): readonly PaneLine[] {
  return overlayPart(frame)?.lines ?? [];
}

export function toastPanel(frame: Frame): PlacedLines | undefined {
  const toast = status.longToast(frame);
  return toast && status.toastPanel(toast, frame.display);
}

export function listPane(list: ListSource): PartLines {
  return (frame, rect) => listLines(shownList(frame, list, rect));
}

export function messagePaneLines(frame: Frame, rect: Rect): readonly PaneLine[] {
  const shown = mainTimeline(frame, rect);
  const notice = paneNotice(frame, rect);
  if (shown === undefined) return [];
  const lines = timelineLines(shown);
  if (notice === undefined) return lines;
  const blank = new Array<PaneLine>(Math.max(0, shown.height - lines.length)).fill(blankLine);
  return [...lines, ...blank, noticeLine(notice, rect.columns)];
}

function timelineLines({lines, noMessages, typeset, height}: ShownTimeline): readonly PaneLine[] {
  return noMessages === undefined ? lines : noMessagesLines(noMessages, typeset.measures).slice(0, height);
}

export function composerLines(frame: Frame, rect: Rect): readonly PaneLine[] {
  const {columns, rows} = rect;
  if (!composer.isShownOpen(frame.screen)) return composer.closedLines(composer.closedText(frame), rect);
  const {above, below, height} = composer.fitComposerParts(composer.composerParts(frame), rows);
  const body = frame.screen.composer.isPreviewed
    ? composer.previewLines(composer.shownPreview(frame, {rows: height}), {columns})
    : composer.textLines(composer.shownText(frame, height), columns);
  return [...above, ...body, ...below];
}

/** The parts of the inbox or of triage. */
export function inboxParts(frame: Frame, pane: Rect): readonly PlacedLines[] {
  return (frame.screen.view.kind === 'triage' ? triageParts : listParts)(frame, pane);
}

function listParts(frame: Frame, pane: Rect): readonly PlacedLines[] {
  const {tabs, rule, body, list, divider, heading, preview} = inboxLayout(frame, pane);
  const isEmpty = isInboxEmpty(frame);
  const {glyphs} = frame.display;
  const head = [
    {rect: tabs, lines: [inboxTabsLine(frame, tabs)]},
    ...(rule === undefined ? [] : [{rect: rule, lines: [ruleLine(glyphs, rule, isEmpty ? undefined : divider?.x)]}]),
  ];
  if (isEmpty) return [...head, summaryPart(frame, body)];
  const bar: PaneLine = {spans: [{text: glyphs === 'ascii' ? '|' : '│', role: 'separator'}], width: 1};
  return [
    ...head,
    {rect: list, lines: listPane(inboxList)(frame, list)},
    ...(divider === undefined ? [] : [{rect: divider, lines: new Array<PaneLine>(divider.rows).fill(bar)}]),
    ...(preview === undefined ? [] : previewParts(frame, heading, preview, divider ? 'beside' : 'below')),
  ];
}

function triageParts(frame: Frame, pane: Rect): readonly PlacedLines[] {
  if (isInboxEmpty(frame)) return [summaryPart(frame, pane)];
  if (previewTitle(frame) === undefined && shownGroup(frame) === undefined) {
    return [{rect: pane, lines: listPane(inboxList)(frame, pane)}];
  }
  const {heading, rule, preview} = triageLayout(pane);
  const ruleParts = rule === undefined ? [] : [{rect: rule, lines: [ruleLine(frame.display.glyphs, rule, undefined)]}];
  return [...previewParts(frame, heading, preview, 'alone'), ...ruleParts];
}

function summaryPart(frame: Frame, rect: Rect): PlacedLines {
  return {rect, lines: summaryLines(inboxSummary(frame), rect.columns).slice(0, rect.rows)};
}

function previewParts(frame: Frame, head: Rect | undefined, rect: Rect, place: PreviewPlace): readonly PlacedLines[] {
  const {columns} = rect;
  const [group, title, notice] = [shownGroup(frame), previewTitle(frame), previewNotice(frame, rect)];
  const heading = (group && groupHeading(group, place, columns)) ?? (title && previewHeading(title, place, columns));
  const shown = previewedMessages(frame, rect);
  const messages = shown === undefined ? [] : timelineLines(shown);
  const lastRow = {...rect, y: rect.y + rect.rows - 1, rows: 1};
  return [
    ...(head === undefined || heading === undefined ? [] : [{rect: head, lines: [heading]}]),
    {rect, lines: group ? groupLines(group, rect) : messages},
    ...(notice === undefined ? [] : [{rect: lastRow, lines: [previewNoticeLine(notice, columns)]}]),
  ];
}

/** Returns the text of a pane that consists of several parts. */
export function placedText(parts: readonly PlacedLines[], pane: Rect): readonly string[] {
  const text = Array.from({length: pane.rows}, () => '');
  for (const {rect, lines} of parts.toSorted((a, b) => a.rect.x - b.rect.x)) {
    for (const [at, line] of lines.entries()) {
      const y = rect.y - pane.y + at;
      const before = text[y] ?? '';
      const missing = rect.x - pane.x - textColumns(before);
      if (line.width > 0) text[y] = `${before}${' '.repeat(missing)}${lineToText(line)}`;
    }
  }
  const rows = text.map((row) => row.trimEnd());
  return rows.slice(0, rows.findLastIndex((row) => row !== '') + 1);
}

import {memoizeLast} from '#std/memo.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PaneLine} from '#ui/core/pane-line.ts';
import {conversationColor} from '#ui/format/channel-color.ts';
import {foldedGroup, groupLines} from '#ui/inbox/group-lines.ts';
import {triagePreviewRect} from '#ui/inbox/inbox-layout.ts';
import {inboxPreviewLines, triageProgressText} from '#ui/inbox/inbox-lines.ts';
import {triageItemUnderCursor} from '#ui/inbox/inbox-preview.ts';
import {inboxSummaryLines} from '#ui/inbox/inbox-summary.ts';
import {isInboxEmpty} from '#ui/inbox/is-inbox-empty.ts';
import {triageHeading} from '#ui/inbox/preview-heading.ts';
import type {Rect} from '#ui/layout/layout.ts';
import {blankLine, rule} from '#ui/layout/ui-line.ts';
import {listLines, shownList} from '#ui/lists/list-lines.ts';

/** Returns the lines of triage: one conversation at a time in the whole pane. */
export function triageLines(frame: Frame, pane: Rect): readonly PaneLine[] {
  if (isInboxEmpty(frame)) return inboxSummaryLines(frame, pane.columns).slice(0, pane.rows);
  const item = triageItemUnderCursor(frame);
  const group = foldedGroup(frame);
  const rect = triagePreviewRect(pane);
  const edge = ruleLine(pane.columns, frame.display.glyphs === 'ascii' ? '-' : '─');
  const withHeading = (heading: PaneLine, below: readonly PaneLine[]) =>
    [...[heading, edge].slice(0, pane.rows - rect.rows), ...below].slice(0, pane.rows);
  if (item !== undefined) {
    const color = conversationColor(frame.account, item.conversation);
    const heading = triageHeading(frame.display.glyphs, item, color, triageProgressText(frame), pane.columns);
    return withHeading(heading, inboxPreviewLines(frame, item, rect));
  }
  if (group === undefined) return listLines(shownList(frame, 'inbox', pane));
  const [heading = blankLine, ...below] = groupLines(frame, group, rect, 'alone');
  return withHeading(heading, below);
}

const ruleLine = memoizeLast((columns: number, glyph: string): PaneLine => rule(columns, {glyph}));

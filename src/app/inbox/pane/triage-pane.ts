import type {Frame} from '#app/core/frame.ts';
import type {PaneLine} from '#app/core/pane-line.ts';
import {conversationColor} from '#app/format/channel-color.ts';
import {triageItemUnderCursor} from '#app/inbox/inbox-preview.ts';
import {isInboxEmpty} from '#app/inbox/is-inbox-empty.ts';
import type {Rect} from '#app/layout/layout.ts';
import {blankLine, rule} from '#app/layout/ui-line.ts';
import {listLines} from '#app/lists/list-pane.ts';
import {memoizeLast} from '#std/memo.ts';
import {foldedGroup, groupLines} from './group-lines.ts';
import {triagePreviewRect} from './inbox-layout.ts';
import {inboxPreviewLines, triageProgressText} from './inbox-pane.ts';
import {inboxSummaryLines} from './inbox-summary.ts';
import {triageHeading} from './preview-heading.ts';

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
  if (group === undefined) return listLines(frame, 'inbox', pane);
  const [heading = blankLine, ...below] = groupLines(frame, group, rect, 'alone');
  return withHeading(heading, below);
}

const ruleLine = memoizeLast((columns: number, glyph: string): PaneLine => rule(columns, {glyph}));

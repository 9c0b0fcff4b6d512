import {composerPreviewLines} from '#app/compose/preview-lines.ts';
import type {Frame} from '#app/core/frame.ts';
import {layoutOf, maxComposerRows} from '#app/layout/layout.ts';
import type {UiLine} from '#app/layout/ui-line.ts';
import {lineWindow} from '#app/text/line-window.ts';
import {layoutText, positionOf, type TextLayout} from '#app/text/text-layout.ts';
import {RecentResults, sameArguments} from '#std/memo.ts';
import {destinationFieldLines, destinationLine, labelColumns, movedNoticeLines} from './destination-lines.ts';
import {noticeLines} from './notice-lines.ts';

/** The prompt before the text, and as many columns before the rows below it. */
export const promptColumns = 2;

/** The open composer as rows: what stands above the text, the text, and what stands below it. */
export interface ComposerParts {
  readonly above: readonly UiLine[];
  readonly layout: TextLayout;
  /** Shown in place of the text. */
  readonly preview: readonly UiLine[] | undefined;
  readonly below: readonly UiLine[];
  /** Where the cursor is, when it is not in the text: row and column of the part above it. */
  readonly cursorAbove: {readonly row: number; readonly column: number} | undefined;
}

const known = new WeakMap<Frame, ComposerParts>();

/** Asked for several times for each frame, by the layout, by the pane and for the cursor; made once. */
export function composerParts(frame: Frame): ComposerParts {
  const before = known.get(frame);
  if (before !== undefined) return before;
  const parts = newParts(frame, composerColumns(frame));
  known.set(frame, parts);
  return parts;
}

/** How wide the composer is does not depend on how high it is. */
function composerColumns({screen}: Frame): number {
  return layoutOf(screen, 1).main.columns;
}

const layouts = new RecentResults<readonly [text: string, columns: number], TextLayout>();

/** Of the text, at this width: what did not change is not laid out again. */
function textLayout(text: string, columns: number): TextLayout {
  return layouts.get([text, columns], sameArguments, (before) =>
    layoutText(text, Math.max(1, columns - promptColumns), before),
  );
}

function newParts(frame: Frame, columns: number): ComposerParts {
  const {composer} = frame.screen;
  const {recipients, activePart: place, field, isPreviewed} = composer;
  const fields = recipients === undefined ? undefined : destinationFieldLines(frame, recipients, columns);
  const above = [...(fields ?? [destinationLine(frame, columns)]), ...movedNoticeLines(frame, columns)];
  return {
    above,
    layout: textLayout(field.text, columns),
    preview: isPreviewed ? composerPreviewLines(frame, columns - promptColumns) : undefined,
    below: noticeLines(frame, columns),
    cursorAbove:
      recipients === undefined || place === 'text' || place === 'send'
        ? undefined
        : fieldCursor(place === 'to' ? 0 : 1, place === 'to' ? recipients.to : recipients.topic, columns),
  };
}

function fieldCursor(at: number, field: {text: string; cursor: number}, columns: number) {
  const {column} = lineWindow(field.text, field.cursor, columns - labelColumns);
  return {row: at, column: labelColumns + column};
}

/** Rows that everything would take. */
export function wantedComposerRows({above, layout, preview, below}: ComposerParts): number {
  return above.length + (preview ?? layout.rows).length + below.length;
}

export interface FittedComposerParts {
  readonly above: readonly UiLine[];
  readonly below: readonly UiLine[];
  /** Rows left for the text: one at least. */
  readonly height: number;
}

/** The text comes first, then where it goes, then what is to be said about it. */
export function fitComposerParts({above, below}: ComposerParts, rows: number): FittedComposerParts {
  const heads = above.slice(0, Math.max(0, rows - 1));
  const tails = below.slice(0, Math.max(0, rows - 1 - heads.length));
  return {above: heads, below: tails, height: Math.max(1, rows - heads.length - tails.length)};
}

/** How the text lies, and how many of its rows are in sight. */
export function textGeometry(frame: Frame): {readonly layout: TextLayout; readonly height: number} {
  const parts = composerParts(frame);
  const rows = Math.min(wantedComposerRows(parts), maxComposerRows(frame.screen.size.rows));
  return {layout: parts.layout, height: fitComposerParts(parts, rows).height};
}

/** Where the text's own cursor is. */
export function textCursor(frame: Frame): {readonly row: number; readonly column: number} {
  const {field} = frame.screen.composer;
  return positionOf(composerParts(frame).layout, field.cursor);
}

import type {Frame} from '#app/frame.ts';
import type {Rect} from '#app/layout.ts';
import {rule} from '#app/lines.ts';
import type {PaneLine} from '#app/pane-line.ts';
import {triageHeading} from './heading.ts';
import {previewLines, progressText} from './inbox-pane.ts';
import {triagedRow} from './preview.ts';
import {endLines} from './summary.ts';
import {triagePreviewRect} from './triage-parts.ts';

/** One conversation at a time, with the whole pane to itself. */
export function triageLines(frame: Frame, pane: Rect): readonly PaneLine[] {
  const item = triagedRow(frame);
  if (item === undefined) return endLines(frame, pane.columns).slice(0, pane.rows);
  const rect = triagePreviewRect(pane);
  const head = [
    triageHeading(frame, item, progressText(frame), pane.columns),
    ruleLine(pane.columns, frame.looks.glyphs === 'ascii' ? '-' : '─'),
  ].slice(0, pane.rows - rect.rows);
  return [...head, ...previewLines(frame, item, rect)].slice(0, pane.rows);
}

let kept: {readonly key: string; readonly line: PaneLine} | undefined;

function ruleLine(columns: number, glyph: string): PaneLine {
  const key = `${columns} ${glyph}`;
  if (kept?.key !== key) kept = {key, line: rule(columns, {glyph})};
  return kept.line;
}

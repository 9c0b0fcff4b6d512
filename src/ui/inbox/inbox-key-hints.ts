import {spansColumns} from '#content/styled-text/wrap.ts';
import type {Frame, KeyHint} from '#ui/core/frame.ts';
import type {UiGlyphs} from '#ui/format/ui-glyphs.ts';
import {blankLine, fittedLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';

const margin: UiSpan = {text: '  ', role: 'text'};

/** Selects the most useful keys of the inbox. */
export function inboxHints(frame: Frame, maxHints: number): readonly KeyHint[] {
  return (frame.info.keys?.inboxHints(frame) ?? []).slice(0, maxHints);
}

/** Returns key hints on as many lines as needed; a hint is cut only where it does not fit a whole line. */
export function keyHintLines(hints: readonly KeyHint[], {ellipsis}: UiGlyphs, width: number): readonly UiLine[] {
  const lines: UiSpan[][] = [];
  for (const {key, label} of hints) {
    const spans: readonly UiSpan[] = [margin, {text: key, role: 'hint_key'}, {text: ` ${label}`, role: 'hint'}];
    const last = lines.at(-1);
    if (last !== undefined && spansColumns(last) + spansColumns(spans) <= width) last.push(...spans);
    else lines.push([...spans]);
  }
  return lines.length === 0 ? [blankLine] : lines.map((spans) => fittedLine(spans, width, ellipsis));
}

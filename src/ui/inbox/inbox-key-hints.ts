import {spansColumns} from '#content/styled-text/wrap.ts';
import type {Frame} from '#ui/core/frame.ts';
import {uiGlyphs} from '#ui/format/ui-glyphs.ts';
import {blankLine, fittedLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';

const margin: UiSpan = {text: '  ', role: 'text'};

/**
 * Returns the key hints of the inbox on as many lines as needed; a hint is cut only where it does not fit a whole line.
 */
export function inboxKeyHintLines(frame: Frame, maxHints: number, width: number): readonly UiLine[] {
  const {info, display} = frame;
  const lines: UiSpan[][] = [];
  for (const {key, label} of (info.keys?.inboxHints(frame) ?? []).slice(0, maxHints)) {
    const spans: readonly UiSpan[] = [margin, {text: key, role: 'hint_key'}, {text: ` ${label}`, role: 'hint'}];
    const last = lines.at(-1);
    if (last !== undefined && spansColumns(last) + spansColumns(spans) <= width) last.push(...spans);
    else lines.push([...spans]);
  }
  return lines.length === 0 ? [blankLine] : lines.map((spans) => fittedLine(spans, width, uiGlyphs(display).ellipsis));
}

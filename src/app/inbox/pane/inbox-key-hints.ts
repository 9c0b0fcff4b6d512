import type {Frame} from '#app/core/frame.ts';
import {uiGlyphs} from '#app/format/ui-glyphs.ts';
import {inboxCursorContext} from '#app/inbox/cursor-context.ts';
import {blankLine, fittedLine, type UiLine, type UiSpan} from '#app/layout/ui-line.ts';
import {spansColumns} from '#content/styled-text/wrap.ts';

const margin: UiSpan = {text: '  ', role: 'text'};

/** What the keys do in the inbox, as the hint line has it; on as many lines as it takes, none of it cut where it fits at all. */
export function inboxKeyHintLines(frame: Frame, most: number, width: number): readonly UiLine[] {
  const {info: facts, display: looks} = frame;
  const lines: UiSpan[][] = [];
  for (const {key, label} of (facts.keys?.inboxHints(inboxCursorContext(frame)) ?? []).slice(0, most)) {
    const spans: readonly UiSpan[] = [
      margin,
      {text: key, role: 'hint_key'},
      {text: ` ${label}`, role: 'hint'},
    ];
    const last = lines.at(-1);
    if (last !== undefined && spansColumns(last) + spansColumns(spans) <= width) last.push(...spans);
    else lines.push([...spans]);
  }
  return lines.length === 0
    ? [blankLine]
    : lines.map((spans) => fittedLine(spans, width, uiGlyphs(looks).ellipsis));
}

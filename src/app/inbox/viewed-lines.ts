import type {ShownTimeline} from '#app/timeline/shown-timeline.ts';
import type {ViewedLines} from './inbox-state.ts';

export const noViewedLines: ViewedLines = {columns: 0, lines: new Map()};

/** Every line of it. */
const whole = Number.POSITIVE_INFINITY;

/** What was seen before, and what this picture shows. Of a message that is laid out anew, only all of it still counts. */
export function withViewedLines(
  before: ViewedLines | undefined,
  {window, rows, typeset}: ShownTimeline,
): ViewedLines {
  const {columns} = typeset.measures;
  const known = [...(before?.lines ?? [])].filter(
    ([, seen]) => before?.columns === columns || seen === whole,
  );
  const lines = new Map(known);
  if (window === undefined || rows === undefined) return {columns, lines};
  for (const {key, first, last, isCutAbove, isCutBelow} of window.rows) {
    const from = isCutAbove ? window.start.line - rows.block(key).lead : 0;
    const seen = lines.get(key) ?? 0;
    if (from > seen) continue;
    lines.set(key, isCutBelow ? Math.max(seen, from + last - first + 1) : whole);
  }
  return {columns, lines};
}

/** The first of these messages of which something was never in sight. */
export function firstUnviewedMessage({lines}: ViewedLines, ids: Iterable<number>): number | undefined {
  for (const id of ids) if (lines.get(id) !== whole) return id;
  return undefined;
}

/** How many of its lines were in sight. */
export function viewedLineCount({lines}: ViewedLines, id: number): number {
  return lines.get(id) ?? 0;
}

import type {ShownTimeline} from '#ui/message-pane/shown-timeline.ts';
import type {ViewedLines} from './inbox-state.ts';

export const noViewedLines: ViewedLines = {columns: 0, lines: new Map()};

/** The line count of a message that was viewed completely. */
const allLines = Number.POSITIVE_INFINITY;

/**
 * Returns the lines viewed before and those on screen now. For messages laid out at another width, only
 * completely viewed ones still count.
 */
export function withViewedLines(before: ViewedLines | undefined, {window, rows, typeset}: ShownTimeline): ViewedLines {
  const {columns} = typeset.measures;
  const stillValid = [...(before?.lines ?? [])].filter(
    ([, viewed]) => before?.columns === columns || viewed === allLines,
  );
  const lines = new Map(stillValid);
  if (window === undefined || rows === undefined) return {columns, lines};
  for (const {key, first, last, isCutAbove, isCutBelow} of window.rows) {
    const from = isCutAbove ? window.start.line - rows.block(key).lead : 0;
    const viewed = lines.get(key) ?? 0;
    if (from > viewed) continue;
    lines.set(key, isCutBelow ? Math.max(viewed, from + last - first + 1) : allLines);
  }
  return {columns, lines};
}

/** Returns the first of these messages that was not viewed completely. */
export function firstUnviewedMessage({lines}: ViewedLines, ids: Iterable<number>): number | undefined {
  for (const id of ids) if (lines.get(id) !== allLines) return id;
  return undefined;
}

/** Returns how many lines of a message were viewed. */
export function viewedLineCount({lines}: ViewedLines, id: number): number {
  return lines.get(id) ?? 0;
}

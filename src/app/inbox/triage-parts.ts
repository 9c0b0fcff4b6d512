import type {Rect} from '#app/layout/layout.ts';

/** Above the messages: which conversation it is, and a rule. */
const triageHeadRows = 2;

/** One conversation at a time: everything below its heading. */
export function triagePreviewRect({x, y, columns, rows}: Rect): Rect {
  const head = Math.min(triageHeadRows, Math.max(0, rows - 1));
  return {x, y: y + head, columns, rows: rows - head};
}

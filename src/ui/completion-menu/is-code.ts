import {openFences} from '#content/fence.ts';

/** A fence longer than any real one, so that it closes nothing. */
const probe = '`'.repeat(99);

/**
 * Whether the lines above the cursor leave a code block open. Quotes and spoilers do not count: a fence can begin in
 * them.
 */
export function isCodeBlock(before: string): boolean {
  const lines = before.split('\n').slice(0, -1);
  const open = openFences(lines).length;
  return open > 0 && openFences([...lines, probe]).length === open;
}

/** Whether the cursor is in code, or would be once the span that is open on this line is closed. */
export function isCode(text: string, cursor: number): boolean {
  const before = text.slice(0, cursor);
  if (isCodeBlock(before)) return true;
  const lineStart = before.lastIndexOf('\n') + 1;
  const from = paragraphStart(before);
  const opened = openRun(before.slice(from));
  if (opened === undefined) return false;
  if (from + opened.at >= lineStart) return true;
  const end = text.indexOf('\n\n', cursor);
  const after = text.slice(cursor, end < 0 ? undefined : end);
  return Array.from(after.matchAll(/`+/g)).some(([run]) => run.length === opened.length);
}

/** The offset after the last blank line or fence. */
function paragraphStart(before: string): number {
  let start = 0;
  for (const {0: line, index} of before.matchAll(/^(?:[ \t]*|[`~]{3,}.*)\n/gm)) start = index + line.length;
  return start;
}

/** Returns the unclosed run of backticks. */
function openRun(text: string): {readonly at: number; readonly length: number} | undefined {
  let open: {readonly at: number; readonly length: number} | undefined;
  for (const {0: run, index} of text.matchAll(/(?<!\\)`+/g)) {
    if (open === undefined) open = {at: index, length: run.length};
    else if (open.length === run.length) open = undefined;
  }
  return open;
}

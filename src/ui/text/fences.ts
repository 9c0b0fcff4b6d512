import {openFences} from '#content/fence.ts';
import {lineEnd, lineStart} from './graphemes.ts';

/** Whether a line break here stays inside an open code block, quote or spoiler. */
export function isInsideFence(text: string, cursor: number): boolean {
  const start = lineStart(text, cursor);
  const lines = start === 0 ? [] : text.slice(0, start - 1).split('\n');
  const line = text.slice(start, lineEnd(text, cursor));
  // The cursor's own line counts once the cursor is past the fence that begins it.
  const fence = /^(?:`{3,}|~{3,})/.exec(line)?.[0];
  if (fence !== undefined && cursor - start >= fence.length) lines.push(line);
  return openFences(lines).length > 0;
}

/** Whether a backslash escapes the coming line break. Two backslashes are a literal backslash. */
export function endsWithBackslash(text: string, cursor: number): boolean {
  let count = 0;
  while (text[cursor - 1 - count] === '\\') count++;
  return count % 2 === 1;
}

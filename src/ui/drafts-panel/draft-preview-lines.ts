import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';

const maxLines = 2;
/** Text beyond this is never visible, so it is not laid out. */
const maxCharacters = 600;

/** Returns the first non-blank lines of a draft's source. */
export function draftPreviewLines(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const written of text.slice(0, maxCharacters).split('\n')) {
    const safe = sanitizeText(written).trim();
    if (safe === '') continue;
    const room = maxLines - lines.length;
    const wrapped = wrapSpans([{text: safe, role: 'text'}], {width}).map(({spans}) =>
      spans.map((span) => span.text).join(''),
    );
    if (wrapped.length > room || lines.length === maxLines) return withMore([...lines, ...wrapped.slice(0, room)]);
    lines.push(...wrapped);
  }
  return lines;
}

/** Marks the last line with an ellipsis; the line is truncated where there is no room for it. */
function withMore(lines: readonly string[]): readonly string[] {
  return lines.map((line, at) => (at === lines.length - 1 ? `${line.trimEnd()} …` : line));
}

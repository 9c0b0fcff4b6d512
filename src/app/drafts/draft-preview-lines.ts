import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';

const mostLines = 2;
/** Nothing beyond this is ever seen, so it is not laid out. */
const mostCharacters = 600;

/** The first lines of a text as it was written, without those that are blank. */
export function draftPreviewLines(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const written of text.slice(0, mostCharacters).split('\n')) {
    const safe = sanitizeText(written).trim();
    if (safe === '') continue;
    const room = mostLines - lines.length;
    const wrapped = wrapSpans([{text: safe, role: 'text'}], {width}).map(({spans}) =>
      spans.map((span) => span.text).join(''),
    );
    if (wrapped.length > room || lines.length === mostLines)
      return withMore([...lines, ...wrapped.slice(0, room)]);
    lines.push(...wrapped);
  }
  return lines;
}

/** The last line says that there is more; it is cut where there is no room for that. */
function withMore(lines: readonly string[]): readonly string[] {
  return lines.map((line, at) => (at === lines.length - 1 ? `${line.trimEnd()} …` : line));
}

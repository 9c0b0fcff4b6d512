import {trimNewlines, unusedFence} from '#content/fence.ts';
import {withoutControls} from '#std/printable.ts';

/** Larger pastes are better sent as a code block or a file. */
const maxLines = 8;
const maxBytes = 2000;

/** Returns pasted text without control characters, and without the line break after a single line. */
export function safePastedText(text: string): string {
  const safe = withoutControls(text);
  const line = safe.trimEnd();
  return line.includes('\n') ? safe : safe.replace(/\n[\n\t ]*$/, '');
}

export function pasteSize(text: string) {
  const lines = trimNewlines(text).split('\n').length;
  const bytes = Buffer.byteLength(text);
  return {lines, bytes, isLarge: lines > maxLines || bytes > maxBytes};
}

/** Returns the text as a code block whose fence does not occur in it. */
export function fenced(text: string, language = ''): string {
  const fence = unusedFence(text);
  return `${fence}${language}\n${trimNewlines(text)}\n${fence}`;
}

/**
 * Returns the files dropped on the window, if all of them exist. Terminals paste their paths quoted for a shell, as
 * URLs, or unchanged.
 */
export function droppedPaths(text: string, exists: (path: string) => boolean): readonly string[] | undefined {
  return pathReadings(text).find((paths) => paths.every(exists));
}

/** Longer texts are not lists of dropped files. */
const maxListLength = 20_000;

/** Returns the possible readings of the text as absolute paths, the likeliest first. Most texts have none. */
export function pathReadings(text: string): string[][] {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > maxListLength || !/^(?:['"]?\/|['"]?file:\/\/)/.test(trimmed)) return [];
  const lines = trimmed.split('\n').map((line) => line.trim());
  const readings = [shellWords(trimmed.replaceAll('\n', ' ')), lines];
  const seen = new Set<string>();
  return readings
    .map((words) => (words ?? []).map(pathOf))
    .filter((paths): paths is string[] => {
      const key = paths.join('\n');
      if (paths.length === 0 || paths.includes(undefined) || seen.has(key)) return false;
      seen.add(key);
      return true;
    });
}

function pathOf(word: string): string | undefined {
  if (word.startsWith('/')) return word.includes('\0') ? undefined : word;
  const encoded = /^file:\/\/(?:localhost)?(\/[^?#]*)$/i.exec(word)?.[1];
  if (encoded === undefined) return undefined;
  try {
    const path = decodeURIComponent(encoded);
    return path.includes('\0') ? undefined : path;
  } catch {
    return undefined;
  }
}

/** Splits into words with shell quoting; returns undefined for an unclosed quote. */
function shellWords(text: string): string[] | undefined {
  const words: string[] = [];
  const part = /\s+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/gsy;
  let word: string | undefined;
  let read = 0;
  for (const [whole, single, double, escaped, plain] of text.matchAll(part)) {
    read += whole.length;
    const piece = single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? plain;
    if (piece !== undefined) word = (word ?? '') + piece;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  if (read < text.length) return undefined;
  return word === undefined ? words : [...words, word];
}

import {trimNewlines, unusedFence} from '#content/fence.ts';
import {printable} from '#std/printable.ts';

/** More than this is better a block of code or a file. */
const mostLines = 8;
const mostBytes = 2000;

/** Pasted text as it may be written: nothing that a terminal would obey, and no line break behind a single line. */
export function safePastedText(text: string): string {
  const safe = printable(text);
  const line = safe.trimEnd();
  return line.includes('\n') ? safe : safe.replace(/\n[\n\t ]*$/, '');
}

export interface PasteSize {
  readonly lines: number;
  readonly bytes: number;
  readonly isLarge: boolean;
}

export function pasteSize(text: string): PasteSize {
  const lines = trimNewlines(text).split('\n').length;
  const bytes = Buffer.byteLength(text);
  return {lines, bytes, isLarge: lines > mostLines || bytes > mostBytes};
}

/** As a block of code that nothing in it can end. */
export function fenced(text: string, language = ''): string {
  const fence = unusedFence(text);
  return `${fence}${language}\n${trimNewlines(text)}\n${fence}`;
}

/**
 * The files that were dropped on the window, when every one of them exists. Terminals write their paths as a shell would
 * read them, as addresses, or as they are.
 */
export function droppedPaths(text: string, exists: (path: string) => boolean): readonly string[] | undefined {
  return pathReadings(text).find((paths) => paths.every(exists));
}

/** Nobody drops a longer list. */
const longestList = 20_000;

/** What the text means as absolute paths, the likeliest first. Most text means none. */
export function pathReadings(text: string): string[][] {
  const given = text.trim();
  if (given === '' || given.length > longestList || !/^(?:['"]?\/|['"]?file:\/\/)/.test(given)) return [];
  const lines = given.split('\n').map((line) => line.trim());
  const readings = [shellWords(given.replaceAll('\n', ' ')), lines];
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

/** Words with quotes and backslashes as shells have them; nothing where a quote is left open. */
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

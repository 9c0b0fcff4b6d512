import {codeLanguageName} from '#content/code-language.ts';
import {LruCache} from '#std/lru-cache.ts';
import {printable} from '#std/printable.ts';
import {grammarByLanguage} from './grammars.ts';
import type {HighlightedLine} from './highlight-lines.ts';

/** Longer code is shown plain: what is seen of it at a time does not justify the wait. */
const longestCode = 8000;
const longestLine = 500;
const tabStop = 4;
/** Milliseconds; most code takes a twentieth. Whoever writes code against a grammar's patterns gets no colours. */
const defaultPatience = 500;

const results = new LruCache<string, Promise<readonly HighlightedLine[] | undefined>>(200);

/** Whether code under a fence that names this language gets colours. */
export function isHighlightable(language: string): boolean {
  return grammarByLanguage.has(codeLanguageName(language));
}

/** The lines as they are shown: nothing a terminal would obey, spaces for tabs. */
export function printableCodeLines(code: string): readonly string[] {
  return printable(code)
    .split('\n')
    .map((line) => (line.includes('\t') ? withoutTabs(line) : line));
}

function withoutTabs(line: string): string {
  let out = '';
  let column = 0;
  for (const part of line.split(/(\t)/)) {
    const text = part === '\t' ? ' '.repeat(tabStop - (column % tabStop)) : part;
    column += text.length;
    out += text;
  }
  return out;
}

/**
 * The lines of `codeLines(code)` in colours; undefined when the language is not known, the code is too long or takes too long.
 * Found in another thread, which starts when it is first asked: this one only waits.
 */
export function highlightCode(
  language: string,
  code: string,
  patience = defaultPatience,
): Promise<readonly HighlightedLine[] | undefined> {
  const grammar = grammarByLanguage.get(codeLanguageName(language));
  if (grammar === undefined || code.length > longestCode) return Promise.resolve(undefined);
  const key = `${grammar}\n${code}`;
  let result = results.get(key);
  if (result === undefined) {
    result = newResult(grammar, printableCodeLines(code), patience);
    results.set(key, result);
  }
  return result;
}

async function newResult(
  grammar: string,
  lines: readonly string[],
  patience: number,
): Promise<readonly HighlightedLine[] | undefined> {
  if (lines.some((line) => line.length > longestLine)) return undefined;
  const {highlightInWorker: highlightedLines} = await import('./highlight-worker.ts');
  return highlightedLines(grammar, lines.join('\n'), patience);
}

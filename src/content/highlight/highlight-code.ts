/** Syntax highlighting of code blocks. */

import {codeLanguageName, codeLanguages} from '#content/code-language.ts';
import {printable} from '#std/printable.ts';
import {grammarOf} from './grammars.ts';
import type {HighlightedLine} from './highlight-lines.ts';

/** Longer code is shown without colours: highlighting all of it would take too long for the part on screen. */
const maxCodeLength = 8000;
const maxLineLength = 500;
const tabStop = 4;
/** Most code takes a twentieth of this. Code that makes a grammar's patterns backtrack is shown without colours. */
const defaultTimeoutMs = 500;

/** Returns whether there is a grammar for the language of a fence. */
export function isHighlightable(language: string): boolean {
  return grammarOfFence(language) !== undefined;
}

function grammarOfFence(typed: string): string | undefined {
  const language = codeLanguageName(typed);
  return codeLanguages().has(language) ? grammarOf(language) : undefined;
}

/** Returns the lines of code as they are shown: without control sequences, with spaces for tabs. */
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
 * Returns the lines of `printableCodeLines(code)` highlighted; undefined when the language is unknown or the code is too long
 * or takes too long. A worker thread, started on first use, does the work.
 */
export async function highlightCode(
  language: string,
  code: string,
  timeoutMs = defaultTimeoutMs,
): Promise<readonly HighlightedLine[] | undefined> {
  const grammar = grammarOfFence(language);
  if (grammar === undefined || code.length > maxCodeLength) return undefined;
  const lines = printableCodeLines(code);
  if (lines.some((line) => line.length > maxLineLength)) return undefined;
  const {highlightInWorker} = await import('./highlight-worker.ts');
  return highlightInWorker(grammar, lines.join('\n'), timeoutMs);
}

import {codeLanguages} from '#content/code-language.ts';
import {openFences, parseFenceOpener} from '#content/fence.ts';
import {FuzzyIndex} from '#std/fuzzy-index.ts';
import {type Completion, type CompletionOption, completionOf, maxOptions} from '#ui/search/completion.ts';
import {withoutWeakMatches} from '#ui/search/find-people.ts';

interface Language {
  /** The name after the fence. */
  readonly alias: string;
  readonly name: string;
}

/** Fenced blocks other than code. */
const blocks: readonly Language[] = [
  {alias: 'quote', name: 'quotation'},
  {alias: 'spoiler', name: 'hidden until opened'},
  {alias: 'math', name: 'formulas in TeX'},
];
const common = new Set(
  'quote spoiler math python javascript typescript bash console json yaml sql rust go java c cpp html css text diff'.split(
    ' ',
  ),
);

let index: FuzzyIndex<string, Language> | undefined;

function languages(): FuzzyIndex<string, Language> {
  if (index !== undefined) return index;
  index = new FuzzyIndex();
  for (const language of blocks) index.put(language.alias, language, language.alias);
  for (const [name, aliases] of codeLanguages()) for (const alias of aliases) index.put(alias, {alias, name}, alias);
  return index;
}

const opening = /^(`{3,}|~{3,}) *([\w+#./-]+)$/u;

/** Completes the language of a fence being opened on this line. */
export function languageCompletion(text: string, cursor: number): Completion | undefined {
  const start = text.slice(0, cursor).lastIndexOf('\n') + 1;
  const [, fence = '', query = ''] = opening.exec(text.slice(start, cursor)) ?? [];
  const restOfLine = text.slice(cursor).split('\n', 1)[0] ?? '';
  if (fence === '' || restOfLine.trim() !== '' || isCodeBlock(text.slice(0, start))) return undefined;
  const boost = ({alias}: Language) => (common.has(alias) ? 80 : 0);
  const found = withoutWeakMatches(languages().find(query, {limit: maxOptions, boost}));
  const isClosed = isClosedBelow(text.slice(cursor + restOfLine.length), fence);
  const options = found.map(({item, ranges}): CompletionOption => {
    const {insert, caret} = opened(fence, item.alias, isClosed);
    return {label: item.alias, detail: item.name, insert, caret, ranges};
  });
  return completionOf('language', {start, end: cursor + restOfLine.length}, options);
}

/**
 * Returns the opened block with the cursor inside: after a spoiler's title, else on the line below. A fence that is
 * closed below is not closed again.
 */
function opened(fence: string, alias: string, isClosed: boolean): {insert: string; caret: number} {
  const isSpoiler = alias === 'spoiler';
  const head = isSpoiler ? `${fence}spoiler ` : `${fence}${alias}`;
  if (isClosed) return {insert: head, caret: head.length};
  return {insert: `${head}\n\n${fence}`, caret: head.length + (isSpoiler ? 0 : 1)};
}

/** Whether a fence below already closes the block being opened. */
function isClosedBelow(below: string, fence: string): boolean {
  for (const line of below.split('\n')) {
    if (line.trimEnd() === fence) return true;
    if (parseFenceOpener(line) !== undefined) return false;
  }
  return false;
}

/** A fence longer than any real one, so that it closes nothing. */
const probe = '`'.repeat(99);

/**
 * Whether the lines above the cursor leave a code block open. Quotes and spoilers do not count: a fence can begin in
 * them.
 */
function isCodeBlock(before: string): boolean {
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

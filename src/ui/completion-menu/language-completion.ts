import {codeLanguages} from '#content/code-language.ts';
import {parseFenceOpener} from '#content/fence.ts';
import {FuzzyIndex} from '#std/fuzzy-index.ts';
import {type Completion, type CompletionOption, completionOf, maxOptions} from './completion.ts';
import {withoutWeakMatches} from './find-people.ts';
import {isCodeBlock} from './is-code.ts';

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

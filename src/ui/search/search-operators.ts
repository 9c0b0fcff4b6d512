import {isSupportedByServer, parseSearch} from '#state/selectors/search/parse-search.ts';
import {type SearchPiece, searchPieces} from '#state/selectors/search/search-pieces.ts';
import type {AccountState} from '#state/state.ts';
import {fuzzyMatch, matchScores} from '#std/fuzzy.ts';
import {memoBySlicesAndArgument} from '#std/memo.ts';
import {
  type Completion,
  type CompletionContext,
  type CompletionOption,
  completionOf,
  maxOptions,
} from '#ui/completion-menu/completion.ts';
import type {KeyboardRemap} from '#ui/completion-menu/find-channels-and-topics.ts';
import {fixedOperands, operandOptions, searchOperators, shiftedRanges} from './search-operands.ts';

/** Returns the problems of a search. Cached, because an unknown name is compared with all names. */
export const searchProblems = memoBySlicesAndArgument(
  ['self', 'server', 'realm', 'users', 'channels'],
  (state: AccountState, text: string): readonly string[] => parseSearch(state, text).problems,
  4,
);

/**
 * Returns the problems while the user types: the unfinished last word is not checked, so that most keys cost nothing.
 */
export function problemsSoFar(state: AccountState, text: string): readonly string[] {
  const last = searchPieces(text).pieces.at(-1);
  const isOpen = last !== undefined && last.end === text.length;
  return searchProblems(state, isOpen ? text.slice(0, last.start) : text);
}

/** Completes the term at the cursor. Plain words are searched as they are unless the user picks a completion. */
export function searchCompletion(state: AccountState, context: CompletionContext): Completion | undefined {
  const {text, cursor, remap} = context;
  const piece = searchPieces(text).pieces.find(({start, end}) => start < cursor && cursor <= end);
  if (piece === undefined)
    return completionOf('search', {start: cursor, end: cursor}, operatorOptions(state, '', ''), 'none');
  if (piece.kind === 'word') {
    const options = wordOptions(state, piece, remap);
    return completionOf('search', piece, options, 'none');
  }
  const {options, isWhole} = operandOptions(state, piece, {text, remap, nowMs: context.nowMs});
  return completionOf('search', piece, options.slice(0, maxOptions), isWhole ? 'none' : 'first');
}

function wordOptions(
  state: AccountState,
  {text}: Extract<SearchPiece, {kind: 'word'}>,
  remap: KeyboardRemap,
): readonly CompletionOption[] {
  const sign = text.startsWith('-') ? '-' : '';
  const query = text.slice(sign.length);
  if (query.startsWith('"')) return [];
  const terms = query === '' ? [] : termOptions(state, sign, query, remap);
  return [...operatorOptions(state, sign, query), ...terms].slice(0, maxOptions);
}

/** Returns the operators that start with the query. */
function operatorOptions(state: AccountState, sign: string, query: string): readonly CompletionOption[] {
  return searchOperators.flatMap(({operator, example, about}): CompletionOption[] => {
    const match = fuzzyMatch(query, operator);
    const fits = match !== undefined && (query === '' || match.score >= matchScores.prefix);
    if (!fits || !isSupportedByServer(state, {operator, operand: example})) return [];
    const label = `${sign}${operator}:`;
    return [{label, detail: about, insert: label, drill: label, ranges: shiftedRanges(match.ranges, sign.length)}];
  });
}

/** Returns complete terms with the query as operand: `unread` offers `is:unread`, a name offers `sender:`. */
function termOptions(
  state: AccountState,
  sign: string,
  query: string,
  remap: KeyboardRemap,
): readonly CompletionOption[] {
  const fixed = fixedOperands.flatMap(({operator, operand, about}): CompletionOption[] => {
    const match = fuzzyMatch(query, operand);
    if (match === undefined || match.score < matchScores.prefix || !isSupportedByServer(state, {operator, operand}))
      return [];
    const label = `${sign}${operator}:${operand}`;
    const ranges = shiftedRanges(match.ranges, label.length - operand.length);
    return [{label, detail: about, insert: `${label} `, ranges}];
  });
  const named = (['sender', 'dm', 'channel', 'topic'] as const).flatMap((operator) => {
    const piece = {kind: 'term', operator, operand: query, negated: sign === '-', hasOperand: true} as const;
    const {options} = operandOptions(state, {...piece, written: '', start: 0, end: 0}, {text: '', remap, nowMs: 0});
    const good = options.filter(({ranges}) => ranges.length === 1 && ranges[0] !== undefined);
    return good.slice(0, 3).map((option): CompletionOption => {
      const before = `${sign}${operator}:`;
      return {
        ...option,
        label: `${before}${option.label}`,
        ranges: shiftedRanges(option.ranges, before.length),
      };
    });
  });
  return [...fixed, ...named];
}

/** A change of an SQL text: what is inserted at which places. Texts are only added, so that several changes fit in one text. */
export interface SqlChange {
  readonly change: string;
  /** Each has a place in the text, what is inserted there, and whether it ends what another insertion begins. */
  readonly insertions: readonly {readonly at: number; readonly text: string; readonly isEnd?: boolean}[];
}

/** A text with parentheses up to two deep and quoted texts. */
const balanced = String.raw`(?:[^()'"]|'[^']*'|\((?:[^()]|\([^()]*\))*\))+?`;
const termEnd = String.raw`(?=\s+(?:AND|WHERE|ON|ORDER|LIMIT|GROUP|RETURNING|UNION|LEFT|JOIN|HAVING)\b|\s*\)|\s*;|\s*$)`;

const term = new RegExp(String.raw`\b(WHERE|AND)\s+(${balanced})${termEnd}`, 'g');
const comparison = /(?<=\s)([<>])(=?)(?=\s)/g;
const order = new RegExp(String.raw`\bORDER BY (${balanced})(?=\s+LIMIT\b|\s*\)|\s*;|\s*$)`, 'g');
const limit = /\bLIMIT (\?\d*|\d+)/g;

/** Returns the changes of one piece of an SQL text; `isLast` says that nothing follows the piece. */
export function sqlChanges(text: string, isLast: boolean): SqlChange[] {
  if (!/\b(?:SELECT|UPDATE|DELETE|INSERT|FROM|JOIN|WHERE|AND|ORDER BY)\b/.test(text)) return [];
  const isWhole = (end: number) => isLast || text.slice(end).trim() !== '';
  return [
    ...termChanges(text, isWhole),
    ...comparisonChanges(text),
    ...orderChanges(text, isWhole),
    ...limitChanges(text),
  ];
}

/** Makes a term of a condition true. Its parameters stay, because their number must be that of the values. */
function termChanges(text: string, isWhole: (end: number) => boolean): SqlChange[] {
  return allMatches(term, text).flatMap(({0: all, 1: keyword = '', 2: part = '', index}) => {
    const end = index + all.length;
    const isRange = /\bBETWEEN\b/.test(part) || /\bBETWEEN\s+\S+\s+$/.test(text.slice(0, index));
    if (isRange || part === 'true' || !isWhole(end)) return [];
    return surrounded(`drop ${keyword} ${part}`, end - part.length, end, ['(', ' OR 1)']);
  });
}

function comparisonChanges(text: string): SqlChange[] {
  return allMatches(comparison, text).flatMap(({0: operator, index}) => {
    const at = index + 1;
    const change = operator.length === 1 ? `${operator} → ${operator}=` : `${operator} → ${operator[0]}`;
    const around = text.slice(Math.max(0, index - 20), index + 20);
    if (operator.length === 1) return [{change: `${around}: ${change}`, insertions: [{at, text: '='}]}];
    return surrounded(`${around}: ${change}`, at, at + 1);
  });
}

/** Leaves out an order, unless it is that of ids, which rows mostly have by themselves; and turns each around. */
function orderChanges(text: string, isWhole: (end: number) => boolean): SqlChange[] {
  return allMatches(order, text).flatMap(({0: all, 1: columns = '', index}) => {
    const end = index + all.length;
    if (!isWhole(end)) return [];
    const dropped = /^(?:\w+\.)?id$/.test(columns) ? [] : surrounded(`drop ${all}`, index, end);
    if (columns.endsWith(' DESC')) return [...dropped, ...surrounded(`${all} → ASC`, end - 'DESC'.length, end)];
    if (columns.endsWith(' ASC')) return dropped;
    return [...dropped, {change: `${all} → DESC`, insertions: [{at: end, text: ' DESC', isEnd: true}]}];
  });
}

/** Leaves out a limit, but not that of one row, which is there to save time. */
function limitChanges(text: string): SqlChange[] {
  return allMatches(limit, text).flatMap(({0: all, 1: count = '', index}) => {
    const end = index + all.length;
    // A negative limit is none.
    if (count.startsWith('?')) return surrounded(`drop ${all}`, end - count.length, end, ['-abs(', ')']);
    return count === '1' ? [] : surrounded(`drop ${all}`, index, end);
  });
}

/** Returns a change that surrounds a part, unless told with the signs of a comment. */
function surrounded(change: string, start: number, end: number, [before, after] = ['/*', '*/']): SqlChange[] {
  const insertions = [
    {at: start, text: before ?? ''},
    {at: end, text: after ?? '', isEnd: true},
  ];
  return [{change, insertions}];
}

function allMatches(pattern: RegExp, text: string): RegExpExecArray[] {
  return [...text.matchAll(pattern)];
}

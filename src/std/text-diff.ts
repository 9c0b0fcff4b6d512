/** A part of a line. */
interface DiffPart {
  readonly text: string;
  /** Whether the other version of the line lacks this part. */
  readonly isChanged: boolean;
}

export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly parts: readonly DiffPart[];
}

/**
 * Compares two texts line by line, and changed lines word by word. The lines that are not `added` make up the text before,
 * those that are not `removed` the text after.
 */
export function textDiff(before: string, after: string): readonly DiffLine[] {
  return runs(before.split('\n'), after.split('\n')).flatMap(({same, removed, added}) => {
    // Neighbouring removed and added lines are paired one to one.
    const count = Math.min(removed.length, added.length);
    const pairs = removed.slice(0, count).flatMap((line, at) => changedPair(line, added[at] ?? ''));
    return [
      ...same.map((line) => wholeLine('same', line)),
      ...pairs,
      ...removed.slice(count).map((line) => wholeLine('removed', line)),
      ...added.slice(count).map((line) => wholeLine('added', line)),
    ];
  });
}

function wholeLine(kind: DiffLine['kind'], text: string): DiffLine {
  return {kind, parts: [{text, isChanged: kind !== 'same'}]};
}

/** Lines with a smaller common share are different lines, not a changed line. */
const minCommon = 0.3;

function changedPair(before: string, after: string): readonly DiffLine[] {
  const diffRuns = runs(wordsOf(before), wordsOf(after));
  const common = diffRuns.reduce((sum, {same}) => sum + lettersIn(same), 0);
  const longest = Math.max(lettersIn([before]), lettersIn([after]));
  if (common < minCommon * longest) return [wholeLine('removed', before), wholeLine('added', after)];
  const version = (kind: 'removed' | 'added'): DiffLine => {
    const parts = diffRuns.flatMap((run) => [
      {text: run.same.join(''), isChanged: false},
      {text: run[kind].join(''), isChanged: true},
    ]);
    return {kind, parts: parts.filter(({text}) => text !== '')};
  };
  return [version('removed'), version('added')];
}

function lettersIn(items: readonly string[]): number {
  return items.reduce((sum, item) => sum + item.trim().length, 0);
}

/** Splits a line into words, runs of spaces, and single signs. */
function wordsOf(line: string): readonly string[] {
  return line.match(/[\p{L}\p{N}\p{M}_]+|\s+|./gsu) ?? [];
}

/** What both texts have, then what differs until they have the same again. */
interface DiffRun {
  readonly same: string[];
  readonly removed: string[];
  readonly added: string[];
}

/** Above this number of comparisons, everything between the equal ends counts as changed. */
const maxComparisons = 1_000_000;

/** Returns the longest common subsequence and what is between its parts. */
function runs(before: readonly string[], after: readonly string[]): readonly DiffRun[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const maxCommon = Math.min(before.length, after.length) - start;
  while (end < maxCommon && before.at(-1 - end) === after.at(-1 - end)) end++;
  const left = before.slice(start, before.length - end);
  const right = after.slice(start, after.length - end);
  const first: DiffRun = {same: before.slice(0, start), removed: [], added: []};
  const last: DiffRun = {same: before.slice(before.length - end), removed: [], added: []};
  if (left.length * right.length <= maxComparisons) return [...steps(first, left, right), last];
  return [{...first, removed: left, added: right}, last];
}

/** Returns the runs of two texts behind what they have in common at their start. */
function steps(first: DiffRun, left: readonly string[], right: readonly string[]): readonly DiffRun[] {
  const columns = right.length + 1;
  /** The length of the common subsequence from here on. */
  const common = new Uint32Array((left.length + 1) * columns);
  const commonAt = (i: number, j: number) => common[i * columns + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      common[i * columns + j] =
        left[i] === right[j] ? commonAt(i + 1, j + 1) + 1 : Math.max(commonAt(i + 1, j), commonAt(i, j + 1));
    }
  }
  let run = first;
  const diffRuns = [run];
  for (let i = 0, j = 0; i < left.length || j < right.length; ) {
    const [one = '', other = ''] = [left[i], right[j]];
    if (i < left.length && j < right.length && one === other) {
      if (run.removed.length + run.added.length > 0) {
        run = {same: [], removed: [], added: []};
        diffRuns.push(run);
      }
      run.same.push(one);
      i++;
      j++;
    } else if (j >= right.length || (i < left.length && commonAt(i + 1, j) >= commonAt(i, j + 1))) {
      run.removed.push(one);
      i++;
    } else {
      run.added.push(other);
      j++;
    }
  }
  return diffRuns;
}

/** A part of a line. */
export interface DiffPart {
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
  return paired(
    runs(before.split('\n'), after.split('\n')).flatMap(({kind, items}) => items.map((text) => wholeLine(kind, text))),
  );
}

/** Pairs neighbouring removed and added lines one to one. */
function paired(lines: readonly DiffLine[]): readonly DiffLine[] {
  const result: DiffLine[] = [];
  for (let at = 0; at < lines.length; ) {
    const removed = linesOfKind(lines, at, 'removed');
    const added = linesOfKind(lines, at + removed.length, 'added');
    const line = lines[at];
    at += Math.max(1, removed.length + added.length);
    if (removed.length + added.length === 0) {
      if (line !== undefined) result.push(line);
      continue;
    }
    const count = Math.min(removed.length, added.length);
    for (let i = 0; i < count; i++) result.push(...changedPair(textOf(removed[i]), textOf(added[i])));
    for (const rest of [removed, added]) for (let i = count; i < rest.length; i++) result.push(rest[i] as DiffLine);
  }
  return result;
}

function linesOfKind(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): readonly DiffLine[] {
  let end = from;
  while (lines[end]?.kind === kind) end++;
  return lines.slice(from, end);
}

function textOf(line: DiffLine | undefined): string {
  return line?.parts.map(({text}) => text).join('') ?? '';
}

function wholeLine(kind: DiffLine['kind'], text: string): DiffLine {
  return {kind, parts: [{text, isChanged: kind !== 'same'}]};
}

/** Lines with a smaller common share are different lines, not a changed line. */
const minCommon = 0.3;

function changedPair(before: string, after: string): readonly DiffLine[] {
  const diffRuns = runs(wordsOf(before), wordsOf(after));
  const common = diffRuns.reduce((sum, {kind, items}) => sum + (kind === 'same' ? lettersIn(items) : 0), 0);
  const longest = Math.max(lettersIn([before]), lettersIn([after]));
  if (common < minCommon * longest) return [wholeLine('removed', before), wholeLine('added', after)];
  const version = (kind: 'removed' | 'added'): DiffLine => ({
    kind,
    parts: diffRuns
      .filter((run) => run.kind === 'same' || run.kind === kind)
      .map((run) => ({text: run.items.join(''), isChanged: run.kind !== 'same'})),
  });
  return [version('removed'), version('added')];
}

function lettersIn(items: readonly string[]): number {
  return items.reduce((sum, item) => sum + item.trim().length, 0);
}

/** Splits a line into words, runs of spaces, and single signs. */
function wordsOf(line: string): readonly string[] {
  return line.match(/[\p{L}\p{N}\p{M}_]+|\s+|./gsu) ?? [];
}

interface DiffRun {
  readonly kind: DiffLine['kind'];
  readonly items: readonly string[];
}

/** Above this number of comparisons, everything between the equal ends counts as changed. */
const maxComparisons = 1_000_000;

/** Returns the longest common subsequence and the runs between; removals come before additions. */
function runs(before: readonly string[], after: readonly string[]): readonly DiffRun[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const maxCommon = Math.min(before.length, after.length) - start;
  while (end < maxCommon && before.at(-1 - end) === after.at(-1 - end)) end++;
  const [left, right] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const middle: readonly DiffRun[] =
    left.length * right.length > maxComparisons
      ? [
          {kind: 'removed', items: left},
          {kind: 'added', items: right},
        ]
      : steps(left, right);
  return merged([
    {kind: 'same', items: before.slice(0, start)},
    ...middle,
    {kind: 'same', items: before.slice(before.length - end)},
  ]);
}

function steps(left: readonly string[], right: readonly string[]): readonly DiffRun[] {
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
  const diffRuns: DiffRun[] = [];
  for (let i = 0, j = 0; i < left.length || j < right.length; ) {
    const [one = '', other = ''] = [left[i], right[j]];
    if (i < left.length && j < right.length && one === other) {
      diffRuns.push({kind: 'same', items: [one]});
      i++;
      j++;
    } else if (j >= right.length || (i < left.length && commonAt(i + 1, j) >= commonAt(i, j + 1))) {
      diffRuns.push({kind: 'removed', items: [one]});
      i++;
    } else {
      diffRuns.push({kind: 'added', items: [other]});
      j++;
    }
  }
  return diffRuns;
}

/** Merges neighbouring runs of one kind; within a stretch of changes, removals come before additions. */
function merged(diffRuns: readonly DiffRun[]): readonly DiffRun[] {
  const result: DiffRun[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = () => {
    if (removed.length > 0) result.push({kind: 'removed', items: removed});
    if (added.length > 0) result.push({kind: 'added', items: added});
    [removed, added] = [[], []];
  };
  for (const {kind, items} of diffRuns) {
    if (items.length === 0) continue;
    if (kind !== 'same') for (const item of items) (kind === 'removed' ? removed : added).push(item);
    else {
      flush();
      const last = result.at(-1);
      if (last?.kind === 'same') result[result.length - 1] = {kind, items: [...last.items, ...items]};
      else result.push({kind, items});
    }
  }
  flush();
  return result;
}

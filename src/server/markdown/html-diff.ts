/**
 * Returns the difference between two renderings, for the edit history. It has the tags of the new one, with inserted
 * and deleted words marked. Deleted tags are left out, so the tags are as balanced as in the new rendering.
 */
export function htmlDiff(before: string, after: string): string {
  const edits = tokenEdits(splitHtml(before), splitHtml(after));
  let out = '';
  let run: {kind: TokenEdit['kind']; text: string} = {kind: 'same', text: ''};
  const flush = (): void => {
    out += wrapped(run.kind, run.text);
    run = {kind: 'same', text: ''};
  };
  for (const {kind, token} of edits) {
    if (isTag(token)) {
      if (kind === 'deleted') continue;
      flush();
      out += token;
    } else if (kind === run.kind) {
      run.text += token;
    } else {
      flush();
      run = {kind, text: token};
    }
  }
  flush();
  return out;
}

type TokenEdit = {kind: 'same' | 'inserted' | 'deleted'; token: string};

function isTag(token: string): boolean {
  return token.startsWith('<');
}

function wrapped(kind: TokenEdit['kind'], text: string): string {
  if (kind === 'same' || text.trim() === '') return kind === 'deleted' ? '' : text;
  return `<span class="highlight_text_${kind}">${text}</span>`;
}

/** Splits HTML into tags, words, and the space between words. */
function splitHtml(html: string): string[] {
  return html.match(/<[^<>]*>|[^<\s]+|\s+/g) ?? [];
}

/**
 * With more differences than this, the whole middle is shown as replaced: the search costs the square of their number.
 */
const maxEdits = 400;

function tokenEdits(before: readonly string[], after: readonly string[]): TokenEdit[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end++;
  }
  const oldMiddle = before.slice(start, before.length - end);
  const newMiddle = after.slice(start, after.length - end);
  const same = (token: string): TokenEdit => ({kind: 'same', token});
  return [
    ...after.slice(0, start).map(same),
    ...(shortestEdit(oldMiddle, newMiddle) ?? replacement(oldMiddle, newMiddle)),
    ...after.slice(after.length - end).map(same),
  ];
}

function replacement(before: readonly string[], after: readonly string[]): TokenEdit[] {
  return [
    ...before.map((token): TokenEdit => ({kind: 'deleted', token})),
    ...after.map((token): TokenEdit => ({kind: 'inserted', token})),
  ];
}

/** Finds the shortest edit by Myers' algorithm: the furthest point reached on each diagonal with 0, 1, 2 … edits. */
function shortestEdit(before: readonly string[], after: readonly string[]): TokenEdit[] | undefined {
  const trace: Map<number, number>[] = [];
  let reach = new Map([[1, 0]]);
  for (let edits = 0; edits <= Math.min(maxEdits, before.length + after.length); edits++) {
    const next = new Map(reach);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = isDown(reach, diagonal, edits) ? (reach.get(diagonal + 1) ?? 0) : (reach.get(diagonal - 1) ?? 0) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++;
      next.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return walkBack([...trace, reach], before, after);
    }
    trace.push(reach);
    reach = next;
  }
  return undefined;
}

function isDown(reach: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true;
  return diagonal !== edits && (reach.get(diagonal - 1) ?? -1) < (reach.get(diagonal + 1) ?? -1);
}

function walkBack(
  trace: readonly ReadonlyMap<number, number>[],
  before: readonly string[],
  after: readonly string[],
): TokenEdit[] {
  const edits: TokenEdit[] = [];
  let x = before.length;
  let y = after.length;
  for (let count = trace.length - 1; count >= 0; count--) {
    const reach = trace[count] ?? new Map<number, number>();
    const diagonal = x - y;
    const down = isDown(reach, diagonal, count);
    const fromX = reach.get(down ? diagonal + 1 : diagonal - 1) ?? 0;
    const fromY = fromX - (down ? diagonal + 1 : diagonal - 1);
    // The diagonal after this edit: tokens that both have. Without further edits it reaches the start.
    while (x > 0 && y > 0 && (count === 0 || (x > fromX && y > fromY))) {
      x--;
      y--;
      edits.push({kind: 'same', token: after[y] ?? ''});
    }
    if (count === 0) break;
    if (down) edits.push({kind: 'inserted', token: after[--y] ?? ''});
    else edits.push({kind: 'deleted', token: before[--x] ?? ''});
  }
  return edits.reverse();
}

import {compareValues, isObject} from './compare-values.ts';
import {absent, type ComparisonContext} from './difference.ts';
import {shown} from './json-text.ts';
import type {JsonObject} from './recording.ts';

/** Compares the events of one queue, in order. */
export function compareEvents(
  context: ComparisonContext,
  queue: string,
  expected: readonly JsonObject[],
  actual: readonly JsonObject[],
): void {
  const [wanted, got] = [expected.map(signature), actual.map(signature)];
  const pairs = longestCommonSequence(wanted, got);
  const missing = new Set(wanted.keys().filter((index) => !pairs.has(index)));
  const matched = new Set(pairs.values());
  const extra = new Set(got.keys().filter((index) => !matched.has(index)));
  for (const index of [...missing]) {
    const elsewhere = [...extra].find((other) => got[other] === wanted[index]);
    if (elsewhere === undefined) continue;
    pairs.set(index, elsewhere);
    missing.delete(index);
    extra.delete(elsewhere);
    context.report({class: 'event_order', at: place(wanted[index]), real: wanted.join(' | '), here: got.join(' | ')});
  }
  for (const index of missing) {
    const real = shown(expected[index] ?? null, 400);
    context.report({class: 'event_missing', at: place(wanted[index]), real, here: absent});
  }
  for (const index of extra) {
    const here = shown(actual[index] ?? null, 400);
    context.report({class: 'event_extra', at: place(got[index]), real: absent, here});
  }
  const inEvent: ComparisonContext = {
    symbols: context.symbols,
    report: (difference) => context.report({...difference, class: `event_${difference.class}`}),
  };
  for (const [index, other] of [...pairs].sort(([a], [b]) => a - b)) {
    const at = `${place(wanted[index])}:`;
    compareValues(inEvent, expected[index] ?? null, actual[other] ?? null, {at});
  }

  function place(text: string | undefined): string {
    return `event(${queue}) ${text}`;
  }
}

/** Returns what kind of event it is. */
function signature(event: JsonObject): string {
  const kind = ['type', 'op', 'property', 'flag'].flatMap((key) => (key in event ? [event[key]] : [])).join('/');
  const changed = {'realm_user/update': event.person, 'user_group/update': event.data}[kind];
  if (changed === undefined || !isObject(changed)) return kind;
  const fields = Object.keys(changed).filter((key) => key !== 'user_id' && key !== 'email');
  return `${kind}:${fields.sort().join(',')}`;
}

/** Returns the positions in `b` of the longest sequence that both lists have, by position in `a`. */
function longestCommonSequence(a: readonly string[], b: readonly string[]): Map<number, number> {
  // lengths[i][j] is the length for a.slice(i) and b.slice(j).
  const lengths = Array.from({length: a.length + 1}, () => new Array<number>(b.length + 1).fill(0));
  const lengthAt = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    const row = lengths[i] ?? [];
    for (let j = b.length - 1; j >= 0; j--) {
      row[j] = a[i] === b[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  const pairs = new Map<number, number>();
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.set(i++, j++);
    else if (lengthAt(i + 1, j) > lengthAt(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

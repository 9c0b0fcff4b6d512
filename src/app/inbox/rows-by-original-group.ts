import type {ArrangedGroup, ArrangedRow} from './arranged-row.ts';

interface GroupSplit {
  /** Placed in this group, in the order of their places. */
  readonly own: readonly ArrangedRow[];
  /** Placed in another one. */
  readonly away: readonly ArrangedRow[];
}

/** By the group, which stays the same object while nothing changes there: most groups, at most keys. */
const groupSplits = new WeakMap<ArrangedGroup, GroupSplit>();

/** In the groups where they were placed, which mostly are those they belong to now. */
export function rowsByOriginalGroup(
  groups: readonly ArrangedGroup[],
  gone: ArrangedRow | undefined,
): readonly ArrangedGroup[] {
  const guests = groups.flatMap((group) => groupSplitOf(group).away);
  if (gone !== undefined) guests.push(gone);
  return groups.map((group) => {
    const {own} = groupSplitOf(group);
    const others = guests.filter(({position: placed}) => placed.group === group.id);
    return {id: group.id, rows: others.length === 0 ? own : ordered([...own, ...others])};
  });
}

function groupSplitOf(group: ArrangedGroup): GroupSplit {
  const known = groupSplits.get(group);
  if (known !== undefined) return known;
  const {id, rows} = group;
  const away = rows.filter(({position: placed}) => placed.group !== id);
  const own = ordered(away.length === 0 ? rows : rows.filter(({position: placed}) => placed.group === id));
  const standing = {own, away};
  groupSplits.set(group, standing);
  return standing;
}

/** Mostly they are in order already. */
function ordered(rows: readonly ArrangedRow[]): readonly ArrangedRow[] {
  let last = Number.NEGATIVE_INFINITY;
  for (const {position: placed} of rows) {
    if (placed.at < last) return rows.toSorted((a, b) => a.position.at - b.position.at);
    last = placed.at;
  }
  return rows;
}

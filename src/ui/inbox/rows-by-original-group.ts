import type {ArrangedGroup, ArrangedRow} from './arranged-row.ts';

/** The rows of a group, split by the group of their position. */
interface GroupSplit {
  /** Positioned in this group, in order. */
  readonly positionedHere: readonly ArrangedRow[];
  /** Positioned in another group. */
  readonly positionedElsewhere: readonly ArrangedRow[];
}

/** Keyed by the group, whose object stays the same while nothing changes in it: for most groups at most keys. */
const groupSplits = new WeakMap<ArrangedGroup, GroupSplit>();

/** Returns the rows in the groups of their positions, which mostly are the groups they belong to now. */
export function rowsByOriginalGroup(
  groups: readonly ArrangedGroup[],
  removedRow: ArrangedRow | undefined,
): readonly ArrangedGroup[] {
  const movedRows = groups.flatMap((group) => groupSplitOf(group).positionedElsewhere);
  if (removedRow !== undefined) movedRows.push(removedRow);
  return groups.map((group) => {
    const {positionedHere} = groupSplitOf(group);
    const others = movedRows.filter(({position}) => position.group === group.id);
    return {
      id: group.id,
      rows: others.length === 0 ? positionedHere : sortedByPosition([...positionedHere, ...others]),
    };
  });
}

function groupSplitOf(group: ArrangedGroup): GroupSplit {
  const cached = groupSplits.get(group);
  if (cached !== undefined) return cached;
  const {id, rows} = group;
  const positionedElsewhere = rows.filter(({position}) => position.group !== id);
  const positionedHere = sortedByPosition(
    positionedElsewhere.length === 0 ? rows : rows.filter(({position}) => position.group === id),
  );
  const split = {positionedHere, positionedElsewhere};
  groupSplits.set(group, split);
  return split;
}

/** Returns the rows sorted by position; mostly they are sorted already. */
function sortedByPosition(rows: readonly ArrangedRow[]): readonly ArrangedRow[] {
  let last = Number.NEGATIVE_INFINITY;
  for (const {position} of rows) {
    if (position.at < last) return rows.toSorted((a, b) => a.position.at - b.position.at);
    last = position.at;
  }
  return rows;
}

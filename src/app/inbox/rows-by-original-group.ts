import type {ArrangedGroup, ArrangedRow} from './arranged-row.ts';

interface Standing {
  /** Placed in this group, in the order of their places. */
  readonly own: readonly ArrangedRow[];
  /** Placed in another one. */
  readonly away: readonly ArrangedRow[];
}

/** By the group, which stays the same object while nothing changes there: most groups, at most keys. */
const standings = new WeakMap<ArrangedGroup, Standing>();

/** In the groups where they were placed, which mostly are those they belong to now. */
export function whereTheyStand(
  groups: readonly ArrangedGroup[],
  gone: ArrangedRow | undefined,
): readonly ArrangedGroup[] {
  const guests = groups.flatMap((group) => standingOf(group).away);
  if (gone !== undefined) guests.push(gone);
  return groups.map((group) => {
    const {own} = standingOf(group);
    const others = guests.filter(({placed}) => placed.group === group.id);
    return {id: group.id, rows: others.length === 0 ? own : ordered([...own, ...others])};
  });
}

function standingOf(group: ArrangedGroup): Standing {
  const known = standings.get(group);
  if (known !== undefined) return known;
  const {id, rows} = group;
  const away = rows.filter(({placed}) => placed.group !== id);
  const own = ordered(away.length === 0 ? rows : rows.filter(({placed}) => placed.group === id));
  const standing = {own, away};
  standings.set(group, standing);
  return standing;
}

/** Mostly they are in order already. */
function ordered(rows: readonly ArrangedRow[]): readonly ArrangedRow[] {
  let last = Number.NEGATIVE_INFINITY;
  for (const {placed} of rows) {
    if (placed.at < last) return rows.toSorted((a, b) => a.placed.at - b.placed.at);
    last = placed.at;
  }
  return rows;
}

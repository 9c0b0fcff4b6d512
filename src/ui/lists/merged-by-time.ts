/**
 * Returns the rows of several lists as one, by time; each list keeps its own order. A row whose time is not known stays behind
 * the row before it.
 */
export function mergedByTime<R>(
  lists: readonly (readonly R[])[],
  timeOf: (row: R) => number | undefined,
  isOldestFirst = false,
): readonly R[] {
  const sign = isOldestFirst ? 1 : -1;
  const timed = lists.flatMap((rows) => {
    let latest = Number.NEGATIVE_INFINITY;
    return rows.map((row) => {
      // The place of a row in its list counts more than its time: it may have got newer messages there.
      const time = timeOf(row);
      latest = Math.max(latest, time === undefined ? latest : sign * time);
      return {row, at: latest};
    });
  });
  return timed.sort((a, b) => (a.at === b.at ? 0 : a.at - b.at)).map(({row}) => row);
}

/**
 * What a story may run under. The first value of each axis is the common one, and the default of the fixtures. The page of
 * fixtures says which of them have an axis.
 */
export const axes = {
  connection: ['online', 'offline'],
  organizations: [1, 3],
  panes: [1, 2],
  messages: ['one', 'several'],
  start: ['fresh', 'restarted'],
} as const;

type Axes = typeof axes;
type AxisValues<N extends keyof Axes> = {readonly [K in N]: Axes[K][number]};

/** Returns a row for `test.each` for every combination of the values of the named axes. */
export function acrossAxes<const N extends keyof Axes>(...names: readonly N[]): readonly AxisValues<N>[] {
  const rows = names.reduce<readonly object[]>(
    (before, name) => before.flatMap((row) => axes[name].map((value) => ({...row, [name]: value}))),
    [{}],
  );
  return rows as readonly AxisValues<N>[]; // Each row has a value of every named axis.
}

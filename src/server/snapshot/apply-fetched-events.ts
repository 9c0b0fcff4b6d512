import {snapshotKeysChangedBy} from '#wire/fetch-types.ts';

type State = Readonly<Record<string, unknown>>;

/**
 * Returns the state of a registration during which events arrived, from the states at its start and at its end. Only
 * events of fetched types are applied: a key is as at the end if such an event changed it. A key that an event of
 * another type changed, too, stays as at the start, although the queue continues after that event.
 */
export function applyFetchedEvents(
  start: State,
  end: State,
  eventTypes: ReadonlySet<string>,
  fetchTypes: ReadonlySet<string> | undefined,
): State {
  const isFetched = (type: string) => fetchTypes === undefined || fetchTypes.has(type);
  const changed = new Set<string>();
  for (const type of eventTypes) if (isFetched(type)) for (const key of snapshotKeysChangedBy(type)) changed.add(key);
  for (const type of eventTypes)
    if (!isFetched(type)) for (const key of snapshotKeysChangedBy(type)) changed.delete(key);
  return {...start, ...Object.fromEntries(Object.entries(end).filter(([key]) => changed.has(key)))};
}

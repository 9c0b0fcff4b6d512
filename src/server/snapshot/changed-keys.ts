import {snapshotKeysChangedBy} from '#wire/fetch-types.ts';

/**
 * Returns the keys of a registration's state that events changed which arrived while it was made. Only events of fetched
 * types are applied: a key that an event of another type changed, too, stays as it was, although the queue continues
 * after that event.
 */
export function keysChangedByEvents(
  eventTypes: ReadonlySet<string>,
  fetchTypes: ReadonlySet<string> | undefined,
): Set<string> {
  const keysOf = (isApplied: boolean) => {
    const isFetched = (type: string) => fetchTypes === undefined || fetchTypes.has(type);
    return new Set([...eventTypes].filter((type) => isFetched(type) === isApplied).flatMap(snapshotKeysChangedBy));
  };
  return keysOf(true).difference(keysOf(false));
}

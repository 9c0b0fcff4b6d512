import type {MessageArrivals} from '#state/state.ts';

/** Servers number messages before they tell of them, so that events of this many may come out of order. */
const reordering = 100;

/** An answer brought messages that were not loaded. */
export function withAwaitedMessages(arrivals: MessageArrivals, ids: readonly number[]): MessageArrivals {
  const awaited = ids.filter((id) => id > arrivals.newest - reordering && !arrivals.awaited.has(id));
  return awaited.length === 0 ? arrivals : {...arrivals, awaited: arrivals.awaited.withAll(awaited)};
}

/** Costs nothing beyond those that are no longer waited for. */
export function withArrivedMessage(arrivals: MessageArrivals, id: number): MessageArrivals {
  const newest = Math.max(arrivals.newest, id);
  const settled = arrivals.awaited.has(id) ? [id] : [];
  for (const each of arrivals.awaited) {
    if (each > newest - reordering) break;
    settled.push(each);
  }
  if (newest === arrivals.newest && settled.length === 0) return arrivals;
  return {newest, awaited: settled.length === 0 ? arrivals.awaited : arrivals.awaited.withoutAll(settled)};
}

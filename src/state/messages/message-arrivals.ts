import type {MessageArrivals} from '#state/state.ts';

/**
 * Servers assign message ids before they send the events, so events of about this many messages may arrive
 * out of order.
 */
const reorderingWindow = 100;

/** Records messages that a response brought before their events. */
export function withAwaitedMessages(arrivals: MessageArrivals, ids: readonly number[]): MessageArrivals {
  const awaited = ids.filter((id) => id > arrivals.newest - reorderingWindow && !arrivals.awaited.has(id));
  return awaited.length === 0 ? arrivals : {...arrivals, awaited: arrivals.awaited.withAll(awaited)};
}

/** Records that a message's event arrived. Costs only the entries that are removed. */
export function withArrivedMessage(arrivals: MessageArrivals, id: number): MessageArrivals {
  const newest = Math.max(arrivals.newest, id);
  const finished = arrivals.awaited.has(id) ? [id] : [];
  for (const awaitedId of arrivals.awaited) {
    if (awaitedId > newest - reorderingWindow) break;
    finished.push(awaitedId);
  }
  if (newest === arrivals.newest && finished.length === 0) return arrivals;
  return {newest, awaited: finished.length === 0 ? arrivals.awaited : arrivals.awaited.withoutAll(finished)};
}

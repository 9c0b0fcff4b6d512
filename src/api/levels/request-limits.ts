import type {CallOptions} from '#api/connection-options.ts';

/** Requests that one call of ours may have under way when an older server has to be asked piece by piece. */
export const maxParallelRequests = 4;

/** Ids that fit into a query: gateways commonly refuse a request line above 8 KiB. */
export const idsPerQuery = 400;

/** Work that a server does in batches may take most of a minute per request. */
export function withLongTimeout<O extends CallOptions>(options: O): O {
  return {timeoutMs: 90_000, ...options};
}

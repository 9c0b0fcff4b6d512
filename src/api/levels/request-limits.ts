import type {CallOptions} from '#api/connection-options.ts';

/** The number of parallel requests of one call, when an older server needs many small requests. */
export const maxParallelRequests = 4;

/** The number of ids in one query: gateways commonly reject a request line above 8 KiB. */
export const idsPerQuery = 400;

/** Sets a long timeout: batched work may take most of a minute per request. */
export function withLongTimeout<O extends CallOptions>(options: O): O {
  return {timeoutMs: 90_000, ...options};
}

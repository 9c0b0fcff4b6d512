import type {Connection} from '#api/connection.ts';
import type {CallOptions} from '#api/connection-options.ts';
import type {ArgsOf, ResultOf} from '#wire/endpoint.ts';
import type {EndpointName, Endpoints} from '#wire/endpoints.ts';
import {isRefusal} from '#wire/failure.ts';

/** A call of an endpoint that takes more than one request, or another one on older servers. */
export type AdaptedCall<N extends EndpointName, R = ResultOf<Endpoints[N]>> = (
  connection: Connection,
  ...rest: Record<never, never> extends ArgsOf<Endpoints[N]>
    ? [args?: ArgsOf<Endpoints[N]>, options?: CallOptions]
    : [args: ArgsOf<Endpoints[N]>, options?: CallOptions]
) => Promise<R>;

/** The number of parallel requests of one call, when an older server needs many small requests. */
export const maxParallelRequests = 4;

/** The number of ids in one query: gateways commonly reject a request line above 8 KiB. */
export const idsPerQuery = 400;

/** Sets a long timeout: batched work may take most of a minute per request. */
export function withLongTimeout<O extends CallOptions>(options: O): O {
  return {timeoutMs: 90_000, ...options};
}

/** Returns the result of a request; undefined when the server refuses it. */
export async function unlessRefused<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** Runs a task for each item, at most `limit` at once. Returns the results in the items' order; stops at the first error. */
export async function mapInParallel<T, R>(
  items: readonly T[],
  limit: number,
  task: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  let failed = false;
  async function work(): Promise<void> {
    for (const [index, item] of queue) {
      if (failed) return;
      try {
        results[index] = await task(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  }
  await Promise.all(Array.from({length: Math.min(limit, items.length)}, work));
  return results;
}

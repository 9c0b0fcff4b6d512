import type {Connection} from '#api/connection.ts';
import type {CallOptions} from '#api/connection-options.ts';
import type {ArgsOf, ResultOf} from '#wire/endpoint.ts';
import type {EndpointName, Endpoints} from '#wire/endpoints.ts';

/** A call of an endpoint that takes more than one request, or another one on older servers. */
export type AdaptedCall<N extends EndpointName, R = ResultOf<Endpoints[N]>> = (
  connection: Connection,
  args: ArgsOf<Endpoints[N]>,
  options?: CallOptions,
) => Promise<R>;

/** The number of parallel requests of one call, when an older server needs many small requests. */
export const maxParallelRequests = 4;

/** The number of ids in one query: gateways commonly reject a request line above 8 KiB. */
export const idsPerQuery = 400;

/** Sets a long timeout: batched work may take most of a minute per request. */
export function withLongTimeout<O extends CallOptions>(options: O): O {
  return {timeoutMs: 90_000, ...options};
}

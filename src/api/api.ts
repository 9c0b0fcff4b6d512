import {adaptedCalls} from '#api/levels/adapted-calls.ts';
import type {ArgsOf, Endpoint, ResultOf} from '#wire/endpoint.ts';
import {type EndpointName, type Endpoints, endpoints} from '#wire/endpoints.ts';
import type {Connection} from './connection.ts';
import type {CallOptions} from './connection-options.ts';

type Adapted = typeof adaptedCalls;

type PlainCall<E> =
  Record<never, never> extends ArgsOf<E>
    ? (args?: ArgsOf<E>, options?: CallOptions) => Promise<ResultOf<E>>
    : (args: ArgsOf<E>, options?: CallOptions) => Promise<ResultOf<E>>;

type BoundCall<F> = F extends (connection: Connection, ...rest: infer A) => infer R
  ? (...rest: A) => R
  : never;

/** One function per endpoint, and the few that are made of several. All speak as the newest servers do. */
export type Api = {readonly [N in Exclude<EndpointName, keyof Adapted>]: PlainCall<Endpoints[N]>} & {
  readonly [N in keyof Adapted]: BoundCall<Adapted[N]>;
} & {readonly connection: Connection};

export function makeApi(connection: Connection): Api {
  const api: Record<string, unknown> = {connection};
  for (const [name, endpoint] of Object.entries(endpoints)) {
    // Each entry of the table has its own parameters; the type of the function says which.
    const any = endpoint as unknown as Endpoint;
    api[name] = (args: object = {}, options?: CallOptions) => connection.call(any, args, options);
  }
  for (const [name, make] of Object.entries(adaptedCalls)) {
    const call = make as (...given: unknown[]) => unknown;
    api[name] = (...given: unknown[]) => call(connection, ...given);
  }
  return api as Api; // Built name by name from the two tables that the type is made of.
}

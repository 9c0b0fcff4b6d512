import * as channels from '#api/levels/channels.ts';
import * as files from '#api/levels/files.ts';
import * as flags from '#api/levels/flags.ts';
import * as messages from '#api/levels/messages.ts';
import * as organization from '#api/levels/organization.ts';
import * as people from '#api/levels/people.ts';
import type {ArgsOf, Endpoint, ResultOf} from '#wire/endpoint.ts';
import {type EndpointName, type Endpoints, endpoints} from '#wire/endpoints.ts';
import type {Connection} from './connection.ts';
import type {CallOptions} from './connection-options.ts';

/**
 * Calls that take more than one request of the endpoint table: older servers need other requests, long work is repeated until
 * it is done, and callers always get the current shape. They are what these files export. Parameters with other names or
 * values are handled in `encode-request.ts`.
 */
const adaptedCalls = {...channels, ...files, ...flags, ...messages, ...organization, ...people};

type Adapted = typeof adaptedCalls;

type PlainCall<E> =
  Record<never, never> extends ArgsOf<E>
    ? (args?: ArgsOf<E>, options?: CallOptions) => Promise<ResultOf<E>>
    : (args: ArgsOf<E>, options?: CallOptions) => Promise<ResultOf<E>>;

type BoundCall<F> = F extends (connection: Connection, ...rest: infer A) => infer R ? (...rest: A) => R : never;

/**
 * The calls of Zulip's REST API: one function per endpoint, and the adapted ones of `levels/`. Arguments and results have the
 * shape of the newest server, whatever the server's feature level.
 */
export type Api = {readonly [N in Exclude<EndpointName, keyof Adapted>]: PlainCall<Endpoints[N]>} & {
  readonly [N in keyof Adapted]: BoundCall<Adapted[N]>;
} & {readonly connection: Connection};

export function makeApi(connection: Connection): Api {
  const api: Record<string, unknown> = {connection};
  for (const [name, endpoint] of Object.entries(endpoints)) {
    // Each endpoint has its own parameters; the type `Api` declares them.
    const any = endpoint as unknown as Endpoint;
    api[name] = (args: object = {}, options?: CallOptions) => connection.call(any, args, options);
  }
  for (const [name, adapted] of Object.entries(adaptedCalls)) {
    const call = adapted as (...args: unknown[]) => unknown;
    api[name] = (...args: unknown[]) => call(connection, ...args);
  }
  return api as Api; // Built from the two tables that define the type.
}

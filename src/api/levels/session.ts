import type {Connection} from '#api/connection.ts';
import type {CallOptions} from '#api/connection-options.ts';
import type {ArgsOf, ResultOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {featureLevel} from '#wire/objects/version.ts';

/** Fetches the server settings and sets the connection's feature level. */
export async function getServerSettings(
  connection: Connection,
  args: ArgsOf<typeof endpoints.getServerSettings> = {},
  options: CallOptions = {},
): Promise<ResultOf<typeof endpoints.getServerSettings>> {
  const settings = await connection.call(endpoints.getServerSettings, args, options);
  connection.level = featureLevel(settings);
  return settings;
}

/** Registers an event queue and sets the connection's feature level. A large organization's snapshot takes long. */
export async function register(
  connection: Connection,
  args: ArgsOf<typeof endpoints.register>,
  options: CallOptions = {},
): Promise<ResultOf<typeof endpoints.register>> {
  const snapshot = await connection.call(endpoints.register, args, {timeoutMs: 90_000, ...options});
  connection.level = featureLevel(snapshot);
  return snapshot;
}

import type {Connection} from '#api/connection.ts';
import type {CallOptions} from '#api/connection-options.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {levels} from '#wire/levels.ts';
import {
  isLegacyPresences,
  modernPresence,
  type SinglePresence,
  type WirePresence,
  type WirePresences,
} from '#wire/objects/presence.ts';

export interface PresenceUpdate {
  /** The changes since `last_update_id`; all presences without it, and below level 263. */
  readonly presences: WirePresences;
  /** The id to pass with the next update. Undefined on servers that do not support it. */
  readonly presence_last_update_id: number | undefined;
  readonly server_timestamp: number | undefined;
}

export async function updatePresence(
  connection: Connection,
  args: Omit<ArgsOf<typeof endpoints.updatePresence>, 'slim_presence'>,
  options: CallOptions = {},
): Promise<PresenceUpdate> {
  const params = {...args, slim_presence: true};
  const response = await connection.call(endpoints.updatePresence, params, options);
  const table = response.presences ?? {};
  return {
    presences: isLegacyPresences(table) ? {} : table,
    // The response to a mere ping does not contain it.
    presence_last_update_id: response.presence_last_update_id ?? args.last_update_id,
    server_timestamp: response.server_timestamp,
  };
}

export interface UserPresenceResult {
  readonly presence: WirePresence;
  readonly server_timestamp: number | undefined;
}

export async function getUserPresence(
  connection: Connection,
  args: ArgsOf<typeof endpoints.getUserPresence>,
  options: CallOptions = {},
): Promise<UserPresenceResult> {
  const {presence, server_timestamp} = await connection.call(endpoints.getUserPresence, args, options);
  return {presence: modern(presence), server_timestamp};
}

export async function getUserPresenceByEmail(
  connection: Connection,
  args: ArgsOf<typeof endpoints.getUserPresenceByEmail>,
  options: CallOptions = {},
): Promise<UserPresenceResult> {
  const {presence, server_timestamp} = await connection.call(endpoints.getUserPresenceByEmail, args, options);
  return {presence: modern(presence), server_timestamp};
}

/** Returns a presence in the current format. Below level 487 there are only the legacy keys. */
function modern({active_timestamp, idle_timestamp, website, aggregated}: SinglePresence): WirePresence {
  if (active_timestamp !== undefined || idle_timestamp !== undefined) return {active_timestamp, idle_timestamp};
  return modernPresence({...(website && {website}), ...(aggregated && {aggregated})});
}

/** Changes settings. Below level 148 invisible mode is the status `away`. */
export async function updateSettings(
  connection: Connection,
  args: ArgsOf<typeof endpoints.updateSettings>,
  options: CallOptions = {},
): Promise<object> {
  const {presence_enabled: visible, ...rest} = args;
  if (visible === undefined || connection.level >= levels.invisibleMode) {
    return connection.call(endpoints.updateSettings, args, options);
  }
  const response = await connection.call(endpoints.updateStatus, {away: !visible}, options);
  const hasMore = Object.values(rest).some((value) => value !== undefined);
  return hasMore ? connection.call(endpoints.updateSettings, rest, options) : response;
}

import type {Connection} from '#api/connection.ts';
import type {CallOptions} from '#api/connection-options.ts';
import {batches} from '#std/batches.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {levels} from '#wire/levels.ts';
import {isLegacyPresences, type WirePresences} from '#wire/objects/user.ts';
import {type AdaptedCall, idsPerQuery, mapInParallel, maxParallelRequests, unlessRefused} from './adapted-call.ts';

/**
 * Reports the own presence, and returns the changes of others since `last_update_id` and the id to pass with the next
 * update. Without one, and below level 263, all presences and no id.
 */
export async function updatePresence(
  connection: Connection,
  args: Omit<ArgsOf<typeof endpoints.updatePresence>, 'slim_presence'>,
  options: CallOptions = {},
) {
  const params = {...args, slim_presence: true};
  const response = await connection.call(endpoints.updatePresence, params, options);
  const table = response.presences ?? {};
  const presences: WirePresences = isLegacyPresences(table) ? {} : table;
  return {
    presences,
    // The response to a mere ping does not contain it.
    presence_last_update_id: response.presence_last_update_id ?? args.last_update_id,
    server_timestamp: response.server_timestamp,
  };
}

/** Changes settings. Below level 148 invisible mode is the status `away`. */
export const updateSettings: AdaptedCall<'updateSettings'> = async (connection, args = {}, options = {}) => {
  const {presence_enabled: visible, ...rest} = args;
  if (visible === undefined || connection.level >= levels.invisibleMode) {
    return connection.call(endpoints.updateSettings, args, options);
  }
  const response = await connection.call(endpoints.updateStatus, {away: !visible}, options);
  const hasMore = Object.values(rest).some((value) => value !== undefined);
  return hasMore ? connection.call(endpoints.updateSettings, rest, options) : response;
};

/** For more users, one request for all users is cheaper than one each. */
const manyUsers = 40;

/** Returns users, or those with the given ids. Users without access are omitted. */
export const getUsers: AdaptedCall<'getUsers'> = async (connection, args = {}, options = {}) => {
  const {user_ids: requestedIds, ...shared} = args;
  if (requestedIds === undefined) return connection.call(endpoints.getUsers, shared, options);
  const ids = [...new Set(requestedIds)];
  if (connection.level >= levels.usersByIds) {
    const pages = await mapInParallel(batches(ids, idsPerQuery), 1, (user_ids) =>
      connection.call(endpoints.getUsers, {...shared, user_ids}, options),
    );
    return {members: pages.flatMap(({members}) => members)};
  }
  if (ids.length > manyUsers) {
    const idSet = new Set(ids);
    const {members} = await connection.call(endpoints.getUsers, shared, options);
    return {members: members.filter(({user_id}) => idSet.has(user_id))};
  }
  const users = await mapInParallel(ids, maxParallelRequests, (user_id) =>
    unlessRefused(connection.call(endpoints.getUser, {...shared, user_id}, options)),
  );
  return {members: users.flatMap((found) => found?.user ?? [])};
};

/** Updates a user by e-mail. Below level 313 a user can only be updated by id. */
export const updateUserByEmail: AdaptedCall<'updateUserByEmail'> = async (connection, args, options = {}) => {
  if (connection.level >= levels.userByEmail) return connection.call(endpoints.updateUserByEmail, args, options);
  const {email, ...changes} = args;
  const {user} = await connection.call(endpoints.getUserByEmail, {email}, options);
  return connection.call(endpoints.updateUser, {...changes, user_id: user.user_id}, options);
};

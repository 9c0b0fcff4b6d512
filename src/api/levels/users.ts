import type {Connection} from '#api/connection.ts';
import type {CallOptions} from '#api/connection-options.ts';
import {isRefusal} from '#api/failure.ts';
import {mapInParallel} from '#api/parallel.ts';
import {batches} from '#std/batches.ts';
import type {ArgsOf, ResultOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {levels} from '#wire/levels.ts';
import type {WireUser} from '#wire/objects/user.ts';
import {idsPerQuery, maxParallelRequests} from './request-limits.ts';

type UserListArgs = ArgsOf<typeof endpoints.getUsers>;

/** For more users, one request for all users is cheaper than one each. */
const manyUsers = 40;

/** Returns users, or those with the given ids. Users without access are omitted. */
export async function getUsers(
  connection: Connection,
  args: UserListArgs = {},
  options: CallOptions = {},
): Promise<ResultOf<typeof endpoints.getUsers>> {
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
  const pages = await mapInParallel(ids, maxParallelRequests, (id) => oneUser(connection, id, shared, options));
  return {members: pages.flat()};
}

async function oneUser(
  connection: Connection,
  user_id: number,
  shared: Omit<UserListArgs, 'user_ids'>,
  options: CallOptions,
): Promise<WireUser[]> {
  try {
    return [(await connection.call(endpoints.getUser, {...shared, user_id}, options)).user];
  } catch (error) {
    if (isRefusal(error)) return [];
    throw error;
  }
}

/** Updates a user by e-mail. Below level 313 a user can only be updated by id. */
export async function updateUserByEmail(
  connection: Connection,
  args: ArgsOf<typeof endpoints.updateUserByEmail>,
  options: CallOptions = {},
): Promise<object> {
  if (connection.level >= levels.userByEmail) {
    return connection.call(endpoints.updateUserByEmail, args, options);
  }
  const {email, ...changes} = args;
  const {user} = await connection.call(endpoints.getUserByEmail, {email}, options);
  return connection.call(endpoints.updateUser, {...changes, user_id: user.user_id}, options);
}

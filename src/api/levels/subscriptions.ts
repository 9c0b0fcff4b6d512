import type {Connection} from '#api/connection.ts';
import type {CallOptions} from '#api/connection-options.ts';
import {isApiFailure} from '#api/failure.ts';
import {mapInParallel} from '#api/parallel.ts';
import type {ArgsOf, ResultOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {levels} from '#wire/levels.ts';
import {maxParallelRequests} from './request-limits.ts';

type NamesByUser = Record<string, string[]>;

/** Subscribes users. `subscribed` and `already_subscribed` of the result are keyed by user id. */
export async function subscribe(
  connection: Connection,
  args: ArgsOf<typeof endpoints.subscribe>,
  options: CallOptions = {},
): Promise<ResultOf<typeof endpoints.subscribe>> {
  const response = await connection.call(endpoints.subscribe, args, options);
  const id = await keysToIds(connection, [response.subscribed, response.already_subscribed], options);
  return {
    ...response,
    subscribed: id(response.subscribed),
    already_subscribed: id(response.already_subscribed),
  };
}

export async function changeSubscriptions(
  connection: Connection,
  args: ArgsOf<typeof endpoints.changeSubscriptions>,
  options: CallOptions = {},
): Promise<ResultOf<typeof endpoints.changeSubscriptions>> {
  const response = await connection.call(endpoints.changeSubscriptions, args, options);
  const {subscribed = {}, already_subscribed: already = {}} = response;
  const id = await keysToIds(connection, [subscribed, already], options);
  return {...response, subscribed: id(subscribed), already_subscribed: id(already)};
}

/**
 * Returns a function that replaces e-mail keys by user ids. Below level 289 the keys are e-mails. The subscription is done at
 * this point, so an e-mail that cannot be looked up stays instead of causing a failure.
 */
async function keysToIds(
  connection: Connection,
  tables: readonly NamesByUser[],
  options: CallOptions,
): Promise<(table: NamesByUser) => NamesByUser> {
  if (connection.level >= levels.subscribedById) return (table) => table;
  const emails = [...new Set(tables.flatMap(Object.keys))];
  const entries = await mapInParallel(emails, maxParallelRequests, async (email): Promise<[string, string]> => {
    try {
      const {user} = await connection.call(endpoints.getUserByEmail, {email}, options);
      return [email, String(user.user_id)];
    } catch (error) {
      if (isApiFailure(error)) return [email, email];
      throw error;
    }
  });
  const idByEmail = new Map(entries);
  return (table) =>
    Object.fromEntries(Object.entries(table).map(([email, names]) => [idByEmail.get(email) ?? email, names]));
}

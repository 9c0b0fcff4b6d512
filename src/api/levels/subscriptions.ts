import type {Connection} from '#api/connection.ts';
import type {CallOptions} from '#api/connection-options.ts';
import {isApiFailure} from '#api/failure.ts';
import {mapInParallel} from '#api/parallel.ts';
import type {ArgsOf, ResultOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {levels} from '#wire/levels.ts';
import {maxParallelRequests} from './request-limits.ts';

type NamesByUser = Record<string, string[]>;

/** `subscribed` and `already_subscribed` are keyed by user id. */
export async function subscribe(
  connection: Connection,
  args: ArgsOf<typeof endpoints.subscribe>,
  options: CallOptions = {},
): Promise<ResultOf<typeof endpoints.subscribe>> {
  const answer = await connection.call(endpoints.subscribe, args, options);
  const id = await idsOf(connection, [answer.subscribed, answer.already_subscribed], options);
  return {
    ...answer,
    subscribed: id(answer.subscribed),
    already_subscribed: id(answer.already_subscribed),
  };
}

export async function changeSubscriptions(
  connection: Connection,
  args: ArgsOf<typeof endpoints.changeSubscriptions>,
  options: CallOptions = {},
): Promise<ResultOf<typeof endpoints.changeSubscriptions>> {
  const answer = await connection.call(endpoints.changeSubscriptions, args, options);
  const {subscribed = {}, already_subscribed: already = {}} = answer;
  const id = await idsOf(connection, [subscribed, already], options);
  return {...answer, subscribed: id(subscribed), already_subscribed: id(already)};
}

/**
 * Below level 289 the keys are emails. The work is done by then, so an email that cannot be looked up stays as it is
 * instead of making a failure of it.
 */
async function idsOf(
  connection: Connection,
  tables: readonly NamesByUser[],
  options: CallOptions,
): Promise<(table: NamesByUser) => NamesByUser> {
  if (connection.level >= levels.subscribedById) return (table) => table;
  const emails = [...new Set(tables.flatMap(Object.keys))];
  const found = await mapInParallel(emails, maxParallelRequests, async (email): Promise<[string, string]> => {
    try {
      const {user} = await connection.call(endpoints.getUserByEmail, {email}, options);
      return [email, String(user.user_id)];
    } catch (error) {
      if (isApiFailure(error)) return [email, email];
      throw error;
    }
  });
  const idByEmail = new Map(found);
  return (table) =>
    Object.fromEntries(Object.entries(table).map(([email, names]) => [idByEmail.get(email) ?? email, names]));
}

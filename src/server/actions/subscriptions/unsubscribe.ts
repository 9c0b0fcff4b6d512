import {checkedChannelName} from '#server/actions/channels/checked-channel-fields.ts';
import type {ActionContext} from '#server/context.ts';
import {findChannelByName} from '#server/db/channels.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import type {UserViewRow} from '#server/db/users.ts';
import {badRequest} from '#server/http/errors.ts';
import {canSeeChannel} from '#server/permissions/channel.ts';
import {canRemoveOthers} from '#server/permissions/subscribe.ts';
import {findPrincipals} from './principals.ts';
import {unsubscribeUsers} from './subscribe-users.ts';

/** Unsubscribes users from channels. The lists have a channel once for each user. */
export function unsubscribe(
  act: ActionContext,
  actor: UserRow,
  input: readonly string[],
  principals: readonly (number | string)[] | undefined,
): {removed: string[]; not_removed: string[]} {
  const people = findPrincipals(act, actor, principals);
  const channels = new Map<number, ChannelRow>();
  const missing: string[] = [];
  for (const name of input.map(checkedChannelName)) {
    const channel = findChannelByName(act.db, name);
    // A hidden channel is the same as none.
    if (channel === undefined || !canSeeChannel(act, actor, channel)) missing.push(name);
    else channels.set(channel.id, channel);
  }
  const isOwn = (person: UserViewRow) => person.id === actor.id || person.bot_owner_id === actor.id;
  if (!people.every(isOwn) && !canRemoveOthers(act, actor, [...channels.values()])) {
    throw badRequest('Insufficient permission');
  }
  if (missing.length > 0) throw badRequest(`Channel(s) (${missing.join(', ')}) do not exist`);
  const ids = people.map((person) => person.id);
  const changes = unsubscribeUsers(act, [...channels.values()], ids);
  const namesOf = (wasSubscribed: boolean) =>
    ids.flatMap((id) =>
      changes.filter(({userIds}) => userIds.includes(id) === wasSubscribed).map(({channel}) => channel.name),
    );
  return {removed: namesOf(true), not_removed: namesOf(false)};
}

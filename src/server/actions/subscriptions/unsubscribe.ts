import type {ActionContext} from '#server/context.ts';
import {findChannelByName} from '#server/db/channels.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {canSeeChannel} from '#server/permissions/channel.ts';
import {canRemoveSubscriber} from '#server/permissions/subscribe.ts';
import {findPrincipals} from './principals.ts';
import {unsubscribeInSlices} from './subscribe-users.ts';

/** Unsubscribes users from channels. A channel counts as removed if at least one user was unsubscribed. */
export function* unsubscribe(
  act: ActionContext,
  actor: UserRow,
  names: readonly string[],
  principals: readonly (number | string)[] | undefined,
): Generator<void, {removed: string[]; not_removed: string[]}> {
  const people = findPrincipals(act, actor, principals);
  const channels = [...new Set(names)].map((name) => requireChannelByName(act, actor, name));
  const removed: string[] = [];
  const notRemoved: string[] = [];
  for (const channel of channels) {
    if (!people.every((person) => canRemoveSubscriber(act, actor, channel, person))) {
      throw badRequest('Insufficient permission');
    }
  }
  const ids = people.map((person) => person.id);
  for (const channel of channels) {
    const isChanged = yield* unsubscribeInSlices(act, channel, ids);
    (isChanged ? removed : notRemoved).push(channel.name);
  }
  return {removed, not_removed: notRemoved};
}

function requireChannelByName(act: ActionContext, actor: UserRow, name: string): ChannelRow {
  const channel = findChannelByName(act.db, name);
  if (channel === undefined || !canSeeChannel(act, actor, channel)) {
    throw badRequest(`Channel(s) (${name}) do not exist`);
  }
  return channel;
}

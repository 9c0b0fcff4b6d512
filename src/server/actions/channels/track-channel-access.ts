import {
  emitChannelCreate,
  emitChannelDelete,
  queueKnowsChannel,
} from '#server/actions/events/channel-events.ts';
import type {ActionContext} from '#server/context.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {channelPermissions, isSubscribed} from '#server/permissions/channel.ts';
import {hasPermission, isAdmin, isGuest} from '#server/permissions/has-permission.ts';
import {SystemGroup} from '#server/permissions/system-groups.ts';
import type {GroupSetting} from '#wire/objects/group-setting.ts';

/**
 * Runs a change of who is in which group, and tells connected people of the private channels that come into or go out
 * of their sight by it. Costs nothing unless a private channel names a group that is not a role.
 */
export function trackGroupChannelAccess(act: ActionContext, change: () => void): void {
  const channels = channelsOpenedByGroups(act);
  if (channels.length === 0) {
    change();
    return;
  }
  const people = connectedMembers(act);
  const before = openTo(act, people, channels);
  change();
  const after = openTo(act, people, channels);
  for (const person of people) {
    const had = before.get(person.id) ?? new Set<number>();
    const has = after.get(person.id) ?? new Set<number>();
    const reader = new Set([person.id]);
    for (const channel of notSubscribed(act, person, channels, has.difference(had))) {
      emitChannelCreate(act, channel, reader);
    }
    for (const channel of notSubscribed(act, person, channels, had.difference(has))) {
      emitChannelDelete(act, [channel.id], reader, (queue) => queueKnowsChannel(queue, channel));
    }
  }
}

const opening = ['can_administer_channel_group', 'can_add_subscribers_group', 'can_subscribe_group'] as const;

function channelsOpenedByGroups(act: ActionContext): ChannelRow[] {
  const candidates = act.db.all<ChannelRow>(
    `SELECT * FROM channel WHERE invite_only = 1 AND permissions <> '{}'`,
  );
  return candidates.filter((channel) => {
    const permissions = channelPermissions(channel);
    return opening.some((name) => namesMadeGroup(permissions[name]));
  });
}

function namesMadeGroup(setting: GroupSetting): boolean {
  const groups = typeof setting === 'number' ? [setting] : setting.direct_subgroups;
  return groups.some((id) => id > SystemGroup.nobody);
}

/** Administrators see all channels and guests only their own: groups change nothing for either. */
function connectedMembers(act: ActionContext): UserRow[] {
  const people: UserRow[] = [];
  for (const id of act.world.queues.connectedUsers()) {
    const user = findUser(act.db, id);
    if (user !== undefined && !isAdmin(user) && !isGuest(user)) people.push(user);
  }
  return people;
}

function openTo(
  act: ActionContext,
  people: readonly UserRow[],
  channels: readonly ChannelRow[],
): Map<number, Set<number>> {
  const open = new Map<number, Set<number>>();
  for (const person of people) {
    const ids = new Set<number>();
    for (const channel of channels) {
      const permissions = channelPermissions(channel);
      if (opening.some((name) => hasPermission(act, person, permissions[name]))) ids.add(channel.id);
    }
    open.set(person.id, ids);
  }
  return open;
}

function notSubscribed(
  act: ActionContext,
  person: UserRow,
  channels: readonly ChannelRow[],
  ids: ReadonlySet<number>,
): ChannelRow[] {
  return channels.filter(({id}) => ids.has(id) && !isSubscribed(act, person.id, id));
}

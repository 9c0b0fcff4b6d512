import {emitChannelDelete, emitChannelsVisible} from '#server/actions/events/channel-events.ts';
import type {ActionContext} from '#server/context.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {channelPermissions, channelsVisibleTo, isSubscribed} from '#server/permissions/channel.ts';
import {hasPermission, isAdmin, isGuest} from '#server/permissions/has-permission.ts';
import {SystemGroup} from '#server/permissions/permission-rules.ts';
import type {GroupSetting} from '#wire/objects/group.ts';
import {defaultChannelGroups, defaultChannelIds} from './default-channels.ts';

/**
 * Runs a change of group memberships and emits to connected users the private channels that become visible or hidden to
 * them. Does nothing else unless a private channel grants a permission to a custom group.
 */
export function trackGroupChannelAccess(act: ActionContext, change: () => void): void {
  const channels = channelsVisibleByGroups(act);
  if (channels.length === 0) {
    change();
    return;
  }
  const people = connectedMembers(act);
  const before = visibleChannelIds(act, people, channels);
  change();
  const after = visibleChannelIds(act, people, channels);
  for (const person of people) {
    const channelsBefore = before.get(person.id) ?? new Set<number>();
    const channelsAfter = after.get(person.id) ?? new Set<number>();
    const reader = new Set([person.id]);
    for (const channel of notSubscribed(act, person, channels, channelsAfter.difference(channelsBefore))) {
      emitChannelsVisible(act, [channel], reader);
    }
    for (const channel of notSubscribed(act, person, channels, channelsBefore.difference(channelsAfter))) {
      emitChannelDelete(act, [channel], reader);
    }
  }
}

const visibilityPermissions = [
  'can_administer_channel_group',
  'can_add_subscribers_group',
  'can_subscribe_group',
] as const;

function channelsVisibleByGroups(act: ActionContext): ChannelRow[] {
  const candidates = act.db.all<ChannelRow>(`SELECT * FROM channel WHERE invite_only = 1 AND permissions <> '{}'`);
  return candidates.filter((channel) => {
    const permissions = channelPermissions(channel);
    return visibilityPermissions.some((name) => includesCustomGroup(permissions[name]));
  });
}

function includesCustomGroup(setting: GroupSetting): boolean {
  const groups = typeof setting === 'number' ? [setting] : setting.direct_subgroups;
  return groups.some((id) => id > SystemGroup.nobody);
}

/** Returns the connected users without administrators and guests, whose visible channels do not depend on groups. */
function connectedMembers(act: ActionContext): UserRow[] {
  const people: UserRow[] = [];
  for (const id of act.server.queues.connectedUsers()) {
    const user = findUser(act.db, id);
    if (user !== undefined && !isAdmin(user) && !isGuest(user)) people.push(user);
  }
  return people;
}

function visibleChannelIds(
  act: ActionContext,
  people: readonly UserRow[],
  channels: readonly ChannelRow[],
): Map<number, Set<number>> {
  const visible = new Map<number, Set<number>>();
  for (const person of people) {
    const ids = new Set<number>();
    for (const channel of channels) {
      const permissions = channelPermissions(channel);
      if (visibilityPermissions.some((name) => hasPermission(act, person, permissions[name]))) ids.add(channel.id);
    }
    visible.set(person.id, ids);
  }
  return visible;
}

function notSubscribed(
  act: ActionContext,
  person: UserRow,
  channels: readonly ChannelRow[],
  ids: ReadonlySet<number>,
): ChannelRow[] {
  return channels.filter(({id}) => ids.has(id) && !isSubscribed(act, person.id, id));
}

/** Runs a change of a user's role and emits an event to that user for each channel that becomes visible or hidden. */
export function trackRoleChannelAccess(act: ActionContext, user: UserRow, change: () => UserRow): UserRow {
  if (!act.server.queues.isConnected(user.id)) return change();
  const before = new Map(channelsVisibleTo(act, user).map((channel) => [channel.id, channel]));
  const changed = change();
  const after = new Map(channelsVisibleTo(act, changed).map((channel) => [channel.id, channel]));
  const to = new Set([user.id]);
  emitChannelsVisible(act, missingFrom(before, after), to);
  // As on Zulip's servers, clients keep archived public channels; private ones are hidden from them.
  const isHidden = (channel: ChannelRow) => channel.is_archived === 0 || channel.invite_only === 1;
  emitChannelDelete(act, missingFrom(after, before).filter(isHidden), to);
  if (isGuest(user) !== isGuest(changed)) emitDefaultChannelsTo(act, changed);
  return changed;
}

function missingFrom(some: ReadonlyMap<number, ChannelRow>, all: ReadonlyMap<number, ChannelRow>): ChannelRow[] {
  return [...all.values()].filter(({id}) => !some.has(id));
}

/** Sends the user the list of default channels, which is empty for guests. */
function emitDefaultChannelsTo(act: ActionContext, user: UserRow): void {
  const default_streams = isGuest(user) ? [] : defaultChannelIds(act.db);
  act.emit({type: 'default_streams', to: [user.id], body: {default_streams}});
  const groups = defaultChannelGroups(act.db);
  if (groups.length === 0) return;
  const body = {default_stream_groups: isGuest(user) ? [] : groups};
  act.emit({type: 'default_stream_groups', to: [user.id], body});
}

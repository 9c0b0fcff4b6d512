import {defaultChannelGroups, defaultChannelIds, type GroupRow} from '#server/actions/events/channel-events.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import type {ChannelRow} from '#server/db/rows.ts';
import {badRequest, check, required} from '#server/errors.ts';
import {
  connectedNonGuests,
  requireActive,
  requireOpenChannel,
  requireReadableChannelByName,
  requireVisibleChannel,
} from '#server/permissions/channel.ts';
import {type Route, route} from '#server/route.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';

/** Adds the channel to the default channels or removes it. Repeating it is no error, and a removal is always emitted. */
export function setDefaultChannel(act: ActionContext, channel: ChannelRow, isDefault: boolean): void {
  if (isDefault && channel.invite_only === 1) throw badRequest('Private channels cannot be made default.');
  if (isDefault && channel.is_archived === 1) throw badRequest('Channel is archived.');
  if (isDefault && channel.is_default === 1) return;
  act.db.updateRow('channel', channel.id, {is_default: isDefault ? 1 : 0});
  emitDefaultChannels(act);
}

export function emitDefaultChannels(act: ActionContext): void {
  act.emit('default_streams', connectedNonGuests(act), {default_streams: defaultChannelIds(act.db)});
}

const maxGroupNameLength = 60;

type ChannelsChange = ParamsOf<typeof otherEndpoints.changeDefaultChannelGroup>;

export const defaultChannelRoutes: readonly Route[] = [
  route(endpoints.addDefaultChannel, 'admin', (call, {stream_id}) =>
    setDefaultChannel(call, requireOpenChannel(call, call.actor, stream_id), true),
  ),
  route(endpoints.removeDefaultChannel, 'admin', (call, {stream_id}) =>
    setDefaultChannel(call, requireActive(requireVisibleChannel(call, call.actor, stream_id)), false),
  ),

  route(otherEndpoints.createDefaultChannelGroup, 'admin', (call, {group_name: name, description, stream_names}) => {
    const channels = namedChannels(call, stream_names);
    checkNotDefault(channels, name);
    checkGroupName(call, name);
    const id = call.db.insertRow('default_channel_group', {name, description});
    for (const channel of channels) insertChannel(call, id, channel);
    emitGroups(call);
  }),
  route(otherEndpoints.updateDefaultChannelGroup, 'admin', (call, changes) => {
    const {group_id: id, new_group_name: name, new_description: description} = changes;
    if (!name && !description) throw badRequest('You must pass "new_description" or "new_group_name".');
    const group = requireChannelGroup(call, id);
    if (name !== undefined) {
      check(name !== group.name, `This default channel group is already named '${name}'`);
      checkGroupName(call, name);
      call.db.updateRow('default_channel_group', id, {name});
      emitGroups(call);
    }
    if (description !== undefined) {
      call.db.updateRow('default_channel_group', id, {description});
      emitGroups(call);
    }
  }),
  route(otherEndpoints.removeDefaultChannelGroup, 'admin', (call, {group_id: id}) => {
    call.db.deleteRows('default_channel_group', {id: requireChannelGroup(call, id).id});
    call.db.deleteRows('default_channel_group_channel', {group_id: id});
    emitGroups(call);
  }),
  route(otherEndpoints.changeDefaultChannelGroup, 'admin', changeDefaultChannelGroup),
];

/** Adds channels to a group or removes them, as `op` says. */
function changeDefaultChannelGroup(act: RequestContext, change: ChannelsChange): void {
  const {group_id: id, op} = change;
  const {name} = requireChannelGroup(act, id);
  const channels = namedChannels(act, change.stream_names);
  if (op === 'add') {
    for (const channel of channels) {
      checkNotDefault([channel], name);
      check(!isIn(act, id, channel), `Channel '${channel.name}' is already present in default channel group '${name}'`);
      insertChannel(act, id, channel);
    }
  } else if (op === 'remove') {
    const missing = channels.find((channel) => !isIn(act, id, channel));
    check(missing === undefined, `Channel '${missing?.name}' is not present in default channel group '${name}'`);
    for (const channel of channels) removeChannel(act, channel, id);
  } else {
    throw badRequest('Invalid value for "op". Specify one of "add" or "remove".');
  }
  emitGroups(act);
}

/** Removes an archived channel from all groups. */
export function leaveDefaultChannelGroups(act: ActionContext, channel: ChannelRow): void {
  const sql = 'SELECT group_id FROM default_channel_group_channel WHERE channel_id = ? ORDER BY group_id';
  for (const groupId of act.db.pluck(sql, channel.id)) {
    removeChannel(act, channel, groupId);
    emitGroups(act);
  }
}

function requireChannelGroup({db}: ActionContext, id: number): GroupRow {
  const group = required(
    db.find<GroupRow>('default_channel_group', {id}),
    `Default channel group with id '${id}' does not exist.`,
  );
  return group;
}

function namedChannels(act: RequestContext, names: readonly string[]): ChannelRow[] {
  return [...new Set(names)].map((name) => requireReadableChannelByName(act, act.actor, name));
}

function checkNotDefault(channels: readonly ChannelRow[], groupName: string): void {
  const channel = channels.find(({is_default}) => is_default === 1);
  check(channel === undefined, `'${channel?.name}' is a default channel and cannot be added to '${groupName}'`);
}

function checkGroupName({db}: ActionContext, name: string): void {
  check(name.trim() !== '', `Invalid default channel group name '${name}'`);
  if (Array.from(name).length > maxGroupNameLength) {
    throw badRequest(`Default channel group name too long (limit: ${maxGroupNameLength} characters)`);
  }
  if (name.includes('\0')) {
    throw badRequest(`Default channel group name '${name}' contains NULL (0x00) characters.`);
  }
  check(!db.has('default_channel_group', {name}), `Default channel group '${name}' already exists`);
}

function isIn({db}: ActionContext, groupId: number, {id}: ChannelRow): boolean {
  return db.has('default_channel_group_channel', {group_id: groupId, channel_id: id});
}

function insertChannel({db}: ActionContext, groupId: number, {id}: ChannelRow): void {
  db.insertRow('default_channel_group_channel', {group_id: groupId, channel_id: id});
}

function removeChannel({db}: ActionContext, {id}: ChannelRow, groupId: number): void {
  db.deleteRows('default_channel_group_channel', {group_id: groupId, channel_id: id});
}

function emitGroups(act: ActionContext): void {
  act.emit('default_stream_groups', connectedNonGuests(act), {default_stream_groups: defaultChannelGroups(act.db)});
}

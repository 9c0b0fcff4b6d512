import type {ActionContext, RequestContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import type {ChannelRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {type Route, route} from '#server/http/route.ts';
import {connectedNonGuests, requireReadableChannelByName} from '#server/permissions/channel.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';

/** Returns the ids of the channels that new users are subscribed to. */
export function defaultChannelIds(db: Database): number[] {
  return db.pluck('SELECT id FROM channel WHERE is_default = 1 AND is_archived = 0 ORDER BY id');
}

/** Adds the channel to the default channels or removes it. Repeating it is no error, and a removal is always emitted. */
export function setDefaultChannel(act: ActionContext, channel: ChannelRow, isDefault: boolean): void {
  if (isDefault && channel.invite_only === 1) throw badRequest('Private channels cannot be made default.');
  if (isDefault && channel.is_archived === 1) throw badRequest('Channel is archived.');
  if (isDefault && channel.is_default === 1) return;
  act.db.run('UPDATE channel SET is_default = ? WHERE id = ?', isDefault ? 1 : 0, channel.id);
  emitDefaultChannels(act);
}

export function emitDefaultChannels(act: ActionContext): void {
  act.emit({
    type: 'default_streams',
    to: connectedNonGuests(act),
    body: {default_streams: defaultChannelIds(act.db)},
  });
}

const maxNameLength = 60;

interface GroupRow {
  readonly id: number;
  readonly name: string;
  readonly description: string;
}

/** Returns the groups of channels that new users can choose, with the ids of their channels in the order of names. */
export function defaultChannelGroups(db: Database) {
  const channels = `SELECT c.id FROM channel AS c JOIN default_channel_group_channel AS g ON g.channel_id = c.id
    WHERE g.group_id = ? ORDER BY c.name_key`;
  return db
    .all<GroupRow>('SELECT * FROM default_channel_group ORDER BY name')
    .map(({id, name, description}) => ({id, name, description, streams: db.pluck(channels, id)}));
}

type ChannelsChange = ParamsOf<typeof otherEndpoints.changeDefaultChannelGroup>;

export const defaultChannelGroupRoutes: readonly Route[] = [
  route(otherEndpoints.createDefaultChannelGroup, (call, {group_name: name, description, stream_names}) => {
    const channels = namedChannels(call, stream_names);
    checkNotDefault(channels, name);
    checkName(call, name);
    const id = call.db.insertRow('default_channel_group', {name, description});
    for (const channel of channels) insertChannel(call, id, channel);
    emitGroups(call);
  }),
  route(otherEndpoints.updateDefaultChannelGroup, (call, changes) => {
    const {group_id: id, new_group_name: name, new_description: description} = changes;
    if (!name && !description) throw badRequest('You must pass "new_description" or "new_group_name".');
    const group = requireGroup(call, id);
    if (name !== undefined) {
      if (name === group.name) throw badRequest(`This default channel group is already named '${name}'`);
      checkName(call, name);
      call.db.updateRow('default_channel_group', id, {name});
      emitGroups(call);
    }
    if (description !== undefined) {
      call.db.updateRow('default_channel_group', id, {description});
      emitGroups(call);
    }
  }),
  route(otherEndpoints.removeDefaultChannelGroup, (call, {group_id: id}) => {
    call.db.run('DELETE FROM default_channel_group WHERE id = ?', requireGroup(call, id).id);
    call.db.run('DELETE FROM default_channel_group_channel WHERE group_id = ?', id);
    emitGroups(call);
  }),
  route(otherEndpoints.changeDefaultChannelGroup, changeDefaultChannelGroup),
];

/** Adds channels to a group or removes them, as `op` says. */
function changeDefaultChannelGroup(act: RequestContext, change: ChannelsChange): void {
  const {group_id: id, op} = change;
  const {name} = requireGroup(act, id);
  const channels = namedChannels(act, change.stream_names);
  if (op === 'add') {
    for (const channel of channels) {
      checkNotDefault([channel], name);
      if (isIn(act, id, channel)) {
        throw badRequest(`Channel '${channel.name}' is already present in default channel group '${name}'`);
      }
      insertChannel(act, id, channel);
    }
  } else if (op === 'remove') {
    const missing = channels.find((channel) => !isIn(act, id, channel));
    if (missing !== undefined) {
      throw badRequest(`Channel '${missing.name}' is not present in default channel group '${name}'`);
    }
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

function requireGroup({db}: ActionContext, id: number): GroupRow {
  const group = db.get<GroupRow>('SELECT * FROM default_channel_group WHERE id = ?', id);
  if (group === undefined) throw badRequest(`Default channel group with id '${id}' does not exist.`);
  return group;
}

function namedChannels(act: RequestContext, names: readonly string[]): ChannelRow[] {
  return [...new Set(names)].map((name) => requireReadableChannelByName(act, act.actor, name));
}

function checkNotDefault(channels: readonly ChannelRow[], groupName: string): void {
  const channel = channels.find(({is_default}) => is_default === 1);
  if (channel !== undefined) {
    throw badRequest(`'${channel.name}' is a default channel and cannot be added to '${groupName}'`);
  }
}

function checkName({db}: ActionContext, name: string): void {
  if (name.trim() === '') throw badRequest(`Invalid default channel group name '${name}'`);
  if (Array.from(name).length > maxNameLength) {
    throw badRequest(`Default channel group name too long (limit: ${maxNameLength} characters)`);
  }
  if (name.includes('\0')) {
    throw badRequest(`Default channel group name '${name}' contains NULL (0x00) characters.`);
  }
  if (db.get('SELECT 1 FROM default_channel_group WHERE name = ?', name) !== undefined) {
    throw badRequest(`Default channel group '${name}' already exists`);
  }
}

function isIn({db}: ActionContext, groupId: number, {id}: ChannelRow): boolean {
  const sql = 'SELECT 1 FROM default_channel_group_channel WHERE group_id = ? AND channel_id = ?';
  return db.get(sql, groupId, id) !== undefined;
}

function insertChannel({db}: ActionContext, groupId: number, {id}: ChannelRow): void {
  db.insertRow('default_channel_group_channel', {group_id: groupId, channel_id: id});
}

function removeChannel({db}: ActionContext, {id}: ChannelRow, groupId: number): void {
  db.run('DELETE FROM default_channel_group_channel WHERE group_id = ? AND channel_id = ?', groupId, id);
}

function emitGroups(act: ActionContext): void {
  const body = {default_stream_groups: defaultChannelGroups(act.db)};
  act.emit({type: 'default_stream_groups', to: connectedNonGuests(act), body});
}

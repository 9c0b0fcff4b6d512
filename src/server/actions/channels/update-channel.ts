import type {ChannelUpdate} from '#server/actions/events/channel-events.ts';
import type {ActionContext} from '#server/context.ts';
import {findChannelByName} from '#server/db/channels.ts';
import {type ChannelRow, fold, type UserRow} from '#server/db/rows.ts';
import {badRequest, channelExistsError, unauthorizedPrincipal} from '#server/http/errors.ts';
import {canAdministerChannel} from '#server/permissions/channel.ts';
import {isAdmin} from '#server/permissions/has-permission.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import type {endpoints} from '#wire/endpoints.ts';
import {unarchiveChannel} from './archive-channel.ts';
import {updateChannelPermissions} from './channel-permissions.ts';
import {updateChannelPrivacy} from './channel-privacy.ts';
import {
  checkedChannelDescription,
  checkedChannelName,
  checkedFolderId,
  checkedRetentionDays,
  checkedTopicsPolicy,
} from './checked-channel-fields.ts';
import {setDefaultChannel} from './default-channels.ts';
import {type ChannelColumns, writeChannelChanges} from './write-channel-changes.ts';

export type ChannelChanges = Omit<ParamsOf<typeof endpoints.updateChannel>, 'stream_id'>;

type ChannelUpdateStep = (
  act: ActionContext,
  actor: UserRow,
  channel: ChannelRow,
  changes: ChannelChanges,
) => ChannelRow;

/** The steps of an update, in this order because a later step may check what an earlier one changed. */
const steps: readonly ChannelUpdateStep[] = [
  updateChannelPrivacy,
  updateDefault,
  updateRetention,
  unarchive,
  updateTopicsPolicy,
  updateDescription,
  updateName,
  updateDetails,
  updateChannelPermissions,
];

/** Applies all changes, or none if one of them is refused. */
export function updateChannel(act: ActionContext, actor: UserRow, channel: ChannelRow, changes: ChannelChanges): void {
  if (!canAdministerChannel(act, actor, channel)) {
    throw badRequest('You do not have permission to administer this channel.');
  }
  let current = channel;
  for (const step of steps) current = step(act, actor, current, changes);
}

function unarchive(
  act: ActionContext,
  _actor: UserRow,
  channel: ChannelRow,
  {is_archived}: ChannelChanges,
): ChannelRow {
  // True does nothing: another endpoint archives channels.
  return is_archived === false ? unarchiveChannel(act, channel) : channel;
}

function updateDefault(
  act: ActionContext,
  actor: UserRow,
  channel: ChannelRow,
  {is_default_stream}: ChannelChanges,
): ChannelRow {
  if (is_default_stream === undefined) return channel;
  if (!isAdmin(actor)) throw badRequest('You do not have permission to change default channels.');
  setDefaultChannel(act, channel, is_default_stream);
  return {...channel, is_default: is_default_stream ? 1 : 0};
}

function updateDescription(
  act: ActionContext,
  _actor: UserRow,
  channel: ChannelRow,
  {description: input}: ChannelChanges,
): ChannelRow {
  if (input === undefined) return channel;
  const description = checkedChannelDescription(input);
  const rendered = act.server.renderer.descriptionHtml(description);
  const update = {property: 'description', value: description, rendered_description: rendered};
  return writeChannelChanges(act, channel, {description}, [update]);
}

function updateName(act: ActionContext, _actor: UserRow, channel: ChannelRow, {new_name}: ChannelChanges): ChannelRow {
  if (new_name === undefined) return channel;
  if (new_name.trim() === channel.name) throw badRequest('Channel already has that name.');
  const name = checkedChannelName(new_name);
  const other = findChannelByName(act.db, name);
  if (other !== undefined && other.id !== channel.id) throw channelExistsError(name);
  return writeChannelChanges(act, channel, {name, name_key: fold(name)}, [{property: 'name', value: name}]);
}

function updateRetention(act: ActionContext, actor: UserRow, channel: ChannelRow, changes: ChannelChanges): ChannelRow {
  if (changes.message_retention_days === undefined) return channel;
  const days = checkedRetentionDays(actor, changes.message_retention_days, false);
  const update = {property: 'message_retention_days', value: days};
  return writeChannelChanges(act, channel, {message_retention_days: days}, [update]);
}

function updateTopicsPolicy(
  act: ActionContext,
  actor: UserRow,
  channel: ChannelRow,
  {topics_policy}: ChannelChanges,
): ChannelRow {
  if (topics_policy === undefined) return channel;
  const policy = checkedTopicsPolicy(act, actor, topics_policy, channel.id);
  if (policy === channel.topics_policy) return channel;
  return writeChannelChanges(act, channel, {topics_policy: policy}, [{property: 'topics_policy', value: policy}]);
}

/** Updates the settings that have no effects on others. */
function updateDetails(act: ActionContext, actor: UserRow, channel: ChannelRow, changes: ChannelChanges): ChannelRow {
  const columns: {-readonly [K in keyof ChannelColumns]: ChannelColumns[K]} = {};
  const updates: ChannelUpdate[] = [];
  if (changes.folder_id !== undefined) {
    columns.folder_id = checkedFolderId(act, changes.folder_id);
    updates.push({property: 'folder_id', value: changes.folder_id});
  }
  const pushes = changes.default_push_notifications;
  if (pushes !== undefined && !isAdmin(actor)) throw unauthorizedPrincipal('Must be an organization administrator');
  if (pushes !== undefined && Number(pushes) !== channel.default_push_notifications) {
    columns.default_push_notifications = pushes ? 1 : 0;
    updates.push({property: 'default_push_notifications', value: pushes});
  }
  return updates.length === 0 ? channel : writeChannelChanges(act, channel, columns, updates);
}

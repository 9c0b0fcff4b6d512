import {emitChannelCreate} from '#server/actions/events/channel-events.ts';
import type {ActionContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {type ChannelRow, fold, type UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {channelAudience} from '#server/permissions/audience.ts';
import type {ChannelPermissions} from '#server/permissions/channel.ts';
import {checkedGroupSetting} from '#server/permissions/group-setting.ts';
import {hasMemberPermission, isAdmin, organization} from '#server/permissions/has-permission.ts';
import {channelPermissionRules} from '#server/permissions/permission-rules.ts';
import type {ParamsOut} from '#wire/endpoint.ts';
import type {newChannelParams} from '#wire/endpoints/channels.ts';
import {channelSettingNames} from '#wire/objects/channel.ts';
import {
  checkedChannelDescription,
  checkedChannelName,
  checkedFolderId,
  checkedRetentionDays,
  checkedTopicsPolicy,
} from './checked-channel-fields.ts';
import {emitDefaultChannels} from './default-channels.ts';

export type NewChannelSettings = Omit<ParamsOut<typeof newChannelParams>, 'announce'>;

/** Creates a channel without subscribers and emits it to the users who may see it. The name must not be in use. */
export function createChannel(
  act: ActionContext,
  actor: UserRow,
  input: {name: string; description: string},
  settings: NewChannelSettings,
): ChannelRow {
  checkCanCreate(act, actor, settings);
  const name = checkedChannelName(input.name);
  const id = act.db.insert(
    `INSERT INTO channel (name, name_key, description, created_at, creator_id, invite_only, is_web_public,
       history_public_to_subscribers, is_default, folder_id, message_retention_days, topics_policy,
       default_push_notifications, permissions)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    name,
    fold(name),
    checkedChannelDescription(input.description),
    act.now,
    actor.id,
    settings.invite_only ? 1 : 0,
    settings.is_web_public ? 1 : 0,
    // Public channels always share their history; private ones only on request.
    !settings.invite_only || settings.history_public_to_subscribers === true ? 1 : 0,
    settings.is_default_stream ? 1 : 0,
    checkedFolderId(act, settings.folder_id ?? null),
    checkedRetentionDays(actor, settings.message_retention_days ?? 'realm_default', true),
    topicsPolicy(act, actor, settings),
    defaultPush(act, settings) ? 1 : 0,
    JSON.stringify(initialPermissions(act, actor, settings)),
  );
  const channel = findChannel(act.db, id);
  if (channel === undefined) throw new Error('The new channel is missing');
  emitChannelCreate(act, channel, channelAudience(act, channel));
  if (settings.is_default_stream) emitDefaultChannels(act);
  return channel;
}

function checkCanCreate(act: ActionContext, actor: UserRow, settings: NewChannelSettings): void {
  const {invite_only, is_web_public, is_default_stream} = settings;
  checkChannelPrivacy(act, actor, {isPrivate: invite_only, isWebPublic: is_web_public});
  if (!is_default_stream) return;
  if (!isAdmin(actor)) throw badRequest('Insufficient permission');
  if (invite_only) throw badRequest('A default channel cannot be private.');
}

/** Throws unless the actor may create a channel with this privacy or change a channel to it. */
export function checkChannelPrivacy(
  act: ActionContext,
  actor: UserRow,
  {isPrivate, isWebPublic}: {isPrivate: boolean; isWebPublic: boolean},
): void {
  const settings = organization(act);
  if (isPrivate && isWebPublic) throw badRequest('Invalid parameters');
  if (isWebPublic && !settings.enable_spectator_access) {
    throw badRequest('Web-public channels are not enabled.');
  }
  const group = isWebPublic
    ? settings.can_create_web_public_channel_group
    : isPrivate
      ? settings.can_create_private_channel_group
      : settings.can_create_public_channel_group;
  if (!hasMemberPermission(act, actor, group)) throw badRequest('Insufficient permission');
}

function topicsPolicy(act: ActionContext, actor: UserRow, {topics_policy}: NewChannelSettings): string {
  if (topics_policy === undefined || topics_policy === 'inherit') return 'inherit';
  return checkedTopicsPolicy(act, actor, topics_policy);
}

function defaultPush(act: ActionContext, {default_push_notifications}: NewChannelSettings): boolean {
  return default_push_notifications ?? organization(act).default_newly_created_streams_push_notifications;
}

/** Returns the permissions of a new channel. By default its creator administers it. */
function initialPermissions(
  act: ActionContext,
  actor: UserRow,
  settings: NewChannelSettings,
): Partial<ChannelPermissions> {
  const permissions: Partial<ChannelPermissions> = {
    can_administer_channel_group: {direct_members: [actor.id], direct_subgroups: []},
  };
  for (const name of channelSettingNames) {
    const value = settings[name];
    const rule = channelPermissionRules[name];
    if (value === undefined || rule === undefined) continue;
    checkCanSetPermission(act, actor, name);
    permissions[name] = checkedGroupSetting(act, name, value, rule);
  }
  return permissions;
}

/** Throws unless the actor may set the permission. The permissions to delete messages need one of their own. */
export function checkCanSetPermission(act: ActionContext, actor: UserRow, name: string): void {
  if (name !== 'can_delete_any_message_group' && name !== 'can_delete_own_message_group') return;
  if (!hasMemberPermission(act, actor, organization(act).can_set_delete_message_policy_group)) {
    throw badRequest('Insufficient permission');
  }
}

import {
  type ChannelUpdate,
  emitChannelCreate,
  emitChannelDelete,
  emitChannelsVisible,
  emitChannelUpdate,
} from '#server/actions/events/channel-events.ts';
import {checkedChannelDescription, checkedChannelName} from '#server/actions/inputs.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {findFolder} from '#server/db/organization-items.ts';
import {type ChannelRow, fold, type UserRow} from '#server/db/rows.ts';
import {badRequest, check, invalidValue} from '#server/errors.ts';
import {channelPermissionRules, SystemGroup} from '#server/organization/permission-rules.ts';
import {audienceIds, type ChannelPermissions, channelAudience} from '#server/permissions/channel.ts';
import {canonicalGroupSetting, checkedGroupSetting} from '#server/permissions/group.ts';
import {
  hasMemberPermission,
  isAdmin,
  organization,
  requireAdministrator,
  requireOwner,
} from '#server/permissions/has-permission.ts';
import {emptyTopicName} from '#server/permissions/send-message.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';
import {channelSettingNames, topicsPolicies} from '#wire/objects/channel.ts';
import type {GroupSetting} from '#wire/objects/group.ts';
import {emitDefaultChannels} from './default-channels.ts';

type NewChannelSettings = Omit<
  ParamsOf<Endpoints['createChannel']>,
  'name' | 'description' | 'subscribers' | 'announce'
>;

/** Creates a channel without subscribers and emits it to the users who may see it. The name must not be in use. */
export function createChannel(
  act: RequestContext,
  input: {name: string; description: string},
  settings: NewChannelSettings,
): ChannelRow {
  const {actor} = act;
  const folderId = checkedFolderId(act, settings.folder_id ?? null);
  const policy = checkedTopicsPolicy(act, settings.topics_policy ?? 'inherit');
  const name = checkedChannelName(input.name);
  const permissions = initialPermissions(act, settings);
  checkCanCreate(act, settings);
  const id = act.db.insertRow('channel', {
    name,
    name_key: fold(name),
    description: checkedChannelDescription(input.description),
    created_at: act.now,
    creator_id: actor.id,
    invite_only: settings.invite_only ? 1 : 0,
    is_web_public: settings.is_web_public ? 1 : 0,
    history_public_to_subscribers: sharesHistory(settings) ? 1 : 0,
    is_default: settings.is_default_stream ? 1 : 0,
    folder_id: folderId,
    message_retention_days: checkedRetentionDays(actor, settings.message_retention_days ?? 'realm_default', true),
    topics_policy: policy,
    default_push_notifications: settings.default_push_notifications === true ? 1 : 0,
    permissions: JSON.stringify(permissions),
  });
  const channel = findChannel(act.db, id);
  if (channel === undefined) throw new Error('The new channel is missing');
  emitChannelCreate(act, channel, channelAudience(act, channel));
  if (settings.is_default_stream) emitDefaultChannels(act);
  return channel;
}

function checkCanCreate(act: RequestContext, settings: NewChannelSettings): void {
  const {actor} = act;
  const {invite_only, is_web_public, is_default_stream} = settings;
  checkCanCreatePrivacy(act, invite_only);
  if (is_default_stream && !isAdmin(actor)) throw badRequest('Insufficient permission');
  if (is_default_stream && invite_only) throw badRequest('A default channel cannot be private.');
  if (is_web_public) checkCanCreateWebPublic(act);
  if (settings.default_push_notifications === true) requireAdministrator(actor);
  if (is_web_public && invite_only) throw badRequest('Invalid parameters');
}

/** Throws unless the actor may create private channels, or public ones, or make a channel one. */
export function checkCanCreatePrivacy(act: RequestContext, isPrivate: boolean): void {
  const {can_create_private_channel_group, can_create_public_channel_group} = organization(act);
  const group = isPrivate ? can_create_private_channel_group : can_create_public_channel_group;
  check(hasMemberPermission(act, act.actor, group), 'Insufficient permission');
}

export function checkCanCreateWebPublic(act: RequestContext): void {
  const {enable_spectator_access, can_create_web_public_channel_group: group} = organization(act);
  check(enable_spectator_access, 'Web-public channels are not enabled.');
  check(hasMemberPermission(act, act.actor, group), 'Insufficient permission');
}

/** Throws if new subscribers cannot see the history but not everybody may create topics: hidden topics would be guessed. */
export function checkTopicCreators(isHistoryPublic: boolean, creators: GroupSetting): void {
  if (isHistoryPublic || creators === SystemGroup.everyone) return;
  const parameters = 'history_public_to_subscribers, can_create_topic_group';
  throw badRequest(`Unsupported parameter combination: ${parameters}`, {parameters});
}

/** Returns the permissions of a new channel. By default its creator administers it. */
function initialPermissions(act: RequestContext, settings: NewChannelSettings): Partial<ChannelPermissions> {
  const permissions: Partial<ChannelPermissions> = {
    can_administer_channel_group: {direct_members: [act.actor.id], direct_subgroups: []},
  };
  for (const name of channelSettingNames) {
    const value = settings[name];
    const rule = channelPermissionRules[name];
    if (value === undefined || rule === undefined) continue;
    if (name === 'can_create_topic_group') checkTopicCreators(sharesHistory(settings), canonicalGroupSetting(value));
    permissions[name] = checkedGroupSetting(act, name, value, rule);
    if (permissions[name] !== SystemGroup.nobody) checkCanSetPermission(act, name);
  }
  return permissions;
}

/** Public channels always share their history; private ones only on request. */
function sharesHistory({invite_only, history_public_to_subscribers}: NewChannelSettings): boolean {
  return !invite_only || history_public_to_subscribers === true;
}

/** Throws unless the actor may set the permission. The permissions to delete messages need one of their own. */
export function checkCanSetPermission(act: RequestContext, name: string): void {
  if (name !== 'can_delete_any_message_group' && name !== 'can_delete_own_message_group') return;
  check(
    hasMemberPermission(act, act.actor, organization(act).can_set_delete_message_policy_group),
    'Insufficient permission',
  );
}

/**
 * Returns the policy if the actor may set it and, for an existing channel, its messages comply with it; throws
 * otherwise.
 */
export function checkedTopicsPolicy(act: RequestContext, policy: string, channelId?: number): string {
  const {actor} = act;
  check(
    topicsPolicies.some((known) => known === policy),
    'Invalid topics_policy',
  );
  const maySet =
    policy === 'inherit' ||
    isAdmin(actor) ||
    hasMemberPermission(act, actor, organization(act).can_set_topics_policy_group);
  check(maySet, 'Insufficient permission');
  const namedTopic = `SELECT 1 FROM message WHERE channel_id = ? AND topic_key > '' LIMIT 1`;
  if (policy === 'empty_topic_only' && channelId !== undefined && act.db.get(namedTopic, channelId) !== undefined) {
    throw badRequest(
      'To enable this configuration, all messages in this channel must be in the general chat topic. Consider renaming or deleting other topics.',
      emptyTopicName(act),
    );
  }
  return policy;
}

/** Returns days, -1 for unlimited, or null for the organization's default, which a new channel has without asking. */
export function checkedRetentionDays(actor: UserRow, input: number | string, isNew: boolean): number | null {
  const days = isNew ? retentionDays(input) : undefined;
  if (days !== null) requireOwner(actor);
  return days === undefined ? retentionDays(input) : days;
}

export function retentionDays(input: number | string): number | null {
  if (input === 'realm_default') return null;
  if (input === 'unlimited') return -1;
  if (typeof input === 'string' || input <= 0) throw invalidValue('message_retention_days', input);
  return input;
}

export function checkedFolderId({db}: ActionContext, folderId: number | null): number | null {
  check(folderId === null || findFolder(db, folderId) !== undefined, 'Invalid channel folder ID');
  return folderId;
}

export type ChannelColumns = Partial<Omit<ChannelRow, 'id'>>;

/**
 * Writes columns of a channel and emits events: users who see the channel before and after get the updates, users for
 * whom this change shows or hides it get it created or deleted.
 */
export function writeChannelChanges(
  act: ActionContext,
  channel: ChannelRow,
  columns: ChannelColumns,
  updates: readonly ChannelUpdate[],
): ChannelRow {
  const before = channelAudience(act, channel);
  act.db.updateRow('channel', channel.id, columns);
  const changed = findChannel(act.db, channel.id) ?? channel;
  const after = channelAudience(act, changed);
  if (before === 'everyone' && after === 'everyone') {
    for (const update of updates) emitChannelUpdate(act, channel, update, 'everyone');
    return changed;
  }
  const viewersBefore = audienceIds(act, before);
  const viewersAfter = audienceIds(act, after);
  const gained = viewersAfter.difference(viewersBefore);
  if (gained.size > 0) emitChannelsVisible(act, [changed], gained);
  const lost = viewersBefore.difference(viewersAfter);
  if (lost.size > 0) emitChannelDelete(act, [channel], lost);
  const viewersThroughout = viewersBefore.intersection(viewersAfter);
  for (const update of updates) emitChannelUpdate(act, channel, update, viewersThroughout);
  return changed;
}

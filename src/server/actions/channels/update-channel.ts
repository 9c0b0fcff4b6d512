import {
  type ChannelUpdate,
  emitChannelCreate,
  emitChannelDelete,
  subscriberIds,
} from '#server/actions/events/channel-events.ts';
import {checkedChannelDescription, checkedChannelName} from '#server/actions/inputs.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import {findChannel, findChannelByName} from '#server/db/channels.ts';
import {type ChannelRow, fold} from '#server/db/rows.ts';
import {badRequest, channelExistsError, check, required} from '#server/errors.ts';
import type {EventQueue} from '#server/event-queues/event-queues.ts';
import {channelPermissionRules, groupsByCode, postPolicyCodes} from '#server/organization/permission-rules.ts';
import {
  type ChannelPermissions,
  canAdministerChannel,
  canReadChannel,
  channelAudience,
  channelPermissions,
  requireOpenChannel,
  requireReadableChannelByName,
  requireVisibleChannel,
} from '#server/permissions/channel.ts';
import {canonicalGroupSetting, changesGroupSetting, checkedGroupSetting} from '#server/permissions/group.ts';
import {
  isAdmin,
  organization,
  requireAdministrator,
  storeOrganizationSetting,
} from '#server/permissions/has-permission.ts';
import {type Route, route} from '#server/route.ts';
import {channelList, channelView} from '#server/views/channel.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {channelSettingNames} from '#wire/objects/channel.ts';
import {
  type ChannelColumns,
  checkCanCreatePrivacy,
  checkCanCreateWebPublic,
  checkCanSetPermission,
  checkedFolderId,
  checkedRetentionDays,
  checkedTopicsPolicy,
  checkTopicCreators,
  writeChannelChanges,
} from './create-channel.ts';
import {leaveDefaultChannelGroups, setDefaultChannel} from './default-channels.ts';

type ChannelChanges = ParamsOf<typeof endpoints.updateChannel>;

interface ChannelUpdateRequest {
  readonly act: RequestContext;
  readonly channel: ChannelRow;
  readonly changes: ChannelChanges;
}

/** Makes some of the changes and returns the changed channel. */
type ChannelUpdateStep = (request: ChannelUpdateRequest) => ChannelRow;

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

export const channelRoutes: readonly Route[] = [
  route(endpoints.getChannels, 'account', (call, params) => ({streams: channelList(call, call.actor, params)})),
  route(endpoints.getChannel, 'account', (call, params) => ({stream: channelView(call, visibleChannel(call, params))})),
  route(endpoints.getChannelId, 'account', (call, {stream}) => ({
    stream_id: requireReadableChannelByName(call, call.actor, stream).id,
  })),
  route(endpoints.getSubscribers, 'account', (call, params) => ({
    subscribers: subscriberIds(call, visibleChannel(call, params).id),
  })),
  route(endpoints.getChannelEmail, 'account', (call, params) => {
    requireOpenChannel(call, call.actor, params.stream_id);
    throw badRequest('This server receives no e-mail, so its channels have no e-mail addresses.');
  }),
  // Applies all changes, or none if one of them is refused.
  route(endpoints.updateChannel, 'account', (call, changes) => {
    let channel = visibleChannel(call, changes);
    check(canAdministerChannel(call, call.actor, channel), 'You do not have permission to administer this channel.');
    for (const step of steps) channel = step({act: call, channel, changes});
  }),

  // Makes the channel read-only. Clients without support for archived channels get it deleted.
  route(endpoints.archiveChannel, 'account', (call, {stream_id}) => {
    const channel = requireVisibleChannel(call, call.actor, stream_id);
    check(canAdministerChannel(call, call.actor, channel), 'You do not have permission to administer this channel.');
    check(channel.is_archived !== 1, 'Channel is already deactivated');
    forgetAnnouncements(call, channel);
    if (channel.is_default === 1) setDefaultChannel(call, channel, false);
    leaveDefaultChannelGroups(call, channel);
    call.db.updateRow('channel', channel.id, {is_archived: 1});
    emitArchived(call, channel, true);
    emitChannelDelete(call, [channel], channelAudience(call, channel), lacksArchived);
  }),
];

function visibleChannel(call: RequestContext, {stream_id}: {stream_id: number}): ChannelRow {
  return requireVisibleChannel(call, call.actor, stream_id);
}

function unarchive({act, channel, changes}: ChannelUpdateRequest): ChannelRow {
  // True does nothing: another endpoint archives channels.
  return changes.is_archived === false ? unarchiveChannel(act, channel) : channel;
}

function updateDefault({act, channel, changes: {is_default_stream}}: ChannelUpdateRequest): ChannelRow {
  if (is_default_stream === undefined) return channel;
  check(isAdmin(act.actor), 'You do not have permission to change default channels.');
  setDefaultChannel(act, channel, is_default_stream);
  return {...channel, is_default: is_default_stream ? 1 : 0};
}

function updateDescription({act, channel, changes}: ChannelUpdateRequest): ChannelRow {
  if (changes.description === undefined) return channel;
  const description = checkedChannelDescription(changes.description);
  const rendered = act.server.renderer.descriptionHtml(description);
  const update = {property: 'description', value: description, rendered_description: rendered};
  return writeChannelChanges(act, channel, {description}, [update]);
}

function updateName({act, channel, changes: {new_name}}: ChannelUpdateRequest): ChannelRow {
  if (new_name === undefined) return channel;
  check(new_name.trim() !== channel.name, 'Channel already has that name.');
  const name = checkedChannelName(new_name);
  const other = findChannelByName(act.db, name);
  if (other !== undefined && other.id !== channel.id) throw channelExistsError(name);
  return writeChannelChanges(act, channel, {name, name_key: fold(name)}, [{property: 'name', value: name}]);
}

function updateRetention({act, channel, changes}: ChannelUpdateRequest): ChannelRow {
  if (changes.message_retention_days === undefined) return channel;
  const days = checkedRetentionDays(act.actor, changes.message_retention_days, false);
  const update = {property: 'message_retention_days', value: days};
  return writeChannelChanges(act, channel, {message_retention_days: days}, [update]);
}

function updateTopicsPolicy({act, channel, changes: {topics_policy}}: ChannelUpdateRequest): ChannelRow {
  if (topics_policy === undefined) return channel;
  const policy = checkedTopicsPolicy(act, topics_policy, channel.id);
  if (policy === channel.topics_policy) return channel;
  return writeChannelChanges(act, channel, {topics_policy: policy}, [{property: 'topics_policy', value: policy}]);
}

/** Updates the settings that have no effects on others. */
function updateDetails({act, channel, changes}: ChannelUpdateRequest): ChannelRow {
  const columns: {-readonly [K in keyof ChannelColumns]: ChannelColumns[K]} = {};
  const updates: ChannelUpdate[] = [];
  if (changes.folder_id !== undefined) {
    columns.folder_id = checkedFolderId(act, changes.folder_id);
    updates.push({property: 'folder_id', value: changes.folder_id});
  }
  const pushes = changes.default_push_notifications;
  if (pushes !== undefined) requireAdministrator(act.actor);
  if (pushes !== undefined && Number(pushes) !== channel.default_push_notifications) {
    columns.default_push_notifications = pushes ? 1 : 0;
    updates.push({property: 'default_push_notifications', value: pushes});
  }
  return updates.length === 0 ? channel : writeChannelChanges(act, channel, columns, updates);
}

/** Permissions that let users read a private channel, so only users who can read it may grant them. */
const contentPermissions: ReadonlySet<string> = new Set(['can_add_subscribers_group', 'can_subscribe_group']);

/** The group for each value of the older `stream_post_policy`. */
const postPolicyGroups = groupsByCode(postPolicyCodes);

function updateChannelPermissions({act, channel, changes}: ChannelUpdateRequest): ChannelRow {
  const current = channelPermissions(channel);
  const requested = withPostPolicy(changes);
  const changed: Partial<ChannelPermissions> = {};
  for (const name of channelSettingNames) {
    const change = requested[name];
    const rule = channelPermissionRules[name];
    if (change === undefined || rule === undefined) continue;
    checkCanSetPermission(act, name);
    if (!changesGroupSetting(change, current[name])) continue;
    if (name === 'can_create_topic_group') {
      checkTopicCreators(channel.history_public_to_subscribers === 1, canonicalGroupSetting(change.new));
    }
    if (contentPermissions.has(name) && !canReadChannel(act, act.actor, channel)) {
      throw badRequest('Channel content access is required.');
    }
    changed[name] = checkedGroupSetting(act, name, change.new, rule);
  }
  if (Object.keys(changed).length === 0) return channel;
  const permissions = JSON.stringify({...JSON.parse(channel.permissions), ...changed});
  const updates = Object.entries(changed).flatMap(([property, value]): ChannelUpdate[] => [
    {property, value},
    ...(property === 'can_send_message_group' ? legacyPostingUpdates(act, channel, permissions) : []),
  ]);
  return writeChannelChanges(act, channel, {permissions}, updates);
}

function withPostPolicy(changes: ChannelChanges): ChannelChanges {
  if (changes.stream_post_policy === undefined) return changes;
  const group = required(postPolicyGroups[changes.stream_post_policy], 'Invalid stream_post_policy');
  return {...changes, can_send_message_group: {new: group}};
}

/** Returns updates of the two legacy fields about posting, if the policy changed too. */
function legacyPostingUpdates(act: ActionContext, channel: ChannelRow, permissions: string): ChannelUpdate[] {
  const before = channelView(act, channel);
  const after = channelView(act, {...channel, permissions});
  if (before.stream_post_policy === after.stream_post_policy) return [];
  return (['stream_post_policy', 'is_announcement_only'] as const).map((property) => ({
    property,
    value: after[property],
  }));
}

/** Changes who may see the channel and its history. The three fields change together, in one event. */
function updateChannelPrivacy({act, channel, changes}: ChannelUpdateRequest): ChannelRow {
  const {is_private, is_web_public, history_public_to_subscribers} = changes;
  if (is_private === undefined && is_web_public === undefined && history_public_to_subscribers === undefined) {
    return channel;
  }
  const privacy = changedPrivacy(channel, changes);
  // Web-public channels are public, and public channels share their history.
  if (!privacy.isHistoryPublic && !privacy.isPrivate) throw badRequest('Invalid parameters');
  if (privacy.isWebPublic && privacy.isPrivate) throw badRequest('Invalid parameters');
  const remainsDefault = changes.is_default_stream ?? channel.is_default === 1;
  if (privacy.isPrivate && remainsDefault) throw badRequest('A default channel cannot be private.');
  if (!privacy.isPrivate && organization(act).moderation_request_channel_id === channel.id) {
    throw badRequest('Moderation request channel must be private.');
  }
  if (is_private !== undefined) {
    // Making a private channel public reveals its content, so only users who can read it may do that.
    check(canReadChannel(act, act.actor, channel), 'Channel content access is required.');
    checkCanCreatePrivacy(act, is_private);
  }
  if (is_web_public) checkCanCreateWebPublic(act);
  const topicCreators = changes.can_create_topic_group?.new ?? channelPermissions(channel).can_create_topic_group;
  checkTopicCreators(privacy.isHistoryPublic, canonicalGroupSetting(topicCreators));
  const columns = {
    invite_only: privacy.isPrivate ? 1 : 0,
    is_web_public: privacy.isWebPublic ? 1 : 0,
    history_public_to_subscribers: privacy.isHistoryPublic ? 1 : 0,
  };
  const update = {
    property: 'invite_only',
    value: privacy.isPrivate,
    history_public_to_subscribers: privacy.isHistoryPublic,
    is_web_public: privacy.isWebPublic,
  };
  return writeChannelChanges(act, channel, columns, [update]);
}

function changedPrivacy(channel: ChannelRow, changes: ChannelChanges) {
  const {is_private, is_web_public, history_public_to_subscribers} = changes;
  // A channel made private hides its history from later subscribers, unless the request says otherwise.
  const historyByPrivacy = is_private === undefined ? channel.history_public_to_subscribers === 1 : !is_private;
  return {
    isPrivate: is_private ?? channel.invite_only === 1,
    isWebPublic: is_web_public ?? channel.is_web_public === 1,
    isHistoryPublic: history_public_to_subscribers ?? historyByPrivacy,
  };
}

const supportsArchived = ({options}: EventQueue) => options.capabilities.archived_channels === true;
const lacksArchived = (reader: EventQueue) => !supportsArchived(reader);

const announcementSettings = [
  'moderation_request_channel_id',
  'new_stream_announcements_stream_id',
  'signup_announcements_stream_id',
  'zulip_update_announcements_stream_id',
] as const;

/** Clears the settings of the organization that name the channel. */
function forgetAnnouncements(act: ActionContext, channel: ChannelRow): void {
  const settings = organization(act);
  const names = announcementSettings.filter((name) => settings[name] === channel.id);
  if (names.length === 0) return;
  for (const name of names) storeOrganizationSetting(act, name, -1);
  const data = Object.fromEntries(names.map((name) => [name, -1]));
  act.emit('realm', 'everyone', {op: 'update_dict', property: 'default', data});
}

function unarchiveChannel(act: ActionContext, channel: ChannelRow): ChannelRow {
  check(channel.is_archived !== 0, 'Channel is not currently deactivated');
  const subscribed = 'SELECT 1 FROM subscription WHERE channel_id = ? AND active > 0 LIMIT 1';
  if (channel.invite_only === 1 && act.db.get(subscribed, channel.id) === undefined) {
    throw badRequest('Channel is private and have no subscribers');
  }
  act.db.updateRow('channel', channel.id, {is_archived: 0});
  const restored = findChannel(act.db, channel.id) ?? channel;
  emitArchived(act, restored, false);
  emitChannelCreate(act, restored, channelAudience(act, restored), lacksArchived);
  return restored;
}

function emitArchived(act: ActionContext, channel: ChannelRow, isArchived: boolean): void {
  const {id, name} = channel;
  const body = {op: 'update' as const, stream_id: id, name, property: 'is_archived', value: isArchived};
  act.emit('stream', channelAudience(act, channel), (reader) => (supportsArchived(reader) ? body : undefined));
}

import type {ChannelChange, NewChannel} from '#state/actions/channels.ts';
import type {Channel} from '#state/model/channel.ts';
import type {Frame} from '#ui/core/frame.ts';
import {PermissionFields, type PermissionValues} from '#ui/forms/permission-fields.ts';
import type {ChannelSettingName} from '#wire/objects/channel.ts';

export type ChannelPrivacyChoice = 'public' | 'sharedHistory' | 'protectedHistory' | 'webPublic';

/** The values of the forms that create and change a channel. */
export type ChannelValues = {
  name: string;
  description: string;
  privacy: ChannelPrivacyChoice;
  isDefault: boolean;
  announce: boolean;
  /** Days, -1 for ever, null as in the organization's settings. */
  retention: 'default' | 'forever' | 'days';
  retentionDays: number | null;
  topicsPolicy: string;
  folderId: number | null;
  /** Who can post, on servers without a permission for that. */
  postPolicy: number;
  defaultPush: boolean;
  subscriberIds: readonly number[];
  groupIds: readonly number[];
} & PermissionValues<ChannelSettingName>;

/** The permissions in the order of the form. */
const administrators = 'administrators of the organization';
const inOrganization = 'those who can in the whole organization';

export const channelPermissions = new PermissionFields<ChannelSettingName>('stream', {
  can_send_message_group: ['Post messages', 'Who can post in the channel.'],
  can_create_topic_group: ['Start topics', 'Who can start new topics.'],
  can_subscribe_group: [
    'Subscribe themselves',
    'Who can join the channel without help, even if it is private.',
    'all who can join a public channel',
  ],
  can_add_subscribers_group: [
    'Add subscribers',
    'Who can subscribe others, and see the channel for that.',
    inOrganization,
  ],
  can_remove_subscribers_group: ['Remove subscribers', 'Who can unsubscribe others.', administrators],
  can_administer_channel_group: ['Administer the channel', 'Who can change these settings.', administrators],
  can_resolve_topics_group: ['Resolve topics', 'Who can mark topics as resolved here.', inOrganization],
  can_move_messages_within_channel_group: [
    'Move to other topics',
    'Who can move messages between topics of the channel.',
    inOrganization,
  ],
  can_move_messages_out_of_channel_group: [
    'Move to other channels',
    'Who can move messages out of the channel.',
    inOrganization,
  ],
  can_delete_own_message_group: ['Delete own messages', 'Who can delete their own messages here.', inOrganization],
  can_delete_any_message_group: ['Delete any message', 'Who can delete messages of others here.', inOrganization],
});

/** Returns the values of a new channel, as the server would set them. */
export function newChannelValues({account}: Frame): ChannelValues {
  return {...emptyValues, ...channelPermissions.newValues(account)};
}

const emptyValues = {
  name: '',
  description: '',
  privacy: 'public',
  isDefault: false,
  announce: false,
  retention: 'default',
  retentionDays: 30,
  topicsPolicy: 'inherit',
  folderId: null,
  postPolicy: 1,
  defaultPush: true,
  subscriberIds: [],
  groupIds: [],
} as const;

/** Returns the values of an existing channel. */
export function channelValues({account}: Frame, channel: Channel): ChannelValues {
  const days = channel.messageRetentionDays ?? null;
  return {
    ...emptyValues,
    name: channel.name,
    description: channel.description,
    privacy: privacyOf(channel),
    isDefault: account.defaultChannels.has(channel.id),
    retention: days === null ? 'default' : days < 0 ? 'forever' : 'days',
    retentionDays: days === null || days < 0 ? emptyValues.retentionDays : days,
    topicsPolicy: channel.topicsPolicy ?? 'inherit',
    folderId: channel.folderId ?? null,
    postPolicy: channel.streamPostPolicy ?? emptyValues.postPolicy,
    defaultPush: channel.defaultPushNotifications ?? emptyValues.defaultPush,
    ...channelPermissions.valuesOf(channel),
  };
}

function privacyOf({isPrivate, isWebPublic, historyPublicToSubscribers}: Channel): ChannelPrivacyChoice {
  if (isWebPublic === true) return 'webPublic';
  if (!isPrivate) return 'public';
  return historyPublicToSubscribers === true ? 'sharedHistory' : 'protectedHistory';
}

function retentionParam({retention, retentionDays}: ChannelValues): string | number {
  if (retention === 'days' && retentionDays !== null) return retentionDays;
  return retention === 'forever' ? 'unlimited' : 'realm_default';
}

/** Returns the settings of a new channel: those that the user changed, so that the server sets the others. */
export function newChannelOf(changes: Partial<ChannelValues>, values: ChannelValues): NewChannel {
  const {privacy} = values;
  return {
    name: values.name,
    description: values.description,
    invite_only: privacy === 'sharedHistory' || privacy === 'protectedHistory',
    is_web_public: privacy === 'webPublic',
    ...(privacy !== 'public' && {history_public_to_subscribers: privacy !== 'protectedHistory'}),
    announce: values.announce,
    ...(changes.isDefault !== undefined && {is_default_stream: changes.isDefault}),
    ...(values.folderId !== null && {folder_id: values.folderId}),
    ...(changes.retention !== undefined && {message_retention_days: retentionParam(values)}),
    ...(changes.topicsPolicy !== undefined && {topics_policy: changes.topicsPolicy}),
    ...(changes.defaultPush !== undefined && {default_push_notifications: changes.defaultPush}),
    ...channelPermissions.changed(changes),
  };
}

/** Returns the request that changes a channel. Permissions name their old value, so that none is overwritten unseen. */
export function channelChangeOf(
  changes: Partial<ChannelValues>,
  values: ChannelValues,
  before: ChannelValues,
): ChannelChange {
  const hasRetention = changes.retention !== undefined || changes.retentionDays !== undefined;
  return {
    ...(changes.name !== undefined && {new_name: changes.name}),
    ...(changes.description !== undefined && {description: changes.description}),
    ...(changes.privacy !== undefined && privacyChange(changes.privacy, before.privacy)),
    ...(changes.isDefault !== undefined && {is_default_stream: changes.isDefault}),
    ...(hasRetention && {message_retention_days: retentionParam(values)}),
    ...(changes.topicsPolicy !== undefined && {topics_policy: changes.topicsPolicy}),
    ...(changes.folderId !== undefined && {folder_id: changes.folderId}),
    ...(changes.postPolicy !== undefined && {stream_post_policy: changes.postPolicy}),
    ...(changes.defaultPush !== undefined && {default_push_notifications: changes.defaultPush}),
    ...channelPermissions.changedFrom(changes, before),
  };
}

function privacyChange(to: ChannelPrivacyChoice, from: ChannelPrivacyChoice): ChannelChange {
  const isPrivate = to === 'sharedHistory' || to === 'protectedHistory';
  return {
    is_private: isPrivate,
    ...((to === 'webPublic' || from === 'webPublic') && {is_web_public: to === 'webPublic'}),
    history_public_to_subscribers: to !== 'protectedHistory',
  };
}

import type {ChannelChange, NewChannel} from '#state/actions/channels.ts';
import type {Channel} from '#state/model/channel.ts';
import type {ChannelPermissionName} from '#state/selectors/permissions/permission.ts';
import type {Frame} from '#ui/core/frame.ts';
import {defaultGroupSetting} from '#ui/forms/group-setting-text.ts';
import {type ChannelSettingName, channelSettingNames} from '#wire/objects/channel.ts';
import type {GroupSetting} from '#wire/objects/group-setting.ts';

export type ChannelPrivacyChoice = 'public' | 'sharedHistory' | 'protectedHistory' | 'webPublic';

/** The values of the forms that create and change a channel. */
export type ChannelValues = {
  name: string;
  description: string;
  privacy: ChannelPrivacyChoice;
  isDefault: boolean;
  announce: boolean;
  tellsThem: boolean;
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
} & Record<ChannelPermissionName, GroupSetting>;

/** The permissions of a channel, as the form shows them. */
export interface ChannelPermissionText {
  readonly name: ChannelPermissionName;
  readonly wireName: ChannelSettingName;
  readonly label: string;
  readonly help: string;
}

const permissionTexts: Readonly<Record<ChannelSettingName, Omit<ChannelPermissionText, 'wireName'>>> = {
  can_send_message_group: {name: 'canSendMessageGroup', label: 'Post messages', help: 'Who can post in the channel.'},
  can_create_topic_group: {name: 'canCreateTopicGroup', label: 'Start topics', help: 'Who can start new topics.'},
  can_subscribe_group: {
    name: 'canSubscribeGroup',
    label: 'Subscribe themselves',
    help: 'Who can join the channel without help, even if it is private.',
  },
  can_add_subscribers_group: {
    name: 'canAddSubscribersGroup',
    label: 'Add subscribers',
    help: 'Who can subscribe others, and see the channel for that.',
  },
  can_remove_subscribers_group: {
    name: 'canRemoveSubscribersGroup',
    label: 'Remove subscribers',
    help: 'Who can unsubscribe others.',
  },
  can_administer_channel_group: {
    name: 'canAdministerChannelGroup',
    label: 'Administer the channel',
    help: 'Who can change these settings, besides administrators of the organization.',
  },
  can_resolve_topics_group: {
    name: 'canResolveTopicsGroup',
    label: 'Resolve topics',
    help: 'Who can mark topics as resolved here, besides those who can in the whole organization.',
  },
  can_move_messages_within_channel_group: {
    name: 'canMoveMessagesWithinChannelGroup',
    label: 'Move to other topics',
    help: 'Who can move messages between topics of the channel.',
  },
  can_move_messages_out_of_channel_group: {
    name: 'canMoveMessagesOutOfChannelGroup',
    label: 'Move to other channels',
    help: 'Who can move messages out of the channel.',
  },
  can_delete_own_message_group: {
    name: 'canDeleteOwnMessageGroup',
    label: 'Delete own messages',
    help: 'Who can delete their own messages here.',
  },
  can_delete_any_message_group: {
    name: 'canDeleteAnyMessageGroup',
    label: 'Delete any message',
    help: 'Who can delete messages of others here.',
  },
};

/** Returns the permissions in the order of the form. */
export function channelPermissionTexts(): readonly ChannelPermissionText[] {
  return channelSettingNames
    .map((wireName) => ({...permissionTexts[wireName], wireName}))
    .sort((a, b) => order.indexOf(a.wireName) - order.indexOf(b.wireName));
}

const order = Object.keys(permissionTexts);

/** The value of permissions that the server does not have; no field shows it. */
const absent: GroupSetting = 0;

/** Returns the values of a new channel, as the server would set them. */
export function newChannelValues({account}: Frame): ChannelValues {
  return {
    ...emptyValues,
    ...permissionValues(({wireName}) => defaultGroupSetting(account, {scope: 'stream', name: wireName}) ?? absent),
  };
}

const emptyValues = {
  name: '',
  description: '',
  privacy: 'public',
  isDefault: false,
  announce: false,
  tellsThem: true,
  retention: 'default',
  retentionDays: 30,
  topicsPolicy: 'inherit',
  folderId: null,
  postPolicy: 1,
  defaultPush: true,
  subscriberIds: [],
  groupIds: [],
} as const;

function permissionValues(value: (text: ChannelPermissionText) => GroupSetting) {
  const entries = channelPermissionTexts().map((text) => [text.name, value(text)] as const);
  return Object.fromEntries(entries) as Record<ChannelPermissionName, GroupSetting>;
}

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
    ...permissionValues(({name}) => channel[name] ?? absent),
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
export function newChannelOf(
  changes: Partial<ChannelValues>,
  values: ChannelValues,
): Omit<NewChannel, 'subscriberIds'> {
  const {privacy} = values;
  return {
    name: values.name,
    description: values.description,
    isPrivate: privacy === 'sharedHistory' || privacy === 'protectedHistory',
    isWebPublic: privacy === 'webPublic',
    ...(privacy !== 'public' && {hasSharedHistory: privacy !== 'protectedHistory'}),
    announce: values.announce,
    tellsThem: values.tellsThem,
    ...(changes.isDefault !== undefined && {isDefault: changes.isDefault}),
    ...(values.folderId !== null && {folderId: values.folderId}),
    ...(changes.retention !== undefined && {retention: retentionParam(values)}),
    ...(changes.topicsPolicy !== undefined && {topicsPolicy: changes.topicsPolicy}),
    ...(changes.defaultPush !== undefined && {defaultPush: changes.defaultPush}),
    permissions: changedPermissions(changes),
  };
}

function changedPermissions(changes: Partial<ChannelValues>): Partial<Record<ChannelSettingName, GroupSetting>> {
  const entries = channelPermissionTexts().flatMap(({name, wireName}) => {
    const value = changes[name];
    return value === undefined ? [] : [[wireName, value] as const];
  });
  return Object.fromEntries(entries);
}

/** Returns the request that changes a channel. Permissions name their old value, so that none is overwritten unseen. */
export function channelChangeOf(
  changes: Partial<ChannelValues>,
  values: ChannelValues,
  before: ChannelValues,
): ChannelChange {
  const oldPermissions = changedPermissions(before);
  const permissions = Object.entries(changedPermissions(changes)).map(([name, value]) => {
    const old = oldPermissions[name as ChannelSettingName];
    return [name, {new: value, ...(old !== undefined && {old})}] as const;
  });
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
    ...Object.fromEntries(permissions),
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

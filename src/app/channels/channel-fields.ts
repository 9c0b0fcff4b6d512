import {announcesNowhere, type ChannelChange, type NewChannel} from '#state/actions/channels.ts';
import type {Channel} from '#state/model/channel.ts';
import {channelNamed} from '#state/selectors/names/find-by-name.ts';
import {
  type ChannelPrivacy,
  canAdministerChannel,
  canCreateChannel,
  canReadChannel,
} from '#state/selectors/permissions/channel-permissions.ts';
import {hasRealmPermission, isAdministrator, isOwner, refusalReason} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {type ChoiceFormField, type FormChoice, type FormField, formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {PermissionFields, type PermissionValues} from '#ui/forms/permission-fields.ts';
import type {ChannelSettingName} from '#wire/objects/channel.ts';

/** Returns why the settings of a channel cannot be changed. */
export function channelDisabledReason({account, minute}: Frame, channelId: number): string | undefined {
  const isArchived = account.channels.get(channelId)?.isArchived === true;
  if (isArchived) return 'The channel is archived: unarchive it first';
  return refusalReason(canAdministerChannel(account, channelId, minute));
}

/** Returns the fields of a channel; `channel` is undefined for a new one. */
export function channelFields(frame: Frame, values: ChannelValues, channel: Channel | undefined): readonly FormField[] {
  const {account} = frame;
  return [
    formField('text', 'name', 'Name', {
      isRequired: true,
      maxLength: account.server.maxStreamNameLength ?? 60,
      validate: (name) => nameProblem(frame, name, channel),
    }),
    formField('text', 'description', 'Description', {
      help: 'Markdown works. One paragraph.',
      maxLength: account.server.maxStreamDescriptionLength ?? 1024,
    }),
    privacyField(frame, channel),
    ...(channel === undefined ? creationFields(frame) : []),
    ...settingFields(frame, values, channel),
    ...permissionFields(frame, channel),
  ];
}

function nameProblem({account}: Frame, name: string, channel: Channel | undefined): string | undefined {
  const other = channelNamed(account, name);
  return other === undefined || other.id === channel?.id
    ? undefined
    : composed`There is already a channel #${other.name}`;
}

function creationFields({account}: Frame): readonly FormField[] {
  return [
    formField('people', 'subscriberIds', 'Subscribers', {
      help: 'You are always subscribed. The channel appears in their lists; no message tells them.',
      emptyText: 'only you',
      isOffered: (id) => id !== account.self.userId && account.users.get(id)?.isSystemBot !== true,
    }),
    formField('groups', 'groupIds', 'Groups', {help: 'Subscribes everyone who is in these groups now.'}),
    formField('switch', 'announce', 'Announce', {
      help: announcementHelp(account),
      disabled: announcesNowhere(account) ? 'The organization has no channel for announcements' : undefined,
    }),
  ];
}

function announcementHelp(account: AccountState): string {
  if (announcesNowhere(account)) return 'Administrators choose it in the organization settings.';
  const name = account.channels.get(account.realm.newStreamAnnouncementsStreamId ?? 0)?.name;
  return composed`Posts a message about the new channel in ${name === undefined ? 'the channel for announcements' : composed`#${name}`}.`;
}

const privacyChoices: readonly (FormChoice & {readonly needs: ChannelPrivacy})[] = [
  {value: 'public', label: 'Public', detail: 'everyone except guests can join and read', needs: 'public'},
  {
    value: 'sharedHistory',
    label: 'Private, shared history',
    detail: 'new subscribers see earlier messages',
    needs: 'private',
  },
  {
    value: 'protectedHistory',
    label: 'Private, protected history',
    detail: 'new subscribers see only later messages',
    needs: 'private',
  },
  {value: 'webPublic', label: 'Web-public', detail: 'anyone on the internet can read', needs: 'webPublic'},
];

function privacyField(frame: Frame, channel: Channel | undefined): ChoiceFormField {
  const {account, minute} = frame;
  const isUnreadable = channel !== undefined && !canReadChannel(account, channel, minute);
  const choices = privacyChoices.map(({needs, ...choice}): FormChoice => {
    const permission = canCreateChannel(account, needs, minute);
    return permission.ok ? choice : {...choice, disabled: permission.reason};
  });
  const reason = isUnreadable ? 'Only users who can read the channel can change this' : undefined;
  return formField('choice', 'privacy', 'Privacy', {choices, disabled: reason});
}

const topicChoices: readonly FormChoice[] = [
  {value: 'inherit', label: 'As in the organization'},
  {value: 'allow_empty_topic', label: 'Allowed', detail: 'messages need no topic'},
  {value: 'disable_empty_topic', label: 'Required', detail: 'every message needs a topic'},
  {value: 'empty_topic_only', label: 'None', detail: 'all messages are in one conversation'},
];

function settingFields(frame: Frame, values: ChannelValues, channel: Channel | undefined): readonly FormField[] {
  const {account} = frame;
  const {realm} = account;
  const isPrivate = values.privacy === 'sharedHistory' || values.privacy === 'protectedHistory';
  const adminOnly = isAdministrator(account) ? undefined : 'Only administrators can change this';
  const privateReason = isPrivate && !values.isDefault ? 'Private channels cannot be default channels' : undefined;
  const folder = folderField(frame, values);
  const topics: FormField = formField('choice', 'topicsPolicy', 'Topics', {
    choices: topicChoices,
    disabled: adminOnly === undefined ? undefined : realmReason(frame, 'canSetTopicsPolicyGroup'),
  });
  return [
    {kind: 'section', label: 'Settings'},
    formField('switch', 'isDefault', 'Default channel', {
      help: 'New users of the organization are subscribed to it.',
      disabled: adminOnly ?? privateReason,
    }),
    ...(folder === undefined ? [] : [folder]),
    ...(realm.canSetTopicsPolicyGroup === undefined ? [] : [topics]),
    ...retentionFields(frame, values),
    ...(hasPushSetting(account.channels, channel)
      ? [
          formField('switch', 'defaultPush', 'Notify phones', {
            help: 'Of each message, for subscribers who have not chosen otherwise.',
            disabled: adminOnly,
          }),
        ]
      : []),
  ];
}

/** Whether the server has the setting: older ones do not. */
function hasPushSetting(channels: Frame['account']['channels'], channel: Channel | undefined): boolean {
  const known = channel ?? [...channels.values()].at(0);
  return known?.defaultPushNotifications !== undefined;
}

function folderField({account}: Frame, {folderId}: ChannelValues) {
  const folders = [...account.folders.values()].filter(({id, isArchived}) => !isArchived || id === folderId);
  if (folders.length === 0) return undefined;
  const choices: readonly FormChoice[] = [
    {value: null, label: 'None'},
    ...folders.map(({id, name, description}) => ({value: id, label: name, detail: description})),
  ];
  return formField('choice', 'folderId', 'Folder', {choices});
}

function retentionFields({account}: Frame, values: ChannelValues): readonly FormField[] {
  const reason = isOwner(account) ? undefined : 'Only owners can change this';
  const choices: readonly FormChoice[] = [
    {value: 'default', label: 'As in the organization'},
    {value: 'forever', label: 'Forever'},
    {value: 'days', label: 'For some days'},
  ];
  return [
    formField('choice', 'retention', 'Keep messages', {
      choices,
      help: 'Older messages are deleted for everyone.',
      disabled: reason,
    }),
    ...(values.retention === 'days'
      ? [formField('number', 'retentionDays', 'Delete after', {unit: 'days', min: 1, disabled: reason})]
      : []),
  ];
}

/** Returns why the user may not set something that needs a permission in the organization. */
function realmReason(
  {account, minute}: Frame,
  name: 'canSetTopicsPolicyGroup' | 'canSetDeleteMessagePolicyGroup',
): string | undefined {
  const isAllowed = hasRealmPermission(account, name, minute);
  return isAllowed ? undefined : 'You do not have permission to change this';
}

/** Permissions that give access to a private channel: only users who can read it may grant them. */
const accessPermissions: ReadonlySet<string> = new Set(['can_add_subscribers_group', 'can_subscribe_group']);
const deletePermissions: ReadonlySet<string> = new Set([
  'can_delete_any_message_group',
  'can_delete_own_message_group',
]);

const postPolicies: readonly FormChoice[] = [
  {value: 1, label: 'Everyone including guests'},
  {value: 3, label: 'Full members'},
  {value: 4, label: 'Moderators'},
  {value: 2, label: 'Administrators'},
];

function permissionFields(frame: Frame, channel: Channel | undefined): readonly FormField[] {
  const {account, minute} = frame;
  const isUnreadable = channel !== undefined && !canReadChannel(account, channel, minute);
  const fields = channelPermissions.fields(account, channel, (wireName) => {
    if (isUnreadable && accessPermissions.has(wireName)) return 'You cannot read the channel';
    return deletePermissions.has(wireName) ? realmReason(frame, 'canSetDeleteMessagePolicyGroup') : undefined;
  });
  const policy: FormField = formField('choice', 'postPolicy', 'Post messages', {choices: postPolicies});
  const hasPolicy = channel !== undefined && channel.canSendMessageGroup === undefined;
  const all = [...(hasPolicy ? [policy] : []), ...fields];
  return all.length === 0 ? [] : [{kind: 'section', label: 'Who can'}, ...all];
}

type ChannelPrivacyChoice = 'public' | 'sharedHistory' | 'protectedHistory' | 'webPublic';

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
const inOrganization = 'those allowed in the organization';

const channelPermissions = new PermissionFields<ChannelSettingName>('stream', {
  can_send_message_group: ['Post messages', 'Who can post in the channel.'],
  can_create_topic_group: ['Start topics', 'Who can start new topics.'],
  can_subscribe_group: [
    'Join by themselves',
    'Who can subscribe without being added, even if the channel is private.',
    'those whom its privacy lets in',
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
  defaultPush: false,
  subscriberIds: [],
  groupIds: [],
} as const;

/** Returns the values of an existing channel, or of a new one as the server would set them. */
export function channelValues({account}: Frame, channel: Channel | undefined): ChannelValues {
  if (channel === undefined) return {...emptyValues, ...channelPermissions.newValues(account)};
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

import type {FileSource} from '#api/multipart.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';
import type {GroupSetting, GroupSettingName} from '#wire/objects/group.ts';
import type {Invite, InviteLink} from '#wire/objects/user.ts';
import {featureProblem} from '#wire/server-features.ts';

export type UserChange = Omit<ArgsOf<Endpoints['updateUser']>, 'user_id'>;

/** Returns the id of the user of an email address, which may be one that only the API uses. */
export async function findUserByEmail({api}: SessionContext, email: string): Promise<number> {
  return (await api.getUserByEmail({email})).user.user_id;
}

/** Creates an account. Few administrators are allowed to. Returns its user id. */
export async function createUser(
  {api}: SessionContext,
  {email, fullName, password}: {readonly email: string; readonly fullName: string; readonly password: string},
): Promise<number> {
  return (await api.createUser({email, password, full_name: fullName})).user_id;
}

/** What is deleted with the account. */
export const deactivationActions = [
  'delete_profile',
  'delete_public_channel_messages',
  'delete_private_channel_messages',
  'delete_direct_messages',
] as const;
export type DeactivationAction = (typeof deactivationActions)[number];

interface Deactivation {
  /** Sent to the user by email; without it they get no email. */
  readonly comment?: string | undefined;
  readonly actions?: readonly DeactivationAction[] | undefined;
}

export async function deactivateUser(
  {api}: SessionContext,
  userId: number,
  {comment, actions = []}: Deactivation = {},
): Promise<void> {
  await api.deactivateUser({
    user_id: userId,
    ...(comment !== undefined && {deactivation_notification_comment: comment}),
    ...(actions.length > 0 && {actions: Object.fromEntries(actions.map((name) => [name, true]))}),
  });
}

/** Returns the URL of the image. */
export async function uploadAvatar({api}: SessionContext, file: FileSource): Promise<string | undefined> {
  return (await api.uploadAvatar({file})).avatar_url ?? undefined;
}

type NewBot = ArgsOf<Endpoints['createBot']>;
export type BotChange = Omit<ArgsOf<Endpoints['updateBot']>, 'bot_id'>;

/** Returns the bot's API key. */
export async function createBot({api}: SessionContext, bot: NewBot): Promise<{id: number; apiKey: string}> {
  const {user_id: id, api_key: apiKey} = await api.createBot(bot);
  return {id, apiKey};
}

export async function botApiKey({api}: SessionContext, botId: number): Promise<string> {
  return (await api.getBotApiKey({bot_id: botId})).api_key;
}

/** Replaces the bot's API key; programs with the old one are logged out. */
export async function regenerateBotApiKey({api}: SessionContext, botId: number): Promise<string> {
  return (await api.regenerateBotApiKey({bot_id: botId})).api_key;
}

/** Returns the id of the new folder. */
export async function createFolder(
  {api}: SessionContext,
  folder: {readonly name: string; readonly description?: string},
): Promise<number> {
  const args = {name: folder.name, description: folder.description ?? ''};
  return (await api.createFolder(args)).channel_folder_id;
}

export async function updateFolder(
  {api}: SessionContext,
  id: number,
  change: {readonly name?: string; readonly description?: string; readonly isArchived?: boolean},
): Promise<void> {
  const {name, description, isArchived} = change;
  await api.updateFolder({
    channel_folder_id: id,
    ...(name !== undefined && {name}),
    ...(description !== undefined && {description}),
    ...(isArchived !== undefined && {is_archived: isArchived}),
  });
}

interface NewGroup {
  readonly name: string;
  readonly description?: string;
  readonly memberIds: readonly number[];
  readonly subgroupIds?: readonly number[];
  /** Those that are not given are set by the server. */
  readonly permissions?: Partial<Record<GroupSettingName, GroupSetting>>;
}

export async function createGroup({api}: SessionContext, group: NewGroup): Promise<void> {
  const {name, description = '', memberIds, subgroupIds = [], permissions = {}} = group;
  await api.createGroup({
    name,
    description,
    members: [...memberIds],
    ...(subgroupIds.length > 0 && {subgroups: [...subgroupIds]}),
    ...permissions,
  });
}

export type GroupChange = Omit<ArgsOf<Endpoints['updateGroup']>, 'user_group_id'>;

/** Users and groups to add to a group, or to remove from it. */
export interface GroupMembers {
  readonly userIds?: readonly number[];
  readonly groupIds?: readonly number[];
}

/** Adds and removes members and subgroups; the user joins and leaves the same way. */
export async function changeGroupMembers(
  {api}: SessionContext,
  id: number,
  {add = {}, remove = {}}: {readonly add?: GroupMembers; readonly remove?: GroupMembers},
): Promise<void> {
  const [addedUsers, removedUsers] = [[...(add.userIds ?? [])], [...(remove.userIds ?? [])]];
  const [addedGroups, removedGroups] = [[...(add.groupIds ?? [])], [...(remove.groupIds ?? [])]];
  if (addedUsers.length + removedUsers.length > 0) {
    await api.updateGroupMembers({user_group_id: id, add: addedUsers, delete: removedUsers});
  }
  if (addedGroups.length + removedGroups.length > 0) {
    await api.updateSubgroups({user_group_id: id, add: addedGroups, delete: removedGroups});
  }
}

export interface Invitation {
  readonly channelIds: readonly number[];
  /** Whether new users get the default channels too. */
  readonly includesDefaultChannels?: boolean;
  readonly groupIds?: readonly number[];
  /** A role number; members by default. */
  readonly role?: number;
  /** Null: never expires. */
  readonly expiresInMinutes?: number | null;
  /** The text of Welcome Bot's first message, in place of the organization's. */
  readonly welcomeMessage?: string | undefined;
}

export async function getInvites({api}: SessionContext): Promise<readonly Invite[]> {
  return (await api.getInvites({})).invites;
}

/** Sends invitations. A server that sends no mail returns their links, which only the inviter gets. */
export async function invite(
  context: SessionContext,
  emails: readonly string[],
  {notifiesMe = true, ...invitation}: Invitation & {readonly notifiesMe?: boolean},
): Promise<readonly InviteLink[]> {
  const {api} = context;
  const args = {
    invitee_emails: emails.join(','),
    ...invitationArgs(context, invitation),
    ...(!notifiesMe && {notify_referrer_on_join: false}),
  };
  return (await api.sendInvites(args)).invite_links ?? [];
}

/** Returns the URL of the invitation. */
export async function createInviteLink(context: SessionContext, invitation: Invitation): Promise<string> {
  const {api} = context;
  return (await api.createInviteLink(invitationArgs(context, invitation))).invite_link;
}

export async function revokeInvite(
  {api}: SessionContext,
  {id, isLink}: {readonly id: number; readonly isLink: boolean},
): Promise<void> {
  const args = {invite_id: id};
  await (isLink ? api.revokeInviteLink(args) : api.revokeInvite(args));
}

/**
 * Sends the e-mail of an invitation again. A server that sends no mail only extends the invitation, and returns its link to
 * the inviter and null to others.
 */
export async function resendInvite({api}: SessionContext, id: number): Promise<string | null | undefined> {
  return (await api.resendInvite({invite_id: id})).invite_link;
}

function invitationArgs({cache}: SessionContext, invitation: Invitation) {
  const {channelIds, includesDefaultChannels = false, groupIds = [], role, expiresInMinutes} = invitation;
  const {server, defaultChannels} = cache.state;
  // Servers that cannot be told to use the default channels get their ids.
  const areNamed = includesDefaultChannels && featureProblem(server.level, 'inviteToDefaultChannels') !== undefined;
  return {
    stream_ids: [...new Set([...channelIds, ...(areNamed ? defaultChannels : [])])],
    ...(includesDefaultChannels && !areNamed && {include_realm_default_subscriptions: true}),
    ...(groupIds.length > 0 && {group_ids: [...groupIds]}),
    ...(role !== undefined && {invite_as: role}),
    ...(expiresInMinutes !== undefined && {invite_expires_in_minutes: expiresInMinutes}),
    ...(invitation.welcomeMessage !== undefined && {welcome_message_custom_text: invitation.welcomeMessage}),
  };
}

export type LinkifierFields = ArgsOf<Endpoints['addLinkifier']>;

/** Returns the id of the new linkifier. */
export async function addLinkifier({api}: SessionContext, fields: LinkifierFields): Promise<number> {
  return (await api.addLinkifier(fields)).id;
}

export type ProfileFieldChange = Omit<ArgsOf<Endpoints['updateProfileField']>, 'field_id'>;

/** Returns the id of the new field. */
export async function createProfileField(
  {api}: SessionContext,
  type: number,
  fields: ProfileFieldChange,
): Promise<number> {
  return (await api.createProfileField({field_type: type, ...fields})).id;
}

export type RealmChange = ArgsOf<Endpoints['updateRealm']>;

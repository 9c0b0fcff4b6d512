import type {Api} from '#api/api.ts';
import {normalizedContent} from '#state/outbox/normalize-text.ts';
import {isRefusal} from '#wire/failure.ts';
import {roles} from '#wire/objects/user.ts';
import {
  type Args,
  doneIf,
  type Find,
  findEdit,
  hasDomain,
  hasInvite,
  hasMembers,
  inviteIds,
  isAccepted,
  isActive,
  isIn,
  isSubscribedTo,
  type Known,
  newIn,
  newInvites,
  type Result,
  repeat,
  repeated,
  repeatedOr,
  repeatedOrLoggedOut,
  shownIn,
  sshKeyIds,
} from './find-change.ts';

/** `none`: it changes nothing that a user looks for, or its caller finds out. `unknown`: nobody can find out. */
type LookUp<A, R> = 'none' | 'unknown' | Find<A, R> | {readonly known: Known; readonly find: Find<A, R>};

/** What is done about a lost response, for every call that is not a mere question. */
export const lookUps: {readonly [N in keyof Api]?: LookUp<Args<N>, Result<N>>} = {
  register: 'none',
  deleteQueue: 'none',
  devFetchApiKey: 'none',
  fetchApiKey: 'none',
  renderMessage: 'none',
  sendTyping: 'none',
  sendEditTyping: 'none',
  updatePresence: 'none',
  // The outbox and the synchronization of drafts find out themselves.
  sendMessage: 'none',
  createDrafts: 'none',
  editDraft: repeat,
  deleteDraft: repeat,
  regenerateApiKey: 'unknown',
  createCall: 'unknown',
  reportMessage: 'unknown',
  runSlashCommand: 'unknown',
  resendInvite: 'unknown',
  requestExport: 'unknown',
  createScheduledMessage: async ({api, before, signal}, args) => {
    const {scheduled_messages: all} = await api.getScheduledMessages({}, {signal});
    const text = normalizedContent(args.content, before);
    return all.find(
      ({scheduled_message_id: id, content, scheduled_delivery_timestamp: at}) =>
        !before.scheduled.has(id) && at === args.scheduled_delivery_timestamp && content.trim() === text.trim(),
    );
  },
  editScheduledMessage: repeat,
  deleteScheduledMessage: repeatedOr(async ({api, signal}, args) => {
    const {scheduled_messages: all} = await api.getScheduledMessages({}, {signal});
    return doneIf(all.every(({scheduled_message_id: id}) => id !== args.scheduled_message_id));
  }),
  createReminder: async ({api, before, signal}, args) =>
    (await api.getReminders({}, {signal})).reminders.find(
      ({reminder_id: id, reminder_target_message_id: messageId, scheduled_delivery_timestamp: at}) =>
        !before.reminders.has(id) && messageId === args.message_id && at === args.scheduled_delivery_timestamp,
    ),
  deleteReminder: repeatedOr(async ({api, signal}, args) => {
    const {reminders} = await api.getReminders({}, {signal});
    return doneIf(reminders.every(({reminder_id: id}) => id !== args.reminder_id));
  }),
  // A move is not repeated: its notice would be sent twice.
  editMessage: (context, args, send) =>
    args.content === undefined ? findEdit(context, args) : repeated(send, () => findEdit(context, args)),
  deleteMessage: repeatedOr(async ({api, signal}, {message_id}) =>
    doneIf(!(await isAccepted(api.getMessage({message_id, apply_markdown: false}, {signal})))),
  ),
  addReaction: repeat,
  removeReaction: repeat,
  sendSubmessage: async ({api, before, signal}, {message_id, content}) => {
    const {message} = await api.getMessage({message_id, apply_markdown: false}, {signal});
    const known = new Set(before.messages.byId.get(message_id)?.submessages.map(({id}) => id));
    const isOwn = (one: {id: number; sender_id: number; content: string}) =>
      !known.has(one.id) && one.sender_id === before.self.userId && one.content === content;
    return doneIf(message.submessages?.some(isOwn) === true);
  },
  markAllAsRead: repeat,
  markChannelAsRead: repeat,
  markTopicAsRead: repeat,
  updateFlags: repeat,
  updateFlagsForNarrow: repeat,
  // The messages that the first request changed are not counted again.
  flagNarrow: async (_context, _args, send) => ({...(await repeated(send)), updatedCount: undefined}),
  muteTopic: repeat,
  setUserTopic: repeat,
  addNavigationView: repeat,
  editNavigationView: repeat,
  removeNavigationView: repeat,
  uploadFile: async ({api, before, clock, signal}, {file}) => {
    const {attachments} = await api.getAttachments({}, {signal});
    const same = attachments.filter(
      ({name, size, message_ids: users}) => name === file.name && size === file.size && !users?.length,
    );
    if (same.length === 0) return undefined;
    const newest = same.reduce((a, b) => (a.id > b.id ? a : b));
    const age = clock.now() / 1000 + before.presences.serverOffset - newest.create_time;
    if (Math.abs(age) > maxUploadAgeSeconds) throw new Error('An older file has the same name and size');
    return {url: `/user_uploads/${newest.path_id}`, filename: newest.name};
  },
  deleteAttachment: repeatedOr(async ({api, signal}, {attachment_id}) =>
    doneIf((await api.getAttachments({}, {signal})).attachments.every(({id}) => id !== attachment_id)),
  ),
  sendInvites: {
    known: inviteIds,
    find: async (context, {invitee_emails: emails}) => {
      const added = new Set((await newInvites(context)).map(({email}) => email?.toLowerCase()));
      const wanted = emails.split(/[,\n]/).map((email) => email.trim().toLowerCase());
      const count = wanted.filter((email) => added.has(email)).length;
      if (count > 0 && count < wanted.length) throw new Error('Some were invited');
      return doneIf(count > 0);
    },
  },
  createInviteLink: {
    known: inviteIds,
    find: async (context, {invite_as: role = roles.member}) => {
      const added = await newInvites(context);
      const link = added.find(({is_multiuse, invited_as}) => is_multiuse && invited_as === role)?.link_url;
      return link === undefined ? undefined : {invite_link: link};
    },
  },
  revokeInvite: repeatedOr(async (context, {invite_id}) => doneIf(!(await hasInvite(context, invite_id, false)))),
  revokeInviteLink: repeatedOr(async (context, {invite_id}) => doneIf(!(await hasInvite(context, invite_id, true)))),
  addSshKey: {
    known: sshKeyIds,
    find: async ({api, known, signal}, {key}) => {
      const blob = Buffer.from(key.trim().split(/\s+/)[1] ?? '', 'base64');
      const hash = Buffer.from(await crypto.subtle.digest('SHA-256', blob))
        .toString('base64')
        .replace(/=+$/, '');
      const {ssh_keys: all} = await api.getSshKeys({}, {signal});
      const found = all.find(({id, fingerprint}) => known?.has(id) === false && fingerprint === `SHA256:${hash}`);
      return found && {ssh_key: found};
    },
  },
  removeSshKey: repeatedOr(async (context, {key_id: id}) => doneIf(!(await sshKeyIds(context)).has(id))),
  createUser: async ({api, before, signal}, {email}) => {
    try {
      const {user} = await api.getUserByEmail({email}, {signal});
      return before.users.has(user.user_id) ? undefined : user;
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw error;
    }
  },
  createSnippet: shownIn(['saved_snippets'], ({snippets}, {title, content}, before) => {
    const found = newIn(snippets, before.snippets, (one) => one.title === title && one.content === content);
    return found && {saved_snippet_id: found.id};
  }),
  editSnippet: repeat,
  deleteSnippet: repeatedOr(
    shownIn(['saved_snippets'], ({snippets}, {saved_snippet_id: id}) => doneIf(!snippets.has(id))),
  ),
  createChannel: shownIn(['subscription'], ({channels}, {name}, before) =>
    newIn(channels, before.channels, (one) => one.name === name),
  ),
  // A channel that has the name already refuses it, and an active one refuses to be unarchived.
  updateChannel: repeatedOr(
    shownIn(['subscription'], ({channels}, {stream_id: id, new_name: name, is_archived: isArchived}, before) => {
      const [now, then] = [channels.get(id), before.channels.get(id)];
      const isRenamed = name !== undefined && now?.name === name.trim() && then?.name !== now.name;
      const isUnarchived = isArchived === false && then?.isArchived === true && now?.isArchived === false;
      return doneIf(isRenamed || isUnarchived);
    }),
  ),
  archiveChannel: repeatedOr(
    shownIn(['subscription'], ({channels}, {stream_id: id}) =>
      doneIf(!channels.has(id) || channels.get(id)?.isArchived === true),
    ),
  ),
  addDefaultChannel: repeat,
  removeDefaultChannel: repeat,
  changeSubscriptions: repeat,
  subscribe: async ({before}, _args, send) => {
    const {subscribed, already_subscribed: already, ...rest} = await repeated(send);
    const own = String(before.self.userId);
    const isNew = (name: string) => !isSubscribedTo(before, name);
    const names = already[own] ?? [];
    return {
      ...rest,
      subscribed: {...subscribed, [own]: [...(subscribed[own] ?? []), ...names.filter(isNew)]},
      already_subscribed: {...already, [own]: names.filter((name) => !isNew(name))},
    };
  },
  // Who has left a private channel cannot name it any more.
  unsubscribe: async (context, args, send) => {
    const hasLeft = shownIn(['subscription'], (state) =>
      doneIf(args.principals === undefined && !args.subscriptions.some((name) => isSubscribedTo(state, name))),
    );
    await repeated<object>(send, () => hasLeft(context, args));
    return {removed: args.subscriptions, not_removed: []};
  },
  updateSubscription: repeat,
  updateSubscriptions: repeat,
  deleteTopic: repeat,
  createFolder: shownIn(['channel_folders'], ({folders}, {name}, before) => {
    const found = newIn(folders, before.folders, (one) => one.name === name);
    return found && {channel_folder_id: found.id};
  }),
  updateFolder: repeat,
  reorderFolders: repeat,
  addAlertWords: repeat,
  removeAlertWords: repeat,
  muteUser: repeat,
  unmuteUser: repeat,
  updateSettings: repeat,
  updateStatus: repeat,
  updateUser: repeat,
  updateUserByEmail: repeat,
  updateUserStatus: repeat,
  deactivateOwnUser: repeatedOrLoggedOut,
  deactivateUser: repeatedOr(async (context, {user_id: id}) => doneIf(!(await isActive(context, id)))),
  reactivateUser: repeatedOr(async (context, {user_id: id}) => doneIf(await isActive(context, id))),
  createBot: async (context, args) => {
    const newBot = shownIn(['realm_bot'], ({bots}, _args, before) =>
      [...bots.values()].find(({userId}) => !before.bots.has(userId)),
    );
    const bot = await newBot(context, args);
    if (bot === undefined) return undefined;
    const {api_key} = await context.api.getBotApiKey({bot_id: bot.userId}, {signal: context.signal});
    return {user_id: bot.userId, api_key};
  },
  updateBot: repeat,
  uploadBotAvatar: repeat,
  deactivateBot: repeatedOr(async (context, {bot_id: id}) => doneIf(!(await isActive(context, id)))),
  regenerateBotApiKey: repeat,
  updateProfileData: repeat,
  removeProfileData: repeat,
  uploadAvatar: repeat,
  deleteAvatar: repeat,
  createGroup: shownIn(['realm_user_groups'], ({groups}, {name}, before) => {
    const found = newIn(groups, before.groups, (one) => one.name === name);
    return found && {group_id: found.id};
  }),
  updateGroup: repeatedOr(
    shownIn(['realm_user_groups'], ({groups}, {user_group_id: id, deactivated}) =>
      doneIf(deactivated === false && groups.get(id)?.isDeactivated === false),
    ),
  ),
  deleteGroup: repeat,
  deactivateGroup: repeatedOr(
    shownIn(['realm_user_groups'], ({groups}, {user_group_id: id}) => doneIf(groups.get(id)?.isDeactivated !== false)),
  ),
  updateGroupMembers: repeatedOr(
    shownIn(['realm_user_groups'], ({groups}, {user_group_id: id, ...args}) => {
      const {members, subgroupIds} = groups.get(id) ?? {};
      const isDone =
        hasMembers(members, args.add, args.delete) &&
        hasMembers(subgroupIds, args.add_subgroups, args.delete_subgroups);
      return doneIf(isDone);
    }),
  ),
  updateSubgroups: repeatedOr(
    shownIn(['realm_user_groups'], ({groups}, {user_group_id: id, add, delete: removed}) =>
      doneIf(hasMembers(groups.get(id)?.subgroupIds, add, removed)),
    ),
  ),
  updateRealm: repeat,
  deactivateRealm: repeatedOrLoggedOut,
  uploadIcon: repeat,
  removeIcon: repeat,
  addEmoji: shownIn(['realm_emoji'], ({emoji}, {emoji_name: name}, before) =>
    doneIf(
      [...emoji.values()].some((one) => one.name === name && one.deactivated !== true && !before.emoji.has(one.id)),
    ),
  ),
  removeEmoji: repeatedOr(
    shownIn(['realm_emoji'], ({emoji}, {emoji_name: name}) =>
      doneIf(![...emoji.values()].some((one) => one.name === name && one.deactivated !== true)),
    ),
  ),
  deleteExport: repeatedOr(async ({api, signal}, {export_id}) =>
    doneIf(!(await api.getExports({}, {signal})).exports.some((one) => one.id === export_id && !one.deleted_timestamp)),
  ),
  addLinkifier: shownIn(['realm_linkifiers'], ({linkifiers}, {pattern}, before) =>
    linkifiers.find((one) => one.pattern === pattern && !isIn(before.linkifiers, one)),
  ),
  updateLinkifier: repeat,
  removeLinkifier: repeatedOr(
    shownIn(['realm_linkifiers'], ({linkifiers}, {filter_id: id}) => doneIf(!isIn(linkifiers, {id}))),
  ),
  reorderLinkifiers: repeat,
  addDomain: shownIn(['realm_domains'], ({domains}, {domain}, before) =>
    hasDomain(domains, domain) && !hasDomain(before.domains, domain)
      ? {new_domain: [0, domain] as [number, string]}
      : undefined,
  ),
  updateDomain: repeat,
  removeDomain: repeatedOr(shownIn(['realm_domains'], ({domains}, {domain}) => doneIf(!hasDomain(domains, domain)))),
  createProfileField: shownIn(['custom_profile_fields'], ({profileFields}, {name}, before) =>
    profileFields.find((one) => one.name === name && !isIn(before.profileFields, one)),
  ),
  updateProfileField: repeat,
  removeProfileField: repeatedOr(
    shownIn(['custom_profile_fields'], ({profileFields}, {field_id: id}) => doneIf(!isIn(profileFields, {id}))),
  ),
  reorderProfileFields: repeat,
};

/** How old an uploaded file may be to count as the one whose response was lost; the clocks may differ a little. */
const maxUploadAgeSeconds = 120;

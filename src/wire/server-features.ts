import {levels, releaseWith} from './levels.ts';

/** The features of a server that the client asks for by name, with the level that introduced each. */
const featureLevels = {
  /** The server stores drafts. */
  drafts: levels.drafts,
  /** The server supports typing notifications for edits. */
  editTyping: levels.editTyping,
  /** Topics may have an empty name; before, it is `(no topic)`. */
  emptyTopics: levels.emptyTopic,
  /** Messages can be fetched by their ids in one request. */
  messagesByIds: levels.messageIds,
  /** A removed user is no longer visible; before, they were deactivated. */
  removedUsersAreHidden: levels.deactivationUpdate,
  /** A deleted channel is no longer visible; before, it may only be archived. */
  deletedChannelsAreGone: levels.archiveEvents,
  /** A channel is made a default channel by its own settings; before, by a separate request. */
  defaultChannelSetting: levels.defaultChannelOnCreate,
  /** The server supports `@**channel**`. */
  channelWildcard: levels.channelWildcard,
  /** The server supports `@**topic**`. */
  topicWildcard: levels.splitWildcards,
  /** The server supports `#**channel>topic@id**`. */
  messageLinks: levels.topicMessageLinks,
  /** Only owners change the allowed domains; before, administrators too. */
  domainsByOwners: levels.domainsByOwners,
  /** Groups are deactivated; before, they are deleted. */
  deactivatedGroups: levels.groupDeactivated,
};

/**
 * The features of a server by its level. Code outside `wire/`, `api/` and `server/` uses these names and never compares
 * levels.
 */
export type ServerFeatures = Readonly<Record<keyof typeof featureLevels, boolean>>;

export function serverFeatures(level: number): ServerFeatures {
  const features = Object.entries(featureLevels).map(([name, since]) => [name, level >= since]);
  return Object.fromEntries(features) as ServerFeatures;
}

/** What users do that older servers lack: its name in a list, and the level that introduced it. */
const newerFeatures = {
  readReceipts: ['Read receipts', levels.readReceipts],
  unmutedTopics: ['Unmuting topics of muted channels', levels.setUserTopic],
  scheduledMessages: ['Scheduled messages', levels.createScheduledMessage],
  changeScheduled: ['Changing scheduled messages', levels.editScheduledMessage],
  groupPermissions: ['Permissions of groups', levels.groupMention],
  reorderLinkifiers: ['Reordering linkifiers', levels.reorderLinkifiers],
  followedTopics: ['Following topics', levels.followed],
  topicWildcard: ['@topic mentions', levels.splitWildcards],
  deactivatedGroups: ['Deactivating groups', levels.groupDeactivated],
  savedSnippets: ['Saved snippets', levels.savedSnippets],
  channelPermissions: ['Permissions of channels for groups', levels.administerChannelGroup],
  emptyTopics: ['Messages without a topic', levels.emptyTopic],
  editSnippets: ['Changing saved snippets', levels.editSavedSnippet],
  editLocking: ['Refusing to overwrite the edits of others', levels.editLocking],
  messageReports: ['Reporting messages', levels.reportMessage],
  unarchive: ['Unarchiving channels', levels.unarchive],
  channelFolders: ['Channel folders', levels.channelFolders],
  navigationViews: ['Pinned views', levels.navigationViews],
  subscriptionNotices: ['Adding people without telling them', levels.subscriptionNotices],
  topicsPolicy: ['Topic rules of channels', levels.topicsPolicy],
  reminders: ['Reminders', levels.reminders],
  newTopicPermission: ['Permission to start topics', levels.createTopicGroup],
  reverseLinkifiers: ['Reverse linkifiers', levels.reverseLinkifiers],
  subgroups: ['Groups in groups', levels.subgroups],
  reactivatedGroups: ['Reactivating groups', levels.groupReactivated],
  reminderNotes: ['Notes in reminders', levels.reminderNote],
  pronounsField: ['Profile fields for pronouns', levels.pronounsField],
  paragraphSummary: ['Long texts in the profile summary', levels.paragraphSummary],
  setUserStatus: ['Setting the status of others', levels.setUserStatus],
  changeUserEmail: ['Changing the e-mail addresses of others', levels.changeUserEmail],
  deactivationActions: ['Deleting what a deactivated person wrote', levels.deactivationActions],
  inviteToDefaultChannels: ['Invitations to the default channels', levels.inviteToDefaultChannels],
  notifyReferrer: ['Invitations without a message to the inviter', levels.notifyReferrer],
  inviteToGroups: ['Invitations to groups', levels.inviteToGroups],
  welcomeMessage: ['Invitations with a welcome message', levels.welcomeMessage],
  archivedTopics: ['Topics of archived channels', levels.archivedTopics],
} as const satisfies Readonly<Record<string, readonly [name: string, since: number]>>;

export type NewerFeature = keyof typeof newerFeatures;

/** Returns the features that a server of this level lacks, by the level that introduced them, with their first release. */
export function missingFeatures(level: number) {
  return Object.values(newerFeatures)
    .filter(([, since]) => since > level)
    .map(([name, since]) => ({name, release: releaseWith(since), level: since}))
    .sort((a, b) => a.level - b.level);
}

/** Returns why a server lacks a feature, for the user; undefined when it has it, or when its level is not known. */
export function featureProblem(level: number, feature: NewerFeature): string | undefined {
  const [, since] = newerFeatures[feature];
  return sinceProblem(level, {since});
}

/**
 * Returns why a server lacks an endpoint, a parameter or something else that a level introduced; undefined when it has it, or
 * when its level is not known.
 */
export function sinceProblem(level: number, {since}: {readonly since: number}): string | undefined {
  return level === 0 || level >= since ? undefined : tooOldText(since, level);
}

/** Returns the sentence for something that the level of a server lacks. */
export function tooOldText(since: number, level: number): string {
  return `Needs ${releaseWith(since)} (feature level ${since}). This server has level ${level}.`;
}

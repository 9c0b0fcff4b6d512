import {levels, releases} from './levels.ts';

/**
 * The features of a server by its level. Code outside `wire/`, `api/` and `server/` uses these names and never compares
 * levels.
 */
export interface ServerFeatures {
  /** The server stores drafts. */
  readonly drafts: boolean;
  /** The server supports typing notifications for edits. */
  readonly editTyping: boolean;
  /** Topics may have an empty name; before, it is `(no topic)`. */
  readonly emptyTopics: boolean;
  /** Messages can be fetched by their ids in one request. */
  readonly messagesByIds: boolean;
  /** A removed user is no longer visible; before, they were deactivated. */
  readonly removedUsersAreHidden: boolean;
  /** A deleted channel is no longer visible; before, it may only be archived. */
  readonly deletedChannelsAreGone: boolean;
  /** The server supports `@**channel**`. */
  readonly channelWildcard: boolean;
  /** The server supports `@**topic**`. */
  readonly topicWildcard: boolean;
  /** The server supports `#**channel>topic@id**`. */
  readonly messageLinks: boolean;
  /** The server supports reminders about messages. */
  readonly reminders: boolean;
  /** Owners can change the e-mail addresses of others. */
  readonly changeUserEmail: boolean;
  /** Administrators can set the status of others. */
  readonly setUserStatus: boolean;
  /** Deactivating a user can delete what they wrote. */
  readonly deactivationActions: boolean;
  /** Invitations can name the default channels, as they are when somebody joins. */
  readonly inviteToDefaultChannels: boolean;
  /** Inviters can do without the message that somebody has joined. */
  readonly notifyReferrer: boolean;
  /** Invitations can add people to groups. */
  readonly inviteToGroups: boolean;
  /** Invitations can have their own welcome message. */
  readonly welcomeMessage: boolean;
}

type FeatureName = keyof ServerFeatures;

/** Returns the release of Zulip that introduced a level: `9.0`; later levels need a newer one. */
function releaseOf(level: number): string {
  const [release] = Object.entries(releases).find(([, first]) => first >= level) ?? [];
  return release ?? `feature level ${level}`;
}

const peopleFeatures = {
  changeUserEmail: levels.changeUserEmail,
  setUserStatus: levels.setUserStatus,
  deactivationActions: levels.deactivationActions,
  inviteToDefaultChannels: levels.inviteToDefaultChannels,
  notifyReferrer: levels.notifyReferrer,
  inviteToGroups: levels.inviteToGroups,
  welcomeMessage: levels.welcomeMessage,
} as const satisfies Partial<Record<FeatureName, number>>;

/** Returns why a feature cannot be used: `Needs Zulip 10.0 or newer`; undefined when the server has it. */
export function featureProblem(
  {abilities}: {readonly abilities: ServerFeatures},
  name: keyof typeof peopleFeatures,
): string | undefined {
  return abilities[name] ? undefined : `Needs Zulip ${releaseOf(peopleFeatures[name])} or newer`;
}

export function serverFeatures(level: number): ServerFeatures {
  return {
    drafts: level >= levels.drafts,
    editTyping: level >= levels.editTyping,
    emptyTopics: level >= levels.emptyTopic,
    messagesByIds: level >= levels.messageIds,
    removedUsersAreHidden: level >= levels.deactivationUpdate,
    deletedChannelsAreGone: level >= levels.archiveEvents,
    channelWildcard: level >= levels.channelWildcard,
    topicWildcard: level >= levels.splitWildcards,
    messageLinks: level >= levels.topicMessageLinks,
    reminders: level >= levels.createReminder,
    changeUserEmail: level >= levels.changeUserEmail,
    setUserStatus: level >= levels.setUserStatus,
    deactivationActions: level >= levels.deactivationActions,
    inviteToDefaultChannels: level >= levels.inviteToDefaultChannels,
    notifyReferrer: level >= levels.notifyReferrer,
    inviteToGroups: level >= levels.inviteToGroups,
    welcomeMessage: level >= levels.welcomeMessage,
  };
}

import {levels} from './levels.ts';

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
  /** A topic can be unmuted in a muted channel. */
  readonly unmutedTopics: boolean;
  readonly followedTopics: boolean;
  /** The account stores which views its sidebar shows. */
  readonly navigationViews: boolean;
  /** Groups can contain groups. */
  readonly subgroups: boolean;
  /** Groups are deactivated; before, they are deleted. */
  readonly deactivatedGroups: boolean;
  /** Deactivated groups can be reactivated. */
  readonly reactivatedGroups: boolean;
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
    unmutedTopics: level >= levels.setUserTopic,
    followedTopics: level >= levels.followed,
    navigationViews: level >= levels.navigationViews,
    subgroups: level >= levels.subgroups,
    deactivatedGroups: level >= levels.groupDeactivated,
    reactivatedGroups: level >= levels.groupReactivated,
  };
}

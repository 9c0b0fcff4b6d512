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
  /** A channel is made a default channel by its own settings; before, by a separate request. */
  readonly defaultChannelSetting: boolean;
  /** Archived channels can be unarchived. */
  readonly unarchiving: boolean;
  /** Channels can be in folders. */
  readonly channelFolders: boolean;
  /** The notice to new subscribers can be left out. */
  readonly subscriptionNotices: boolean;
  /** The server supports `@**channel**`. */
  readonly channelWildcard: boolean;
  /** The server supports `@**topic**`. */
  readonly topicWildcard: boolean;
  /** The server supports `#**channel>topic@id**`. */
  readonly messageLinks: boolean;
  /** The server supports reminders about messages. */
  readonly reminders: boolean;
}

export function serverFeatures(level: number): ServerFeatures {
  return {
    drafts: level >= levels.drafts,
    editTyping: level >= levels.editTyping,
    emptyTopics: level >= levels.emptyTopic,
    messagesByIds: level >= levels.messageIds,
    removedUsersAreHidden: level >= levels.deactivationUpdate,
    deletedChannelsAreGone: level >= levels.archiveEvents,
    defaultChannelSetting: level >= levels.defaultChannelOnCreate,
    unarchiving: level >= levels.unarchive,
    channelFolders: level >= levels.channelFolders,
    subscriptionNotices: level >= levels.subscriptionNotices,
    channelWildcard: level >= levels.channelWildcard,
    topicWildcard: level >= levels.splitWildcards,
    messageLinks: level >= levels.topicMessageLinks,
    reminders: level >= levels.createReminder,
  };
}

import {levels} from './levels.ts';

/**
 * What a server of a level can do or means, for those who must know it before they ask or after they hear: they read these
 * words and never compare levels.
 */
export interface ServerFeatures {
  /** Keeps drafts. */
  readonly drafts: boolean;
  /** Takes and tells that somebody edits a message. */
  readonly editTyping: boolean;
  /** Has topics without a name; before, they are called `(no topic)`. */
  readonly emptyTopics: boolean;
  /** Gives messages by their ids in one answer. */
  readonly messagesByIds: boolean;
  /** A user who is removed is out of sight; before, deactivated. */
  readonly removedUsersAreHidden: boolean;
  /** A channel that is deleted is out of sight; before, perhaps only archived. */
  readonly deletedChannelsAreGone: boolean;
  /** Knows `@**channel**`. */
  readonly channelWildcard: boolean;
  /** Knows `@**topic**`. */
  readonly topicWildcard: boolean;
  /** Knows `#**channel>topic@id**`. */
  readonly messageLinks: boolean;
  /** Takes reminders about messages. */
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
    channelWildcard: level >= levels.channelWildcard,
    topicWildcard: level >= levels.splitWildcards,
    messageLinks: level >= levels.topicMessageLinks,
    reminders: level >= levels.createReminder,
  };
}

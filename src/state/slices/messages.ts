import type {ConversationKey} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import type {SortedMap, SortedSet} from '#std/sorted-map.ts';

/** The loaded messages. `byConversation` contains exactly the ids of `byId`, by conversation. */
export interface LoadedMessages {
  readonly byId: SortedMap<number, Message>;
  readonly byConversation: SortedMap<ConversationKey, SortedSet<number>>;
  /** Messages known from disk only: they may be outdated, and the server's version replaces them. */
  readonly savedOnlyIds?: SortedSet<number>;
}

/**
 * The messages that arrived by event. Only the event says whether a message is unread, and it may arrive
 * after a response.
 */
export interface MessageArrivals {
  /** The newest message that arrived by event; -1 before the first. */
  readonly newest: number;
  /** Messages from responses whose events may still arrive. */
  readonly awaited: SortedSet<number>;
}

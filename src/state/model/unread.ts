import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import type {Conversation, ConversationKey} from './conversation.ts';

/** The unread messages of one conversation. Never empty. */
export interface ConversationUnreads {
  readonly key: ConversationKey;
  readonly conversation: Conversation;
  readonly ids: SortedSet<number>;
}

/**
 * All unread messages, loaded or not. It is the only source of what is unread: a message's flags never contain `read`.
 *
 * Invariant: `byId` contains exactly the ids of all `conversations`, and `channels` exactly their topics.
 */
export interface Unreads {
  readonly byId: SortedMap<number, ConversationKey>;
  readonly conversations: SortedMap<ConversationKey, ConversationUnreads>;
  /** The topics with unread messages, by channel. */
  readonly channels: SortedMap<number, SortedSet<ConversationKey>>;
  /** The unread messages that mention the user. */
  readonly mentions: SortedSet<number>;
  /** The server left out the oldest unread messages, because there were too many. */
  readonly oldMissing: boolean;
}

export const noUnreads: Unreads = {
  byId: SortedMap.empty(),
  conversations: SortedMap.empty(),
  channels: SortedMap.empty(),
  mentions: SortedSet.empty(),
  oldMissing: false,
};

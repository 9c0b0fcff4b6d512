import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import type {Conversation, ConversationKey} from './conversation.ts';

/** The unread messages of one conversation. Never empty. */
export interface ConversationUnreads {
  readonly key: ConversationKey;
  readonly conversation: Conversation;
  readonly ids: SortedSet<number>;
}

/**
 * All unread messages, loaded or not. The one truth about what is unread: a message's own flags never say `read`.
 *
 * Invariant: `byId` holds exactly the ids of all `conversations`, and `channels` exactly their topics, by channel.
 */
export interface Unreads {
  readonly byId: SortedMap<number, ConversationKey>;
  readonly conversations: SortedMap<ConversationKey, ConversationUnreads>;
  /** The topics with unreads, by channel. */
  readonly channels: SortedMap<number, SortedSet<ConversationKey>>;
  /** Those among them that mention the user. */
  readonly mentions: SortedSet<number>;
  /** The server left out the oldest, because there were too many. */
  readonly oldMissing: boolean;
}

export const noUnreads: Unreads = {
  byId: SortedMap.empty(),
  conversations: SortedMap.empty(),
  channels: SortedMap.empty(),
  mentions: SortedSet.empty(),
  oldMissing: false,
};

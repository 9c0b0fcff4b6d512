import type {ConversationKey} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {numberDecoder, savedJson, savedNumberSet} from './saved-json.ts';
import {fromSnapshot, type Slice} from './slice.ts';
import {unreadIdLists} from './unreads.ts';

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

/** The loaded messages; the message store saves them. */
export const messages: Slice<LoadedMessages> = {
  initial: {byId: SortedMap.empty(), byConversation: SortedMap.empty()},
  registered: 'initial',
  saved: 'no',
  appliers: {},
};

export const arrivals: Slice<MessageArrivals> = {
  initial: {newest: -1, awaited: SortedSet.empty()},
  registered: 'initial',
  saved: 'no',
  appliers: {},
};

export const starred: Slice<SortedSet<number>> = {
  initial: SortedSet.empty(),
  registered: fromSnapshot(['starred_messages'], ({starred_messages = []}) => SortedSet.from(starred_messages)),
  saved: savedNumberSet,
  appliers: {},
};

/** The highest message id seen in any event or response. */
export const maxMessageId: Slice<number> = {
  initial: -1,
  registered: fromSnapshot(
    ['max_message_id', 'unread_msgs', 'starred_messages', 'recent_private_conversations'],
    ({max_message_id = -1, unread_msgs, starred_messages = [], recent_private_conversations: directs = []}) => {
      const lists = [...unreadIdLists(unread_msgs), starred_messages, directs.map((direct) => direct.max_message_id)];
      return lists.flat().reduce((newest, id) => Math.max(newest, id), max_message_id);
    },
  ),
  saved: savedJson(numberDecoder),
  appliers: {},
};

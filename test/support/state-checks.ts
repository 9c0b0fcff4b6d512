import {type ConversationKey, conversationKey, directKey, topicConversationKey} from '#state/model/conversation.ts';
import type {Unreads} from '#state/model/unread.ts';
import type {LoadedMessages} from '#state/slices/messages.ts';
import type {AccountState} from '#state/state.ts';
import {invariant} from '#std/invariant.ts';
import type {SortedMap, SortedSet} from '#std/sorted-map.ts';

/** Throws when the indexes contradict each other. */
export function checkMessages({byId, byConversation}: LoadedMessages): void {
  let count = 0;
  for (const [key, ids] of byConversation) {
    invariant(ids.size > 0, `a conversation without messages: ${key}`);
    count += ids.size;
    for (const id of ids) {
      const message = byId.get(id);
      invariant(message?.conversationKey === key, `message ${id} is not of ${key}`);
      const expectedKey =
        message.kind === 'channel'
          ? topicConversationKey(message.channelId, message.topic)
          : directKey(message.userIds);
      invariant(expectedKey === key, `message ${id} says ${key} but is of ${expectedKey}`);
      invariant(!message.flags.includes('read'), `message ${id} has a flag of its own for being read`);
    }
  }
  invariant(count === byId.size, `${byId.size} messages, but ${count} in conversations`);
}

/** Throws when timelines contain messages that are not loaded. */
export function checkTimelines({timelines, messages}: AccountState): void {
  for (const [key, timeline] of timelines) {
    const {ids, matches, evicted} = timeline;
    for (const id of evicted?.older ?? [])
      invariant(id < (ids.first() ?? 0), `${key} evicted ${id}, which is not older`);
    for (const id of evicted?.newer ?? [])
      invariant(id > (ids.last() ?? 0), `${key} evicted ${id}, which is not newer`);
    invariant(!timeline.hasOldest || !evicted?.older.size, `${key} has the oldest message and older ones`);
    invariant(!timeline.hasNewest || !evicted?.newer.size, `${key} has the newest message and newer ones`);
    for (const id of ids) invariant(messages.byId.has(id), `${key} shows ${id}, which is not loaded`);
    for (const id of matches.keys()) invariant(ids.has(id), `${key} marks ${id}, which it does not show`);
  }
}

/** Throws when the indexes contradict each other. */
export function checkUnreads({byId, conversations, channels, mentions}: Unreads): void {
  let count = 0;
  let topicCount = 0;
  for (const [key, unread] of conversations) {
    const {conversation, ids} = unread;
    invariant(unread.key === key && conversationKey(conversation) === key, `unreads under a wrong key: ${key}`);
    invariant(ids.size > 0, `a conversation without unreads: ${key}`);
    for (const id of ids) invariant(byId.get(id) === key, `unread ${id} is not filed under ${key}`);
    count += ids.size;
    if (conversation.kind === 'direct') continue;
    topicCount++;
    invariant(channels.get(conversation.channelId)?.has(key), `no channel knows the topic ${key}`);
  }
  invariant(count === byId.size, `${byId.size} unread messages, but ${count} in conversations`);
  invariant(topicCount === topicsIn(channels), 'channels know topics that are not there');
  for (const id of mentions) invariant(byId.has(id), `the mention ${id} is not unread`);
}

function topicsIn(channels: SortedMap<number, SortedSet<ConversationKey>>): number {
  let count = 0;
  for (const [channelId, topics] of channels) {
    invariant(topics.size > 0, `a channel without unread topics: ${channelId}`);
    count += topics.size;
  }
  return count;
}

import {keepIfEqual, withSlices} from '#state/immutable-updates.ts';
import type {
  AttachmentsFetched,
  NewestDirectFetched,
  PresencesFetched,
  SubscribersFetched,
  TopicsFetched,
} from '#state/local-events.ts';
import {topicKey} from '#state/model/conversation.ts';
import {newestPresence, type Presence} from '#state/model/personal.ts';
import type {AccountState, TopicSummary} from '#state/state.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';

/** Replaces the channel's topics. Those that may have appeared after the response was built stay. */
export function applyTopicsFetched(state: AccountState, {channelId, topics, isCurrent}: TopicsFetched): AccountState {
  const known = state.topics.get(channelId);
  const newest = topics.reduce((id, {maxId}) => Math.max(id, maxId), 0);
  const newer = isCurrent ? [] : [...(known?.byKey.values() ?? [])].filter(({maxId}) => maxId > newest);
  const byKey = SortedMap.empty<string, TopicSummary>().edit((draft) => {
    // A list may contain several spellings of a topic; the newest counts.
    for (const topic of [...topics, ...newer]) {
      const other = draft.get(topicKey(topic.name));
      if (other === undefined || other.maxId <= topic.maxId) draft.set(topicKey(topic.name), topic);
    }
  });
  const after = {byKey, complete: true};
  return withSlices(state, {
    topics:
      known !== undefined && keepIfEqual(known, after) === known ? state.topics : state.topics.with(channelId, after),
  });
}

/** Sets the newest message of a direct conversation as the server has it, unless events have told it meanwhile. */
export function applyNewestDirectFetched(state: AccountState, event: NewestDirectFetched): AccountState {
  const {key, maxId} = event;
  const {isGuess, userIds = []} = state.directs.get(key) ?? {};
  if (isGuess !== true) return state;
  return {
    ...state,
    directs: maxId === undefined ? state.directs.without(key) : state.directs.with(key, {userIds, maxId}),
  };
}

export function applySubscribersFetched(state: AccountState, {channelId, userIds}: SubscribersFetched): AccountState {
  const known = state.subscribers.get(channelId);
  const after = {ids: SortedSet.from(userIds), complete: true};
  return known !== undefined && keepIfEqual(known, after) === known
    ? state
    : {...state, subscribers: state.subscribers.with(channelId, after)};
}

export function applyAttachmentsFetched(state: AccountState, {attachments}: AttachmentsFetched): AccountState {
  const fetched = SortedMap.by(attachments, ({id}) => id);
  return withSlices(state, {attachments: keepIfEqual(state.attachments, fetched)});
}

/** Events and responses may arrive in any order: the newest report counts. */
export function applyPresencesFetched(state: AccountState, event: PresencesFetched): AccountState {
  const {presences} = state;
  const newer = event.presences.flatMap(([userId, reported]): [number, Presence][] => {
    const before = presences.byUser.get(userId);
    if (before === undefined) return [[userId, reported]];
    const after = newestPresence(before, reported);
    return keepIfEqual(before, after) === before ? [] : [[userId, after]];
  });
  const after = {
    ...presences,
    byUser:
      newer.length === 0
        ? presences.byUser
        : presences.byUser.edit((draft) => {
            for (const [userId, presence] of newer) draft.set(userId, presence);
          }),
    lastUpdateId: event.lastUpdateId ?? presences.lastUpdateId,
    serverOffset: event.serverOffset ?? presences.serverOffset,
  };
  const isSame =
    after.byUser === presences.byUser &&
    after.lastUpdateId === presences.lastUpdateId &&
    after.serverOffset === presences.serverOffset;
  return isSame ? state : {...state, presences: after};
}

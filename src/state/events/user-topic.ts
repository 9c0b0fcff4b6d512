import {keepIfEqual, withSlices, withValue} from '#state/immutable-updates.ts';
import {topicConversationKey} from '#state/model/conversation.ts';
import {userTopicFromWire} from '#state/model/personal.ts';
import {userTopicsFromMuted} from '#state/model/user-topics.ts';
import type {AccountState} from '#state/state.ts';
import {withMutingChanged, withTimelinesRechecked} from '#state/unreads/muting-changes.ts';
import type {MutedTopicsEvent, UserTopicEvent} from '#wire/events/user-topic.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';

export function applyUserTopic(state: AccountState, event: UserTopicEvent): AccountState {
  const {userTopics} = state;
  const key = topicConversationKey(event.stream_id, event.topic_name);
  const after = withSlices(state, {
    userTopics:
      event.visibility_policy === visibilityPolicies.none
        ? userTopics.without(key)
        : withValue(userTopics, key, userTopicFromWire(event)),
  });
  return withMutingChanged(state, after, event, event.stream_id, event.topic_name);
}

/** Below level 134: the whole list, and muting is all there is. */
export function applyMutedTopics(state: AccountState, event: MutedTopicsEvent): AccountState {
  const userTopics = userTopicsFromMuted(event.muted_topics, state.channels.values());
  const after = withSlices(state, {userTopics: keepIfEqual(state.userTopics, userTopics)});
  return after === state ? state : withTimelinesRechecked(after, event);
}

import {withSlices} from '#state/immutable-updates.ts';
import {withLoggedEvent} from '#state/messages/event-log.ts';
import {mentionsUser} from '#state/messages/mentions.ts';
import {topicConversationKey} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import {timelineAfterEvent} from '#state/timelines/timeline-after-event.ts';
import {mapTimelines} from '#state/timelines/timeline-changes.ts';
import type {ServerEvent} from '#wire/events.ts';
import {isChannelMuted, isTopicMuted, topicPolicy} from './muting.ts';
import {withMention} from './unreads.ts';

/**
 * Updates unreads and timelines after a topic or a channel was muted, unmuted or followed: wildcard mentions
 * start or stop counting, and views such as `in:home` change, including those whose response is in flight.
 * `before` is the state without the change; `after` still has its unreads and timelines. Costs O(unread
 * messages there).
 *
 * The server does not say which unread mentions are wildcard mentions: messages that are not loaded stay as
 * they are.
 */
export function withMutingChanged(
  before: AccountState,
  after: AccountState,
  event: ServerEvent,
  channelId: number,
  topic?: string,
): AccountState {
  if (before.userTopics === after.userTopics && before.subscriptions === after.subscriptions) return after;
  if (!hasChanged(before, after, channelId, topic)) return after;
  const topics =
    topic === undefined ? (after.unreads.channels.get(channelId) ?? []) : [topicConversationKey(channelId, topic)];
  const unreads = [...topics].reduce((index, key) => withMentionsIn(after, index, key), after.unreads);
  return withTimelinesRechecked({...after, unreads}, event);
}

/** Rechecks every timeline after a muting change, and logs the event for responses in flight. */
export function withTimelinesRechecked(state: AccountState, event: ServerEvent): AccountState {
  const logged = {...state, log: withLoggedEvent(state, event)};
  return withSlices(logged, {
    timelines: mapTimelines(logged, (timeline) => timelineAfterEvent(logged, timeline, event)),
  });
}

function hasChanged(before: AccountState, after: AccountState, channelId: number, topic: string | undefined): boolean {
  if (topic === undefined) return isChannelMuted(before, channelId) !== isChannelMuted(after, channelId);
  return (
    topicPolicy(before, channelId, topic) !== topicPolicy(after, channelId, topic) ||
    isTopicMuted(before, channelId, topic) !== isTopicMuted(after, channelId, topic)
  );
}

function withMentionsIn(state: AccountState, unreads: AccountState['unreads'], key: string): AccountState['unreads'] {
  const conversation = unreads.conversations.get(key);
  let after = unreads;
  for (const id of conversation?.ids ?? []) {
    const flags = state.messages.byId.get(id)?.flags;
    if (conversation === undefined || flags === undefined) continue;
    after = withMention(after, id, mentionsUser(state, flags, conversation.conversation));
  }
  return after;
}

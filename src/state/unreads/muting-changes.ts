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
 * After a topic, or a whole channel, was muted, unmuted or followed: mentions of everybody count or no longer do, and views
 * such as `in:home` show something else, also those whose answer is still in the air. `before` is the state without the
 * change, whose unreads and timelines `after` still has. Costs the unread messages there.
 *
 * The server does not say which unread mentions are of everybody: those not loaded stay as they are.
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
    topic === undefined
      ? (after.unreads.channels.get(channelId) ?? [])
      : [topicConversationKey(channelId, topic)];
  const unreads = [...topics].reduce((index, key) => withMentionsIn(after, index, key), after.unreads);
  return withTimelinesRechecked({...after, unreads}, event);
}

/** What every view shows after somebody muted or unmuted something, also those whose answer is still in the air. */
export function withTimelinesRechecked(state: AccountState, event: ServerEvent): AccountState {
  const judged = {...state, log: withLoggedEvent(state.log, event)};
  return withSlices(judged, {
    timelines: mapTimelines(judged, (timeline) => timelineAfterEvent(judged, timeline, event)),
  });
}

function hasChanged(
  before: AccountState,
  after: AccountState,
  channelId: number,
  topic: string | undefined,
): boolean {
  if (topic === undefined) return isChannelMuted(before, channelId) !== isChannelMuted(after, channelId);
  return (
    topicPolicy(before, channelId, topic) !== topicPolicy(after, channelId, topic) ||
    isTopicMuted(before, channelId, topic) !== isTopicMuted(after, channelId, topic)
  );
}

function withMentionsIn(
  state: AccountState,
  unreads: AccountState['unreads'],
  key: string,
): AccountState['unreads'] {
  const there = unreads.conversations.get(key);
  let after = unreads;
  for (const id of there?.ids ?? []) {
    const flags = state.messages.byId.get(id)?.flags;
    if (there === undefined || flags === undefined) continue;
    after = withMention(after, id, mentionsUser(state, flags, there.conversation));
  }
  return after;
}

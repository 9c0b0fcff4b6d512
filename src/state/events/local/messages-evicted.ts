import {withSlices} from '#state/immutable-updates.ts';
import type {EvictedMessagesLost, MessagesEvicted, TimelineWindowMoved} from '#state/local-events.ts';
import {isLiveView} from '#state/messages/event-conversations.ts';
import {withMessages, withoutMessages} from '#state/messages/loaded-messages.ts';
import {narrowKey} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';
import {mapTimelines} from '#state/timelines/timeline-changes.ts';
import {withoutEvicted, withWindow} from '#state/timelines/timeline-extent.ts';

export function applyMessagesEvicted(state: AccountState, {windows, ids}: MessagesEvicted): AccountState {
  const timelines = state.timelines.edit((draft) => {
    for (const {narrow, window} of windows) {
      const timeline = draft.get(narrowKey(narrow));
      if (timeline === undefined) continue;
      const after = withWindow(timeline, window);
      // Without events, nothing keeps evicted messages current.
      draft.set(narrowKey(narrow), isLiveView(state, narrow) ? after : withoutEvicted(after));
    }
  });
  return withSlices(state, {messages: withoutMessages(state.messages, ids), timelines});
}

/** Messages that are loaded stay as they are. */
export function applyTimelineWindowMoved(state: AccountState, event: TimelineWindowMoved): AccountState {
  const key = narrowKey(event.narrow);
  const timeline = state.timelines.get(key);
  if (timeline === undefined) return state;
  const added = event.messages.filter(({id}) => !state.messages.byId.has(id));
  return withSlices(state, {
    messages: withMessages(state.messages, added),
    timelines: state.timelines.with(key, withWindow(timeline, event.window)),
  });
}

export function applyEvictedMessagesLost(state: AccountState, {narrow}: EvictedMessagesLost): AccountState {
  const key = narrow === undefined ? undefined : narrowKey(narrow);
  return withSlices(state, {
    timelines: mapTimelines(state, (timeline) =>
      key === undefined || narrowKey(timeline.narrow) === key ? withoutEvicted(timeline) : timeline,
    ),
  });
}

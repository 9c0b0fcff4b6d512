import {initialState} from '#state/initial-state.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import {type Narrow, narrowKey, topicNarrow} from '#state/model/narrow.ts';
import {emptyTimeline, type Timeline} from '#state/model/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {egFrame, egRect, type FrameParts, textOf} from '#test/support/frame-fixture.ts';
import {messagePaneLines} from '#test/support/part-lines.ts';
import * as eg from '#test/support/state-builders.ts';
import {type Frame, messagesView, viewKey} from '#ui/core/frame.ts';
import {newTimelineState, type TimelineState} from '#ui/message-pane/timeline-state.ts';

export const talk: Narrow = topicNarrow(1, 'talk');
/** Noon on the first of January 2026, UTC, in seconds. */
export const noon = Date.UTC(2026, 0, 1, 12) / 1000;

export const people = eg.users(
  eg.user({id: eg.selfId, fullName: 'Ann Lee'}),
  eg.user({id: 11, fullName: 'Bo Wu'}),
  eg.user({id: 12, fullName: 'Dan Ito'}),
);

export interface TimelineFrameParts {
  readonly messages?: readonly Message[];
  readonly narrow?: Narrow;
  readonly timeline?: Partial<Timeline>;
  readonly state?: Partial<TimelineState>;
  readonly account?: Partial<AccountState>;
  readonly frame?: FrameParts;
}

export function timelineAccount({
  messages = [],
  narrow = talk,
  timeline = {},
  account = {},
}: TimelineFrameParts): AccountState {
  const ids = SortedSet.from(messages.map(({id}) => id));
  const shown = {...emptyTimeline(narrow), ids, hasOldest: true, hasNewest: true, ...timeline};
  return eg.state({
    users: people,
    channels: eg.byId(eg.channel({id: 1, name: 'backend'}), eg.channel({id: 2, name: 'web'})),
    settings: {...initialState.settings, twentyFourHourTime: true},
    connection: {phase: 'online'},
    messages: withMessages(initialState.messages, messages),
    timelines: SortedMap.from([[narrowKey(narrow), shown]]),
    ...account,
  });
}

/** A frame that shows the messages of a view. */
export function timelineFrame(parts: TimelineFrameParts = {}): Frame {
  const {narrow = talk, state = {}, frame = {}} = parts;
  const view = messagesView(narrow);
  const timelineState: TimelineState = {...newTimelineState, ...state};
  return egFrame({
    account: timelineAccount(parts),
    view,
    now: noon * 1000,
    ...frame,
    screen: {timelines: new Map([[viewKey(view), timelineState]]), ...frame.screen},
  });
}

/** Returns the pane's lines at `columns`x`rows`, without empty lines at the end. */
export function pane(frame: Frame, size: string): readonly string[] {
  const lines = [...textOf(messagePaneLines(frame, egRect(size)))];
  while (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Messages one minute apart, the first with id 1. */
export function several(count: number, fields: (at: number) => Parameters<typeof eg.message>[0] = () => ({})) {
  return Array.from({length: count}, (_, at) =>
    eg.message({
      id: at + 1,
      senderId: 11 + (at % 2),
      content: `message ${at + 1}`,
      timestamp: noon - 3600 + 60 * at,
      ...fields(at),
    }),
  );
}

import type {Timeline} from '#state/model/timeline.ts';
import {timelineOf} from '#state/selectors/timeline.ts';
import {type Frame, type View, viewKey} from '#ui/core/frame.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import type {TimelineState} from './timeline-state.ts';

/**
 * Returns the screen with the unread separator above the next message, if the one below it was moved away or deleted since
 * the last paint.
 */
export function withMovedUnreadLine(frame: Frame, last: Frame): ScreenState {
  const {screen} = frame;
  const {view, timelines, otherPane} = screen;
  const moved = movedLine(frame, last, view, timelines.get(viewKey(view)));
  const inOther = otherPane && movedLine(frame, last, otherPane.view, otherPane.timeline);
  if (moved === undefined && inOther === undefined) return screen;
  return {
    ...screen,
    timelines: moved === undefined ? timelines : new Map(timelines).set(viewKey(view), moved),
    otherPane: otherPane && inOther ? {...otherPane, timeline: inOther} : otherPane,
  };
}

/** Returns the position with the separator above the next message; undefined if it stays where it is. */
function movedLine(
  {account}: Frame,
  last: Frame,
  view: View,
  state: TimelineState | undefined,
): TimelineState | undefined {
  if (view.kind !== 'messages') return undefined;
  const [before, now] = [timelineOf(last.account, view.narrow), timelineOf(account, view.narrow)];
  if (before === now || before === undefined || now === undefined || state?.firstUnread === undefined) return undefined;
  if (!before.ids.has(state.firstUnread) || !hasLost(now, state.firstUnread)) return undefined;
  const left = leftUnread(
    before,
    now,
    state,
    (id) => last.account.messages.byId.get(id)?.senderId === account.self.userId,
  );
  return {...state, firstUnread: left[0], unreadCount: left.length};
}

/** Whether the message is missing between loaded ones; outside of them it may merely not be loaded. */
function hasLost({ids, hasOldest, hasNewest}: Timeline, id: number): boolean {
  const isInside = (hasOldest || ids.before(id) !== undefined) && (hasNewest || ids.after(id) !== undefined);
  return isInside && !ids.has(id);
}

/** Returns those messages of this visit's unread ones that are still there. */
function leftUnread(
  before: Timeline,
  now: Timeline,
  {firstUnread = 0, unreadCount}: TimelineState,
  isOwn: (id: number) => boolean,
): readonly number[] {
  const left: number[] = [];
  let passed = 0;
  for (const id of before.ids.from(firstUnread)) {
    if (passed === unreadCount) break;
    if (isOwn(id)) continue;
    passed += 1;
    if (now.ids.has(id)) left.push(id);
  }
  return left;
}

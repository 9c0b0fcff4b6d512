import type {Narrow} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import type {AccountState} from '#state/state.ts';
import type {EvictionView, OpenTimeline} from './open-timelines.ts';
import {firstUnreadOf} from './page-args.ts';

/** The messages around the part of a timeline that is on screen, or was, or will be. */
export interface NearbyMessages {
  readonly narrow: Narrow;
  readonly isShown: boolean;
  readonly center: number;
  readonly ids: readonly number[];
}

/** Returns the message that the user is or was looking at in each timeline. */
export function viewCenters(state: AccountState, entries: readonly OpenTimeline[]): readonly EvictionView[] {
  return entries.flatMap((entry) => {
    const timeline = state.timelines.get(entry.key);
    if (timeline === undefined) return [];
    const isKept = entry.loading !== undefined || entry.isWaiting;
    return [{narrow: entry.narrow, center: viewCenter(state, entry, timeline), isShown: entry.uses > 0, isKept}];
  });
}

/** Returns the ids around the message that the user is or was looking at in each timeline. */
export function messagesNearViews(
  state: AccountState,
  entries: readonly OpenTimeline[],
  distance: number,
): readonly NearbyMessages[] {
  return entries.flatMap((entry) => {
    const timeline = state.timelines.get(entry.key);
    if (timeline === undefined) return [];
    const center = viewCenter(state, entry, timeline);
    const before = Iterator.from(timeline.ids.reversed(center)).take(distance);
    const after = Iterator.from(timeline.ids.from(center)).take(distance);
    return [{narrow: entry.narrow, isShown: entry.uses > 0, center, ids: [...new Set([...before, ...after])]}];
  });
}

/** Returns the message that the user looks at; before the first paint, where the view opens. */
function viewCenter(state: AccountState, {viewedMessageId, anchor, narrow}: OpenTimeline, {ids}: Timeline): number {
  if (viewedMessageId !== undefined) return viewedMessageId;
  if (typeof anchor === 'number') return anchor;
  if (anchor === 'oldest') return ids.first() ?? 0;
  const unreadId = anchor === 'firstUnread' ? firstUnreadOf(state, narrow) : undefined;
  return unreadId ?? ids.last() ?? 0;
}

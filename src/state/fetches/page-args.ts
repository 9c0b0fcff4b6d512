import {conversationKey} from '#state/model/conversation.ts';
import {conversationOfNarrow, type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import type {AccountState} from '#state/state.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';

export type GetMessagesArgs = ArgsOf<Endpoints['getMessages']>;

/** Where to begin: a message, a moment (ISO date or date and time), or what the server makes of the words. */
export type TimelineAnchor = 'firstUnread' | 'newest' | 'oldest' | number | {readonly date: string};

/** How a timeline was opened, what is under way for it, and what somebody looks at in it. */
export interface TimelineOpening {
  readonly anchor: TimelineAnchor;
  readonly loading: GetMessagesArgs | undefined;
  readonly viewedMessageId: number | undefined;
}

const pageSize = 100;
/** What is fetched again in one go when a timeline has to be made anew; the rest comes by paging. */
const largestRefetch = 1000;

export function firstPageArgs(anchor: TimelineAnchor): GetMessagesArgs {
  const around = {num_before: pageSize / 2, num_after: pageSize / 2};
  if (anchor === 'firstUnread') return {anchor: 'first_unread', ...around};
  if (anchor === 'newest') return {anchor, num_before: pageSize, num_after: 0};
  if (anchor === 'oldest') return {anchor, num_before: 0, num_after: pageSize};
  if (typeof anchor === 'number') return {anchor, ...around};
  return {anchor: 'date', anchor_date: anchor.date, ...around};
}

/** The same stretch once more, and a little beyond; if it is too long, the part somebody looks at, else its newest. */
export function refetchArgs(
  {anchor, loading, viewedMessageId: place}: TimelineOpening,
  before: Timeline | undefined,
): GetMessagesArgs {
  if (loading !== undefined) return loading;
  const first = before?.ids.first();
  if (before === undefined || first === undefined) return firstPageArgs(anchor);
  // It may have holes: only what is looked at is sure to be worth having.
  if (before.isStale && !before.hasOldest && !before.hasNewest) return firstPageArgs(place ?? anchor);
  const size = before.ids.size + pageSize;
  if (size <= largestRefetch) {
    // One before the first tells whether it is the oldest.
    return before.hasOldest
      ? {anchor: 'oldest', num_before: 0, num_after: size}
      : {anchor: first, num_before: 1, num_after: size};
  }
  const half = {num_before: largestRefetch / 2, num_after: largestRefetch / 2};
  if (place !== undefined) return {anchor: place, ...half};
  return before.hasNewest
    ? {anchor: 'newest', num_before: largestRefetch, num_after: 0}
    : {anchor: before.ids.last() ?? first, ...half};
}

/** For what somebody opened while the server could not be asked: where they wanted to begin, unless they are there. */
export function firstPageArgsUnlessLoaded(
  opening: TimelineOpening,
  {ids, hasOldest, hasNewest}: Timeline,
): GetMessagesArgs | undefined {
  const {anchor} = opening;
  const isThere =
    typeof anchor === 'number'
      ? ids.has(anchor)
      : anchor === 'newest'
        ? hasNewest
        : anchor === 'oldest'
          ? hasOldest
          : anchor === 'firstUnread' && ids.size > 0;
  return isThere ? undefined : firstPageArgs(anchor);
}

export function adjacentPageArgs(
  {ids, hasOldest, hasNewest}: Timeline,
  joins: 'older' | 'newer',
): GetMessagesArgs | undefined {
  if (joins === 'older' ? hasOldest : hasNewest) return undefined;
  const end = joins === 'older' ? ids.first() : ids.last();
  if (end === undefined) return undefined;
  return joins === 'older'
    ? {anchor: end, include_anchor: false, num_before: pageSize, num_after: 0}
    : {anchor: end, include_anchor: false, num_before: 0, num_after: pageSize};
}

/** Whether what is there already answers the wish to begin there. */
export function isAnchorLoaded(state: AccountState, narrow: Narrow, anchor: TimelineAnchor): boolean {
  const timeline = state.timelines.get(narrowKey(narrow));
  if (timeline === undefined || timeline.isStale || timeline.problem !== undefined) return false;
  const {ids, hasOldest, hasNewest} = timeline;
  if (hasOldest && hasNewest) return true;
  if (typeof anchor === 'number') return ids.has(anchor);
  if (anchor === 'newest') return hasNewest;
  if (anchor === 'oldest') return hasOldest;
  const conversation = conversationOfNarrow(narrow);
  if (typeof anchor === 'object' || conversation === undefined || !hasNewest) return false;
  const firstUnread = state.unreads.conversations.get(conversationKey(conversation))?.ids.first();
  return ids.size > 0 && (firstUnread === undefined || firstUnread >= (ids.first() ?? 0));
}

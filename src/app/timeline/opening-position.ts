import type {TimelineAnchor} from '#state/fetches/page-args.ts';
import type {Timeline} from '#state/model/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {isOnlySaved} from './timeline-end.ts';
import type {TimelineRows} from './timeline-rows.ts';
import type {RowKey, TimelineState} from './timeline-state.ts';
import type {WindowPosition} from './timeline-window.ts';

export interface OpeningPosition {
  readonly position: WindowPosition;
  readonly selected: RowKey | undefined;
}

/** What one has read of what is before the first unread message, to know where one was. */
const contextLines = 2;

/** A lower preview has no room for what one has read, nor for what its heading says. */
const contextFrom = 9;

/** A preview begins with what is unread, wherever that is: the eye finds it in the same place each time. */
export function previewOpeningPosition(
  rows: TimelineRows,
  firstUnread: number | undefined,
  height: number,
): OpeningPosition {
  const key = firstUnread === undefined ? undefined : rows.nearest(firstUnread);
  if (key === undefined) return {position: {kind: 'newest', keep: undefined}, selected: rows.last()};
  const linesBefore = height < contextFrom ? -rows.block(key).lead : contextLines;
  return {position: {kind: 'begin', key, linesBefore}, selected: key};
}

/** Where to begin in what is loaded. */
export function openingPosition(
  account: AccountState,
  rows: TimelineRows,
  {openAt: opening = 'firstUnread', firstUnread}: Pick<TimelineState, 'openAt' | 'firstUnread'>,
  height: number,
): OpeningPosition {
  const from = (wanted: RowKey | undefined, linesBefore: number): OpeningPosition => {
    const key = wanted === undefined ? undefined : rows.nearest(wanted);
    if (key === undefined) return {position: {kind: 'newest', keep: undefined}, selected: rows.last()};
    return {position: {kind: 'from', key, linesBefore}, selected: key};
  };
  if (opening === 'newest') return from(undefined, 0);
  if (opening === 'oldest') return {position: {kind: 'oldest'}, selected: rows.first()};
  if (opening === 'firstUnread') return from(firstUnread, contextLines);
  if (typeof opening === 'number') return from(opening, Math.floor(height / 3));
  return from(messageSince(account, rows, Date.parse(opening.date)), 1);
}

/** Whether what is loaded is enough to begin there, or is all there is for now. */
export function canShowOpening(
  account: Pick<AccountState, 'connection'>,
  timeline: Timeline,
  {openAt: opening, firstUnread, hasLoaded: hasCome}: TimelineState,
): boolean {
  if (timeline.ids.size === 0 || opening === undefined) return false;
  return hasCome || isThere(timeline, opening, firstUnread) || isOnlySaved(account, timeline);
}

function isThere(
  {ids, hasOldest, hasNewest}: Timeline,
  opening: TimelineAnchor,
  firstUnread: number | undefined,
): boolean {
  if (opening === 'newest') return hasNewest;
  if (opening === 'oldest') return hasOldest;
  if (typeof opening === 'number') return ids.has(opening);
  if (opening === 'firstUnread') return firstUnread === undefined ? hasNewest : ids.has(firstUnread);
  return hasOldest && hasNewest;
}

/** The first message from then on, or the last before. Messages are in the order of time, but for the odd import. */
function messageSince({messages}: AccountState, rows: TimelineRows, atMs: number): number | undefined {
  for (const id of rows.ids) {
    if ((messages.byId.get(id)?.timestamp ?? 0) * 1000 >= atMs) return id;
  }
  return rows.ids.last();
}

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

/** Lines of already read messages shown before the first unread one, for orientation. */
const contextLines = 2;

/** Lower previews have no room for context or headings. */
const minHeightForContext = 9;

/** Opens a preview at the first unread message, always at the same line, so that the eye finds it. */
export function previewOpeningPosition(
  rows: TimelineRows,
  firstUnread: number | undefined,
  height: number,
): OpeningPosition {
  const key = firstUnread === undefined ? undefined : rows.nearest(firstUnread);
  if (key === undefined) return {position: {kind: 'newest', keep: undefined}, selected: rows.last()};
  const linesBefore = height < minHeightForContext ? -rows.block(key).lead : contextLines;
  return {position: {kind: 'begin', key, linesBefore}, selected: key};
}

/** Returns where to open the timeline. */
export function openingPosition(
  account: AccountState,
  rows: TimelineRows,
  {openAt = 'firstUnread', firstUnread}: Pick<TimelineState, 'openAt' | 'firstUnread'>,
  height: number,
): OpeningPosition {
  const from = (wanted: RowKey | undefined, linesBefore: number): OpeningPosition => {
    const key = wanted === undefined ? undefined : rows.nearest(wanted);
    if (key === undefined) return {position: {kind: 'newest', keep: undefined}, selected: rows.last()};
    return {position: {kind: 'from', key, linesBefore}, selected: key};
  };
  if (openAt === 'newest') return from(undefined, 0);
  if (openAt === 'oldest') return {position: {kind: 'oldest'}, selected: rows.first()};
  if (openAt === 'firstUnread') return from(firstUnread, contextLines);
  if (typeof openAt === 'number') return from(openAt, Math.floor(height / 3));
  const first = messageSince(account, rows, Date.parse(openAt.date));
  // A message without lines before it would be covered by the date at the top.
  return from(first, first !== undefined && rows.block(first).lead > 0 ? 0 : 1);
}

/** Whether enough is loaded to open there, or nothing more can load for now. */
export function canShowOpening(
  account: Pick<AccountState, 'connection'>,
  timeline: Timeline,
  {openAt, firstUnread, hasLoaded}: TimelineState,
): boolean {
  if (timeline.ids.size === 0 || openAt === undefined) return false;
  return hasLoaded || hasAnchor(timeline, openAt, firstUnread) || isOnlySaved(account, timeline);
}

function hasAnchor(
  {ids, hasOldest, hasNewest}: Timeline,
  openAt: TimelineAnchor,
  firstUnread: number | undefined,
): boolean {
  if (openAt === 'newest') return hasNewest;
  if (openAt === 'oldest') return hasOldest;
  if (typeof openAt === 'number') return ids.has(openAt);
  if (openAt === 'firstUnread') return firstUnread === undefined ? hasNewest : ids.has(firstUnread);
  return hasOldest && hasNewest;
}

/**
 * Returns the first message from then on, or the last before. Messages are in order of time, except for some imports.
 */
function messageSince({messages}: AccountState, rows: TimelineRows, atMs: number): number | undefined {
  for (const id of rows.ids) {
    if ((messages.byId.get(id)?.timestamp ?? 0) * 1000 >= atMs) return id;
  }
  return rows.ids.last();
}

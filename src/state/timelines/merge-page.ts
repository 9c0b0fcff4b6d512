import type {TimelinePage} from '#state/local-events.ts';
import {isCombinedFeed, type Narrow} from '#state/model/narrow.ts';
import {emptyTimeline, type Timeline} from '#state/model/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {deletedIds} from '#wire/events/delete-message.ts';
import type {ServerEvent} from '#wire/events.ts';
import {messageMatchesNarrow} from './narrow-membership.ts';
import {timelineAfterEvent} from './timeline-after-event.ts';

/**
 * A timeline with a page of an answer. `ids` are those of its messages that still exist; `since` the events that came while
 * it was in the air, which it may or may not contain. `state` has the messages of the answer already.
 */
export function withPage(
  state: AccountState,
  timeline: Timeline,
  page: TimelinePage,
  ids: readonly number[],
  since: readonly ServerEvent[],
): Timeline {
  const shown = isCombinedFeed(page.narrow) ? ids.filter((id) => isShown(state, page.narrow, id)) : ids;
  const joined =
    page.joins === 'replace' ? begun(timeline, page, shown) : extended(timeline, page, {ids, shown}, since);
  return since.reduce((after, event) => timelineAfterEvent(state, after, event), joined);
}

/** The server knows nothing of muted people; what they write is in its answers. */
function isShown(state: AccountState, narrow: Narrow, id: number): boolean {
  const message = state.messages.byId.get(id);
  return message !== undefined && messageMatchesNarrow(state, narrow, message) !== false;
}

function begun({narrow}: Timeline, page: TimelinePage, ids: readonly number[]): Timeline {
  return {
    ...emptyTimeline(narrow),
    ids: SortedSet.from(ids),
    hasOldest: page.foundOldest,
    hasNewest: page.foundNewest,
    anchor: page.anchor,
    matches: withMatches(SortedMap.empty(), page, ids),
  };
}

function extended(
  timeline: Timeline,
  page: TimelinePage,
  {ids, shown}: {readonly ids: readonly number[]; readonly shown: readonly number[]},
  since: readonly ServerEvent[],
): Timeline {
  const isAwaited = timeline.loading === page.joins;
  const landed = isAwaited ? {...timeline, loading: undefined, problem: undefined} : timeline;
  // The end it was asked for may have been deleted or moved away on the way; what is beyond it still adjoins.
  const adjoins =
    meets(covered(timeline), reached(page, ids)) || (isAwaited && isTouched(page.anchor, since));
  if (!adjoins) return landed;
  return {
    ...landed,
    ids: timeline.ids.withAll(shown),
    hasOldest: timeline.hasOldest || (page.joins === 'older' && page.foundOldest),
    hasNewest: timeline.hasNewest || (page.joins === 'newer' && page.foundNewest),
    matches: withMatches(timeline.matches, page, shown),
  };
}

/** Ids between which nothing is missing, both included. Empty when the first is above the second. */
type Stretch = readonly [low: number, high: number];

const nowhere: Stretch = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

function covered({ids, hasOldest, hasNewest}: Timeline): Stretch {
  const [first, last] = [ids.first(), ids.last()];
  if (first === undefined || last === undefined) {
    return hasOldest && hasNewest ? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] : nowhere;
  }
  return [hasOldest ? Number.NEGATIVE_INFINITY : first, hasNewest ? Number.POSITIVE_INFINITY : last];
}

/** From the end of the timeline as it was when the page was asked for. */
function reached({joins, anchor, foundOldest, foundNewest}: TimelinePage, ids: readonly number[]): Stretch {
  const [low, high] = [ids[0] ?? anchor, ids.at(-1) ?? anchor];
  if (low === undefined || high === undefined) return nowhere;
  return joins === 'older'
    ? [foundOldest ? Number.NEGATIVE_INFINITY : low, anchor ?? high]
    : [anchor ?? low, foundNewest ? Number.POSITIVE_INFINITY : high];
}

function meets([low, high]: Stretch, [otherLow, otherHigh]: Stretch): boolean {
  return low <= otherHigh && otherLow <= high;
}

function isTouched(id: number | undefined, since: readonly ServerEvent[]): boolean {
  return since.some((event) => {
    if (event.type === 'delete_message') return deletedIds(event).some((gone) => gone === id);
    return event.type === 'update_message' && event.message_ids.some((changed) => changed === id);
  });
}

function withMatches(
  before: Timeline['matches'],
  page: TimelinePage,
  ids: readonly number[],
): Timeline['matches'] {
  if (page.matches.length === 0) return before;
  const shown = new Set(ids);
  return before.edit((draft) => {
    for (const {id, content, topic} of page.matches) if (shown.has(id)) draft.set(id, {content, topic});
  });
}

import type {Frame} from '#app/core/frame.ts';
import {widerSearch} from '#app/timeline/lines/empty-timeline-text.ts';
import {conversationOfNarrow} from '#state/model/narrow.ts';
import {mainTimelineNow} from './selection.ts';

/**
 * What a view without messages is, by what can be done there: a conversation to begin, a channel, a search that found nothing
 * and one that may find more elsewhere, any other list; or one whose messages cannot be had now.
 */
export type EmptyTimelineKind = 'unwritten' | 'channel' | 'search' | 'wider' | 'empty' | 'unloaded';

/** Undefined where there are messages, and while they may come any moment. */
export function emptyTimelineKind(frame: Frame): EmptyTimelineKind | undefined {
  const {view} = frame.screen;
  const shown = mainTimelineNow(frame);
  if (view.kind !== 'messages' || shown === undefined || shown.window !== undefined) return undefined;
  const {timeline} = shown;
  if (timeline?.hasOldest !== true || !timeline.hasNewest) {
    return frame.account.connection.phase === 'offline' ? 'unloaded' : undefined;
  }
  const {narrow} = view;
  if (conversationOfNarrow(narrow) !== undefined) return 'unwritten';
  if (widerSearch(narrow) !== undefined) return 'wider';
  const [only, more] = narrow;
  if (only === undefined || (more === undefined && (only.operator === 'is' || only.operator === 'in'))) {
    return 'empty';
  }
  return more === undefined && only.operator === 'channel' ? 'channel' : 'search';
}

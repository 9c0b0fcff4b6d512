import {conversationOfNarrow} from '#state/model/narrow.ts';
import type {Frame} from '#ui/core/frame.ts';
import {widerSearch} from '#ui/message-pane/lines/empty-timeline-text.ts';
import {mainTimelineNow} from './selection.ts';

/**
 * Why a view has no messages: a conversation without messages, an empty channel, a search without results (`wider`
 * when public channels may have more), any other empty list, or messages that cannot be loaded now.
 */
export type EmptyTimelineKind = 'unwritten' | 'channel' | 'search' | 'wider' | 'empty' | 'unloaded';

/** Returns undefined when there are messages, or they may still load. */
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

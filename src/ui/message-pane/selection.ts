import type {Message} from '#state/model/message.ts';
import {conversationOfNarrow} from '#state/model/narrow.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import {screenLayout} from '#ui/layout/screen-layout.ts';
import {widerSearch} from '#ui/message-pane/lines/empty-timeline-text.ts';
import {changeTimeline} from '#ui/navigation/navigation.ts';
import {mainTimeline} from './message-pane-lines.ts';
import type {ShownTimeline} from './shown-timeline.ts';
import type {RowKey} from './timeline-state.ts';

/** Returns the timeline of the main pane as shown now; undefined when it shows something else. */
export function mainTimelineNow(frame: Frame): ShownTimeline | undefined {
  return frame.screen.view.kind === 'messages' ? mainTimeline(frame, screenLayout(frame).main) : undefined;
}

/** The selected row: a message id, or the outbox id of an unsent message. */
export function selectedRow(app: Pick<App, 'frame'>): RowKey | undefined {
  return mainTimelineNow(app.frame)?.selected;
}

export function selectedMessage(app: Pick<App, 'frame'>): Message | undefined {
  const key = selectedRow(app);
  return typeof key === 'number' ? app.frame.account.messages.byId.get(key) : undefined;
}

/** The selected message if it is not sent yet. */
export function selectedOutboxEntry(app: Pick<App, 'frame'>): OutboxEntry | undefined {
  const key = selectedRow(app);
  return typeof key === 'string' ? app.frame.account.outbox.find(({id}) => id === key) : undefined;
}

/** Selects a row of the shown view and scrolls to it. */
export function selectRow(app: App, key: RowKey): void {
  const {view} = app.screen;
  if (view.kind !== 'messages') return;
  const top = mainTimelineNow(app.frame)?.window?.top;
  changeTimeline(app, view, (state) => ({...state, selected: key, openAt: undefined, anchor: top}));
}

/** Follows the newest messages from now on, such as after sending. */
export function stickToNewest(app: App): void {
  const {view} = app.screen;
  if (view.kind !== 'messages') return;
  const last = mainTimelineNow(app.frame)?.rows?.last();
  changeTimeline(app, view, (state) => ({
    ...state,
    selected: last ?? state.selected,
    anchor: undefined,
    openAt: last === undefined ? 'newest' : undefined,
  }));
}

/**
 * Why a view has no messages: a conversation without messages, an empty channel, a search without results (`wider`
 * when public channels may have more), any other empty list, or messages that cannot be loaded now.
 */
type EmptyTimelineKind = 'unwritten' | 'channel' | 'search' | 'wider' | 'empty' | 'unloaded';

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

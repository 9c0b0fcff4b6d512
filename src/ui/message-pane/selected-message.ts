import {narrowLink} from '#content/narrow-link.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import {conversationNarrow, conversationOfNarrow} from '#state/model/narrow.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import type {AccountState} from '#state/state.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import type {Frame} from '#ui/core/frame.ts';
import {widerSearch} from '#ui/message-pane/lines/edge-lines.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {mainTimeline, type ShownTimeline} from './shown-timeline.ts';
import type {RowKey} from './timeline-state.ts';

/** Returns the timeline of the main pane as shown now; undefined when it shows something else. */
export function mainTimelineNow(frame: Frame): ShownTimeline | undefined {
  return frame.screen.view.kind === 'messages' ? mainTimeline(frame, screenLayout(frame).main) : undefined;
}

/** The selected row: a message id, or the outbox id of an unsent message. */
export function selectedRow(app: Pick<AppReader, 'frame'>): RowKey | undefined {
  return mainTimelineNow(app.frame)?.selected;
}

export function selectedMessage(app: Pick<AppReader, 'frame'>): Message | undefined {
  const key = selectedRow(app);
  return typeof key === 'number' ? app.frame.account.messages.byId.get(key) : undefined;
}

/** The selected message if it is not sent yet. */
export function selectedOutboxEntry(app: Pick<AppReader, 'frame'>): OutboxEntry | undefined {
  const key = selectedRow(app);
  return typeof key === 'string' ? app.frame.account.outbox.find(({id}) => id === key) : undefined;
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

/** Returns the message's URL, which every client of the organization understands. */
export function messageUrl({realm, server, channels, self}: AccountState, message: Message): string {
  const site = (realm.url ?? realm.uri ?? server.url).replace(/\/+$/, '');
  const terms = conversationNarrow(conversationOf(message)).map(({operator, operand}) => ({
    operator,
    // Links to direct messages list all participants.
    operand: Array.isArray(operand) ? [...operand.map(Number), self.userId].sort((a, b) => a - b) : operand,
    negated: false,
  }));
  const near = {operator: 'near', operand: message.id, negated: false};
  return `${site}/${narrowLink([...terms, near], (id) => channels.get(id)?.name)}`;
}

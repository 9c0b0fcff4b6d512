import type {ConversationKey} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {ListId} from '#ui/core/screen-state.ts';
import type {ListRow} from '#ui/lists/list-source.ts';
import {cursorRow, targetRows} from '#ui/lists/visible-rows.ts';

/**
 * Returns the messages of these conversations that were unread in the painted frame and still are. Messages
 * that arrived since then were not seen and stay out. Messages that undo made unread since then count as
 * seen: several keys that arrive together are painted once.
 */
export function paintedUnreadIds(app: AppReader, keys: readonly ConversationKey[]): readonly number[] {
  const {conversations} = app.frames.paintedFrame.account.unreads;
  const {byId} = app.state.unreads;
  const shown = keys.flatMap((key) => conversations.get(key)?.ids.toArray() ?? []);
  const {order} = app.screen.inbox;
  // A renamed conversation has its former name in the painted frame. When the frame has both names, a key
  // about one is not about the other.
  const renamed = keys.flatMap((key) =>
    conversations.has(key) ? [] : order.formerKeys(key).flatMap((name) => conversations.get(name)?.ids.toArray() ?? []),
  );
  const wanted = new Set(keys);
  const restored = [...app.screen.restored, ...renamed].filter((id) => wanted.has(byId.get(id) ?? ''));
  const ids = restored.length === 0 ? shown : [...new Set([...shown, ...restored])].sort((a, b) => a - b);
  return ids.filter((id) => byId.has(id));
}

/** Returns the conversations of a channel that were unread in the painted frame or are unread now. */
export function paintedUnreadTopics(app: AppReader, channelId: number): readonly ConversationKey[] {
  const topicsIn = ({unreads}: AccountState) => unreads.channels.get(channelId) ?? [];
  return [...new Set([...topicsIn(app.frames.paintedFrame.account), ...topicsIn(app.state)])];
}

/** Returns the rows that a command acts on: the selected ones, or the one under the cursor. */
export function rowsThatKeyRefersTo(app: AppReader, id: ListId): readonly ListRow[] {
  const frame = frameThatKeyRefersTo(app, id);
  if (!isTriageView(frame)) return targetRows(frame, id);
  const row = cursorRow(frame, id);
  return row === undefined ? [] : [row];
}

/** Triage shows one conversation at a time: the selection of the list is off-screen, and no key refers to it. */
function isTriageView({screen}: Frame): boolean {
  return screen.view.kind === 'triage';
}

/** Returns the row under the cursor. */
export function rowThatKeyRefersTo(app: AppReader, id: ListId): ListRow | undefined {
  return cursorRow(frameThatKeyRefersTo(app, id), id);
}

/**
 * Returns the frame whose rows a key refers to: the painted one, unless an earlier key has changed the list
 * since the paint.
 */
export function frameThatKeyRefersTo(app: AppReader, id: ListId): Frame {
  const {frame} = app;
  const {paintedFrame, hasInputSincePaint} = app.frames;
  if (!hasInputSincePaint) return paintedFrame;
  const {lists, view, inbox} = paintedFrame.screen;
  const isUnchanged =
    lists[id] === frame.screen.lists[id] && view === frame.screen.view && inbox === frame.screen.inbox;
  return isUnchanged ? paintedFrame : frame;
}

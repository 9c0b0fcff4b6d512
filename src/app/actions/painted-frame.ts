import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import type {ListId} from '#app/core/screen-state.ts';
import type {ListRow} from '#app/lists/list-row.ts';
import {cursorRow, targetRows} from '#app/lists/visible-rows.ts';
import {restoredUnreadIds} from '#app/undo/unreads-restored-by-undo.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';

/**
 * The messages of these conversations that were unread in the last picture, and are still: what has arrived since then was
 * seen by nobody. Only what a key has made unread again counts as seen too, for keys that come in one read are painted once.
 */
export function paintedUnreadIds(app: App, keys: readonly ConversationKey[]): readonly number[] {
  const {conversations} = app.frames.paintedFrame.account.unreads;
  const {byId} = app.state.unreads;
  const shown = keys.flatMap((key) => conversations.get(key)?.ids.toArray() ?? []);
  const {order} = app.screen.inbox;
  // What the picture has under the name that it had then. Where it has both names, a key about one is not about the other.
  const renamed = keys.flatMap((key) =>
    conversations.has(key)
      ? []
      : order.formerKeys(key).flatMap((name) => conversations.get(name)?.ids.toArray() ?? []),
  );
  const wanted = new Set(keys);
  const back = [...restoredUnreadIds(app), ...renamed].filter((id) => wanted.has(byId.get(id) ?? ''));
  const ids = back.length === 0 ? shown : [...new Set([...shown, ...back])].sort((a, b) => a - b);
  return ids.filter((id) => byId.has(id));
}

/** The conversations of a channel that were unread in the last picture, or are so now. */
export function paintedUnreadTopics(app: App, channelId: number): readonly ConversationKey[] {
  const topicsIn = ({unreads}: AccountState) => unreads.channels.get(channelId) ?? [];
  return [...new Set([...topicsIn(app.frames.paintedFrame.account), ...topicsIn(app.state)])];
}

/** The rows that verbs act on: those selected, or the one with the cursor. */
export function rowsThatKeyRefersTo(app: App, id: ListId): readonly ListRow[] {
  const frame = frameThatKeyRefersTo(app, id);
  if (!isTriageView(frame)) return targetRows(frame, id);
  const row = cursorRow(frame, id);
  return row === undefined ? [] : [row];
}

/** One conversation at a time: what was selected in the list is out of sight, and no key is about it. */
function isTriageView({screen}: Frame): boolean {
  return screen.view.kind === 'triage';
}

/** The row with the cursor. */
export function rowThatKeyRefersTo(app: App, id: ListId): ListRow | undefined {
  return cursorRow(frameThatKeyRefersTo(app, id), id);
}

/** Unless a key has changed the list since the last picture, the row that is meant is the one that this picture shows. */
export function frameThatKeyRefersTo(app: App, id: ListId): Frame {
  const {frame} = app;
  const {paintedFrame: current, hasInputSincePaint: isTouched} = app.frames;
  if (!isTouched) return current;
  const {lists, view, inbox} = current.screen;
  const isUntouched =
    lists[id] === frame.screen.lists[id] && view === frame.screen.view && inbox === frame.screen.inbox;
  return isUntouched ? current : frame;
}

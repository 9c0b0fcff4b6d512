import {rowThatKeyRefersTo} from '#app/actions/action-target.ts';
import type {App} from '#app/core/app.ts';
import {openConversation, openNarrow, openView} from '#app/navigation/navigation.ts';
import {directConversation} from '#state/model/conversation.ts';
import {channelNarrow} from '#state/model/narrow.ts';
import {topicRows} from '#state/selectors/lists/conversation-rows.ts';
import {canReadChannel} from '#state/selectors/permissions/channel-permissions.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {ListId} from '#ui/core/screen-state.ts';
import {withPositionedRows} from '#ui/inbox/triage-rows.ts';
import {bodyRows, cursorRange, listTop, windowTop} from '#ui/lists/list-lines.ts';
import {focusedList, type ListRow, type RowTarget} from '#ui/lists/list-source.ts';
import type {ListState} from '#ui/lists/list-state.ts';
import type {NavigationRow} from '#ui/lists/navigation-row.ts';
import {cursorLineIn, pinnedLists, withPinnedLine} from '#ui/lists/pinned-lines.ts';
import {barIndex, canHaveCursor, cursorIndex, type VisibleRows, visibleRowsOf} from '#ui/lists/visible-rows.ts';
import type {Motion} from '#ui/message-pane/timeline-state.ts';
import {changeList} from './change-list.ts';

/** Moves the cursor from where the user saw it. Never wraps around: holding a key ends at the end. */
export function moveInList(app: App, id: ListId, motion: Motion): void {
  applyPinnedLine(app, id);
  const {frame} = app;
  const visible = visibleRowsOf(frame, id);
  const list = app.screen.lists[id];
  const from = cursorIndex(frame, id);
  if (from < 0) return;
  const room = bodyRows(frame, id) ?? 1;
  const top = listTop(frame, id, room);
  if ('by' in motion && motion.by === 'line') {
    const scrolled = Math.max(0, Math.min(visible.rows.length - room, top + motion.step));
    const [first, last] = cursorRange(scrolled, room, visible.rows.length);
    const clamped = Math.max(first, Math.min(last, from));
    setCursorIndex(app, id, visible, nearestSelectable(visible, list, clamped, motion.step) ?? from, scrolled);
    return;
  }
  const [targetIndex, direction] = motionTarget(motion, from, visible.rows.length, room);
  const to = nearestSelectable(visible, list, targetIndex, direction);
  if (to !== undefined) setCursorIndex(app, id, visible, to, windowTop(top, to, room, visible.rows.length));
}

/** Moves the cursor to a row, if the list has it. */
export function setListCursor(app: App, id: ListId, key: string): void {
  const visible = visibleRowsOf(app.frame, id);
  const at = visible.indexNear(key, app.screen.lists[id].index);
  if (at !== undefined) setCursorIndex(app, id, visible, at, app.screen.lists[id].top);
}

/** Moves the cursor to a clicked row without scrolling the list. */
export function pointCursorAtRow(app: App, id: ListId, key: string): void {
  applyPinnedLine(app, id);
  const top = listTop(app.frame, id, bodyRows(app.frame, id) ?? 1);
  setListCursor(app, id, key);
  changeList(app, id, (list) => ({...list, top, pinnedKey: key}));
}

/** Scrolls one line. An unfocused list leaves its bar on its row, also off-screen. */
export function scrollList(app: App, id: ListId, step: 1 | -1): void {
  const {frame} = app;
  if (focusedList(app.screen) === id) {
    moveInList(app, id, {by: 'line', step});
    return;
  }
  const room = bodyRows(frame, id) ?? 1;
  const {rows} = visibleRowsOf(frame, id);
  const top = Math.max(0, Math.min(rows.length - room, listTop(frame, id, room) + step));
  const pinnedKey = rows[barIndex(frame, id)]?.key;
  changeList(app, id, (list) => ({...list, top, pinnedKey}));
}

function setCursorIndex(app: App, id: ListId, {rows}: VisibleRows, index: number, top: number): void {
  const cursor = rows[index]?.key;
  changeList(app, id, (list) =>
    list.cursor === cursor && list.index === index && list.top === top ? list : {...list, cursor, index, top},
  );
  // Fixes the row's position now, not only with the next paint.
  if (id === 'inbox') app.update(() => withPositionedRows(app.frame));
}

/** Returns the index for a motion, and the direction in which to search when that row cannot have the cursor. */
function motionTarget(motion: Motion, from: number, count: number, room: number): [number, 1 | -1] {
  if ('to' in motion) return motion.to === 'first' ? [0, 1] : [count - 1, -1];
  const by = {item: 1, line: 1, half: Math.max(1, Math.floor(room / 2)), page: Math.max(1, room - 1)};
  const targetIndex = from + motion.step * by[motion.by];
  return [Math.max(0, Math.min(count - 1, targetIndex)), motion.step];
}

function nearestSelectable({rows}: VisibleRows, list: ListState, from: number, direction: 1 | -1): number | undefined {
  for (let at = from; at >= 0 && at < rows.length; at += direction) if (canHaveCursor(rows[at], list)) return at;
  for (let at = from; at >= 0 && at < rows.length; at -= direction) if (canHaveCursor(rows[at], list)) return at;
  return undefined;
}

/**
 * Performs a command on the target rows and moves the cursor to the row that was next before, because the
 * command may reorder rows. A command on selected rows clears the selection and leaves the cursor; a command
 * on the cursor's row alone (`cursor`) leaves the selection.
 */
export function actAndAdvance(app: App, id: ListId, perform: () => void, scope: 'rows' | 'cursor' = 'rows'): void {
  const actsOnSelection = scope === 'rows' && app.screen.lists[id].selected.size > 0;
  const next = actsOnSelection ? undefined : rowAfter(app, id);
  perform();
  if (actsOnSelection) clearSelection(app, id);
  if (next !== undefined) setListCursor(app, id, next.key);
}

export function clearSelection(app: App, id: ListId): void {
  changeList(app, id, (list) => (list.selected.size === 0 ? list : {...list, selected: new Set()}));
}

function rowAfter(app: App, id: ListId): ListRow | undefined {
  const {rows, indexByKey} = visibleRowsOf(app.frame, id);
  const from = indexByKey.get(rowThatKeyRefersTo(app, id)?.key ?? '') ?? cursorIndex(app.frame, id);
  return rows.slice(from + 1).find((row) => canHaveCursor(row, app.screen.lists[id]));
}

/**
 * Returns the next row with unmuted unread messages, wrapping around at the end; undefined when no other row has any.
 */
export function nextUnreadRow(frame: Frame, id: ListId): ListRow | undefined {
  const {rows} = visibleRowsOf(frame, id);
  const from = cursorIndex(frame, id);
  const others = [...rows.slice(from + 1), ...rows.slice(0, Math.max(0, from))];
  return others.find((row) => row.kind === 'item' && row.target?.kind !== 'view' && isUnread(row));
}

function isUnread(row: ListRow & Partial<Pick<NavigationRow, 'count' | 'isMuted' | 'isQuiet'>>): boolean {
  return (row.count ?? 0) > 0 && row.isMuted !== true && row.isQuiet !== true;
}

/** Opens a row's target in the main pane. */
export function openRowTarget(app: App, target: RowTarget): void {
  switch (target.kind) {
    case 'view':
      openView(app, target.view);
      return;
    case 'conversation':
      openConversation(app, target.conversation);
      return;
    case 'channel':
      openChannel(app, target.channelId);
      return;
    case 'person':
      openConversation(app, directConversation([target.userId], app.state.self.userId));
  }
}

/** The values of the account's setting for what a channel opens. */
const channelViews = {topTopic: 1, feed: 2, topics: 3, topUnread: 4} as const;

function openChannel(app: App, channelId: number): void {
  const {state} = app;
  const channel = state.channels.get(channelId);
  if (channel === undefined || !canReadChannel(state, channel, app.clock.now())) {
    app.toast('You cannot read this channel. Ask a member to add you.', 'warning');
    return;
  }
  const channelView = state.settings.webChannelDefaultView ?? channelViews.topTopic;
  if (channelView === channelViews.topics) {
    openView(app, {kind: 'topics', channelId});
    return;
  }
  const topics = channelView === channelViews.feed ? [] : topicRows(state, channelId);
  const unread = channelView === channelViews.topUnread ? topics.find(({unreadCount}) => unreadCount > 0) : undefined;
  const topic = unread ?? topics[0];
  if (topic === undefined) openNarrow(app, channelNarrow(channelId));
  else openConversation(app, topic.conversation);
}

/** Opens a row's target, or unfolds the group of a title. */
export function openRow(app: App, id: ListId, row: ListRow): void {
  if (row.kind === 'title') setFolded(app, id, row, false);
  else if (row.target !== undefined) openRowTarget(app, row.target);
}

/** Folds or unfolds a row's group; returns false when nothing changed. */
export function setFolded(app: App, id: ListId, {group}: ListRow, isFolded: boolean): boolean {
  const {folded} = app.screen.lists[id];
  if (group === undefined || folded.has(group) === isFolded) return false;
  const next = new Set(folded);
  if (isFolded) next.add(group);
  else next.delete(group);
  changeList(app, id, (list) => ({...list, folded: next, cursor: isFolded ? `title ${group}` : list.cursor}));
  return true;
}

/** Applies the pinned line before a key moves the cursor, so that it moves from where the user saw it. */
export function applyPinnedLine(app: App, id: ListId): void {
  if (pinnedLists.includes(id))
    app.update(() => withPinnedLine(app.frame, id, cursorLineIn(app.frames.paintedFrame, id)));
}

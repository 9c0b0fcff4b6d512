import type {App} from '#app/core/app.ts';
import {changeList} from '#app/lists/change-list.ts';
import {changeSnoozes} from '#app/snoozes/snooze-store.ts';
import {type Conversation, type ConversationKey, conversationKey} from '#state/model/conversation.ts';
import {conversationRowTitle, isResolved} from '#state/selectors/names/names.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import {withoutSnoozes, withSnoozes} from '#ui/inbox/snooze/snooze.ts';
import type {ListState} from '#ui/lists/list-state.ts';

/**
 * Gives a row another key after its conversation was renamed: it keeps its position, the cursor, its
 * selection and its log, and a key pressed meanwhile still acts on it.
 */
export function renameRow(app: App, from: ConversationKey, conversation: Conversation): void {
  const to = conversationKey(conversation);
  if (from === to) return;
  const {state} = app;
  const order = app.screen.inbox.order.renamed(from, to, (row) => ({
    ...row,
    key: to,
    conversation,
    title: conversationRowTitle(state, conversation),
    isResolved: conversation.kind === 'topic' && isResolved(conversation.topic),
  }));
  app.update((screen) => ({...screen, inbox: {...renamedInbox(screen.inbox, from, to), order}}));
  // The user saw the target as a separate row and did not select it.
  const isJoined = app.frames.paintedFrame.account.unreads.conversations.has(to);
  for (const id of ['inbox', 'recent', 'topics'] as const) {
    changeList(app, id, (list) => renamedList(list, from, to, isJoined));
  }
  if (app.screen.inbox.snoozes.has(from)) renameSnooze(app, from, to, isJoined);
}

function renamedInbox(inbox: ScreenState['inbox'], from: ConversationKey, to: ConversationKey): ScreenState['inbox'] {
  const newKey = (key: ConversationKey) => (key === from ? to : key);
  const {skipped, preview, log, positionedCursor} = inbox;
  return {
    ...inbox,
    positionedCursor: positionedCursor && newKey(positionedCursor),
    skipped: new Set([...skipped].map(newKey)),
    preview: preview && {...preview, key: newKey(preview.key)},
    log: log.map((entry) => (entry.keys.includes(from) ? {...entry, keys: entry.keys.map(newKey)} : entry)),
  };
}

function renamedList(list: ListState, from: string, to: string, isJoined: boolean): ListState {
  const {cursor, pinnedKey, selected} = list;
  if (cursor !== from && pinnedKey !== from && !selected.has(from)) return list;
  const newKey = (key: string | undefined) => (key === from ? to : key);
  return {
    ...list,
    cursor: newKey(cursor),
    pinnedKey: newKey(pinnedKey),
    selected: new Set([...selected].flatMap((key) => (key !== from ? [key] : isJoined ? [] : [to]))),
  };
}

/**
 * Moves a snooze to the new key, unless the target has its own snooze or is unread there, which the joining
 * row must not hide.
 */
function renameSnooze(app: App, from: ConversationKey, to: ConversationKey, isJoined: boolean): void {
  changeSnoozes(app, (all) => {
    const entry = all.get(from);
    if (entry === undefined) return all;
    const left = withoutSnoozes(all, [from]);
    return isJoined || all.has(to) ? left : withSnoozes(left, [{...entry, key: to}]);
  });
}

/**
 * Renames the rows whose unread messages are in another conversation now: it was renamed while offline, or
 * its unread messages were moved.
 */
export function renameMovedRows(app: App): void {
  const {byId, conversations} = app.state.unreads;
  const follow = (key: ConversationKey, newestId: number, oldestId: number) => {
    if (conversations.has(key)) return;
    const now = byId.get(newestId) ?? byId.get(oldestId);
    const target = now === undefined ? undefined : conversations.get(now)?.conversation;
    if (target !== undefined) renameRow(app, key, target);
  };
  const {order} = app.screen.inbox;
  for (const {key, newestUnreadId, oldestUnreadId} of order.rows()) follow(key, newestUnreadId, oldestUnreadId);
  for (const {key, newestId} of app.screen.inbox.snoozes.values()) follow(key, newestId, newestId);
}

import type {App} from '#app/core/app.ts';
import type {ScreenState} from '#app/core/screen-state.ts';
import {withoutSnoozes, withSnoozes} from '#app/inbox/snooze/snooze.ts';
import {changeSnoozes} from '#app/inbox/snooze/snooze-store.ts';
import {changeList} from '#app/lists/list-filter.ts';
import type {ListState} from '#app/lists/list-state.ts';
import {type Conversation, type ConversationKey, conversationKey} from '#state/model/conversation.ts';
import {conversationRowTitle, isResolved} from '#state/selectors/names/names.ts';

/**
 * A conversation that goes by another name is the same row: it stays where it is, with the cursor and all that was done
 * with it, and a key that is on its way is still about it.
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
  // Seen as a row of its own, it was not selected along with what joins it.
  const isJoined = app.frames.paintedFrame.account.unreads.conversations.has(to);
  for (const id of ['inbox', 'recent', 'topics'] as const) {
    changeList(app, id, (list) => renamedList(list, from, to, isJoined));
  }
  if (app.screen.inbox.snoozes.has(from)) renameSnooze(app, from, to, isJoined);
}

function renamedInbox(
  inbox: ScreenState['inbox'],
  from: ConversationKey,
  to: ConversationKey,
): ScreenState['inbox'] {
  const named = (key: ConversationKey) => (key === from ? to : key);
  const {skipped: kept, preview, log: acts, settledAt} = inbox;
  return {
    ...inbox,
    settledAt: settledAt && named(settledAt),
    skipped: new Set([...kept].map(named)),
    preview: preview && {...preview, key: named(preview.key)},
    log: acts.map((act) => (act.keys.includes(from) ? {...act, keys: act.keys.map(named)} : act)),
  };
}

function renamedList(list: ListState, from: string, to: string, isJoined: boolean): ListState {
  const {cursor, pinnedKey: held, selected} = list;
  if (cursor !== from && held !== from && !selected.has(from)) return list;
  const named = (key: string | undefined) => (key === from ? to : key);
  return {
    ...list,
    cursor: named(cursor),
    pinnedKey: named(held),
    selected: new Set([...selected].flatMap((key) => (key !== from ? [key] : isJoined ? [] : [to]))),
  };
}

/** What was put off there already has its own time; what waits there is not put off by what joins it. */
function renameSnooze(app: App, from: ConversationKey, to: ConversationKey, isJoined: boolean): void {
  changeSnoozes(app, (all) => {
    const entry = all.get(from);
    if (entry === undefined) return all;
    const left = withoutSnoozes(all, [from]);
    return isJoined || all.has(to) ? left : withSnoozes(left, [{...entry, key: to}]);
  });
}

/**
 * What was unread in a row is unread elsewhere: its conversation was renamed while nobody was listening, or all that mattered
 * of it was moved. A row stands for what is unread in it, and goes along.
 */
export function renameMovedRows(app: App): void {
  const {byId, conversations} = app.state.unreads;
  const follow = (key: ConversationKey, newestId: number, oldestId: number) => {
    if (conversations.has(key)) return;
    const now = byId.get(newestId) ?? byId.get(oldestId);
    const where = now === undefined ? undefined : conversations.get(now)?.conversation;
    if (where !== undefined) renameRow(app, key, where);
  };
  const {order} = app.screen.inbox;
  for (const {key, newestUnreadId, oldestUnreadId} of order.rows())
    follow(key, newestUnreadId, oldestUnreadId);
  for (const {key, newestId} of app.screen.inbox.snoozes.values()) follow(key, newestId, newestId);
}

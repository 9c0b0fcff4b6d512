import {type Conversation, type ConversationKey, conversationKey} from '#state/model/conversation.ts';
import type {InboxSort} from '#state/selectors/inbox/inbox.ts';
import {conversationRowTitle, isResolved} from '#state/selectors/names/names.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame, View} from '#ui/core/frame.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import type {ListState} from '#ui/lists/list-state.ts';
import {changeList, cursorIndex, visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {InboxOrder} from './inbox-order.ts';
import {startInboxPrefetch} from './inbox-prefetch.ts';
import {wakeSessionSnoozes, withoutSnoozes, withSnoozes} from './snooze/snooze.ts';
import {changeSnoozes, readSnoozes, refreshSnoozesNow, showSnoozes} from './snooze/snooze-store.ts';
import {inboxContents} from './triage-rows.ts';

/** After this time without an action, a visit starts a new triage session. */
const sessionMs = 30 * 60_000;

function isInbox({kind}: View): boolean {
  return kind === 'inbox' || kind === 'triage';
}

/** Sorts the inbox when it is opened from another view, so that new messages get their positions. */
export function enterInbox(app: App, view: View, from: View): void {
  if (!isInbox(view)) return;
  const isFirst = !app.screen.inbox.isVisited;
  if (isFirst) app.update((screen) => ({...screen, inbox: {...screen.inbox, isVisited: true}}));
  const isOtherLayout = isInbox(from) && from.kind !== view.kind;
  if (isOtherLayout) return;
  resortInbox(app);
  for (const {index, isShown} of app.frame.organizations?.all ?? []) {
    const other = isShown ? undefined : app.accounts.appAt?.(index);
    // Where the user has just acted, the list stays as it is.
    if (other !== undefined && !isInbox(from)) resortInbox(other);
  }
  if (isFirst) app.update((screen) => ({...screen, inbox: {...screen.inbox, isOrderFrozen: false}}));
}

/** Sorts again; the cursor stays on its conversation, or moves to the next one that still exists. */
export function resortInbox(app: App, sort: InboxSort = app.screen.inbox.order.sort): void {
  const now = app.clock.now();
  const successors = keysFromCursor(app.frame);
  const {log: previousLog, startedAt, order} = app.screen.inbox;
  const isNewSession = now - (previousLog.at(-1)?.at ?? Number.NEGATIVE_INFINITY) > sessionMs;
  const log = isNewSession ? [] : previousLog;
  app.update((screen) => ({
    ...screen,
    inbox: {
      ...screen.inbox,
      order: InboxOrder.begin(
        sort,
        log.flatMap(({keys}) => keys),
        isNewSession ? [] : order.sessionKeys,
      ),
      isOrderFrozen: app.state.connection.phase === 'online',
      skipped: new Set(),
      preview: undefined,
      log,
      startedAt: isNewSession ? now : startedAt,
    },
  }));
  showSnoozes(app, readSnoozes(app));
  if (isNewSession) changeSnoozes(app, (snoozes) => wakeSessionSnoozes(snoozes, now - sessionMs));
  wakeSnoozedAtEnd(app);
  const {indexByKey, rows} = visibleRowsOf(app.frame, 'inbox');
  const cursor = successors.find((key) => indexByKey.has(key)) ?? rows.find(({kind}) => kind === 'item')?.key;
  changeList(app, 'inbox', (list) => ({
    ...list,
    cursor,
    index: indexByKey.get(cursor ?? '') ?? 0,
    selected: new Set(),
  }));
}

/** Sorts again and starts from the top, when the inbox was not shown before the server answered. */
export function restartInbox(app: App): void {
  changeList(app, 'inbox', (list) => ({...list, cursor: undefined}));
  resortInbox(app);
}

/** Returns the rows from the cursor on, its own row first. */
function keysFromCursor(frame: Frame): readonly string[] {
  if (frame.screen.lists.inbox.cursor === undefined) return [];
  const {rows} = visibleRowsOf(frame, 'inbox');
  return rows.slice(Math.max(0, cursorIndex(frame, 'inbox'))).flatMap(({kind, key}) => (kind === 'item' ? [key] : []));
}

/**
 * Ends the snoozes that last until the end of the session, once nothing else is unread. Before the server
 * answered that is not known.
 */
export function wakeSnoozedAtEnd(app: App): void {
  const isAny = [...app.screen.inbox.snoozes.values()].some(({until}) => until.kind === 'session');
  if (!isAny || app.state.connection.phase === 'starting' || inboxContents(app.frame).totals.all.conversations > 0)
    return;
  changeSnoozes(app, (snoozes) => wakeSessionSnoozes(snoozes, Number.POSITIVE_INFINITY));
}

/** Starts the inbox's watchers: prefetching and snoozes. */
export function startInboxWatchers(app: App): void {
  startInboxPrefetch(app);
  watchSnoozes(app);
}

/** Updates snoozes after every paint: read, renamed, due by time, or the last conversations left. */
function watchSnoozes(app: App): void {
  const update = () => {
    const {snoozes} = app.screen.inbox;
    if (snoozes.size === 0) return;
    if (refreshSnoozesNow(app, snoozes) !== snoozes) changeSnoozes(app, (all) => all);
    if (isInbox(app.screen.view)) wakeSnoozedAtEnd(app);
  };
  app.onEnd(app.frames.subscribe(update));
}

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

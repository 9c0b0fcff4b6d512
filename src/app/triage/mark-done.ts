import type {App} from '#app/core/app.ts';
import {actAndAdvance} from '#app/lists/move-in-list.ts';
import {rowsThatKeyRefersTo, rowThatKeyRefersTo} from '#app/lists/rows-of-key.ts';
import {selectRow} from '#app/message-pane/selection.ts';
import {changeTimeline} from '#app/navigation/navigation.ts';
import {
  type ActionTarget,
  actionTargets,
  currentConversation,
  paintedUnreadIds,
  paintedUnreadTopics,
  targetsTitle,
} from '#app/targets/action-target.ts';
import {performAllUndoable, performUndoable} from '#app/undo/perform-undoable.ts';
import {markUnreadFrom} from '#state/actions/mark-read.ts';
import type {FlagsAction} from '#state/actions/message-flags.ts';
import {type Conversation, type ConversationKey, conversationKey, topicKey} from '#state/model/conversation.ts';
import {timelineOf} from '#state/selectors/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {covers} from '#state/timelines/timeline-changes.ts';
import {composed} from '#std/composed-text.ts';
import {errorText} from '#std/error-text.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {type MessagesView, shownConversation} from '#ui/core/frame.ts';
import {withUndoKey} from '#ui/core/toast-message.ts';
import {focusedList} from '#ui/list-table.ts';
import type {ListSource} from '#ui/lists/list-source.ts';
import {mainTimelineNow, selectedRow} from '#ui/message-pane/selected-message.ts';
import {groupRowHint, markReadActions} from './mark-read.ts';
import {performRowAction, pushNoOpUndo, type RowAction} from './perform-row-action.ts';
import {hasOtherUnread, openNextUnreadAfter} from './unread-walk.ts';

/**
 * Marks the targets done, outside of the inbox: marks read what the screen showed as unread, and advances. In a list it
 * moves to the next row, in a conversation it opens the next unread one, in a feed it selects the next unread message.
 */
export function markTargetsDone(app: App): void {
  const list = focusedList(app.screen);
  if (list !== undefined) markListTargetsDone(app, list);
  else markCurrentConversationDone(app);
}

/** Whether there is something to mark done: in the inbox every row; among messages the key also opens the next unread one. */
export function hasUnreadTarget(app: AppReader): boolean {
  const list = focusedList(app.screen);
  if (list?.id === 'inbox') return actionTargets(app).length > 0;
  const {conversations} = app.state.unreads;
  const isUnread = actionTargets(app).some((target) =>
    unreadConversationKeys(app, target).some((key) => conversations.has(key)),
  );
  return isUnread || (list === undefined && shownConversation(app.screen) !== undefined && hasOtherUnread(app));
}

function markListTargetsDone(app: App, list: ListSource): void {
  const targets = actionTargets(app);
  if (targets.length === 0) {
    const isTitle = rowThatKeyRefersTo(app, list)?.kind === 'title';
    app.toast(isTitle ? groupRowHint : 'No conversation is selected', 'warning');
    return;
  }
  const rows = rowsThatKeyRefersTo(app, list).map(({key}) => key);
  actAndAdvance(app, list, () => {
    const keys = targets.flatMap((target) => unreadConversationKeys(app, target));
    const title = targetsTitle(app.state, targets);
    const isUnderCursor = () => rows.length === 1 && rowThatKeyRefersTo(app, list)?.key === rows[0];
    const afterRedo = () => {
      if (focusedList(app.screen) === list && isUnderCursor()) actAndAdvance(app, list, () => {}, 'cursor');
    };
    if (markRead(app, keys, paintedUnreadIds(app, keys), title, {afterRedo})) return;
    pushNoOpUndo(app, rows, title);
    app.toast('Nothing is unread there.');
  });
}

/** Returns the conversations of a target that may have unread messages. */
export function unreadConversationKeys(app: AppReader, target: ActionTarget): readonly ConversationKey[] {
  if (target.kind === 'conversation') return [conversationKey(target.conversation)];
  return paintedUnreadTopics(app, target.channelId);
}

/** Marks messages of these conversations read; returns false when there are none. */
function markRead(
  app: App,
  keys: readonly ConversationKey[],
  ids: readonly number[],
  title: string,
  {rest = '', afterRedo}: {readonly rest?: string; readonly afterRedo?: RowAction['afterRedo']} = {},
): boolean {
  const label = composed`Marked ${title} read (${ids.length})`;
  performRowAction(app, {
    actionKind: 'done',
    keys: [...new Set(keys)],
    actions: markReadActions(ids),
    label,
    toastText: composed`${label}${rest}`,
    stays: true,
    afterRedo,
  });
  return ids.length > 0;
}

/**
 * Marks those messages of a conversation read that the screen showed as unread and that the view has loaded: others were
 * never shown. `left`: the number of messages that stay unread because they were not loaded.
 */
export function markConversationDone(app: App, conversation: Conversation) {
  const title = targetsTitle(app.state, [{kind: 'conversation', conversation}]);
  const key = conversationKey(conversation);
  const timeline = mainTimelineNow(app.frame)?.timeline;
  const unread = paintedUnreadIds(app, [key]);
  const ids = unread.filter((id) => timeline !== undefined && covers(timeline, id));
  const left = unread.length - ids.length;
  const rest = left === 0 ? '' : `, ${left} not loaded yet ${left === 1 ? 'stays' : 'stay'} unread`;
  const isShown = () => {
    const shown = shownConversation(app.screen);
    return focusedList(app.screen) === undefined && shown !== undefined && conversationKey(shown) === key;
  };
  const afterRedo = () => {
    if (left === 0 && isShown()) openNextUnreadAfter(app, conversation);
  };
  return {isMarked: markRead(app, [key], ids, title, {rest, afterRedo}), left};
}

function markCurrentConversationDone(app: App): void {
  const conversation = currentConversation(app);
  if (conversation === undefined) {
    app.toast('No conversation is selected', 'warning');
    return;
  }
  const {isMarked, left} = markConversationDone(app, conversation);
  if (!isMarked) {
    const title = targetsTitle(app.state, [{kind: 'conversation', conversation}]);
    pushNoOpUndo(app, [conversationKey(conversation)], title);
  }
  const isFeed = shownConversation(app.screen) === undefined;
  const isUnloaded = left > 0 && !isFeed;
  if (isUnloaded && !isMarked) app.toast(notLoadedText(app), 'warning');
  if (isUnloaded) return;
  const hasAdvanced = isFeed ? selectNextUnreadInFeed(app) : openNextUnreadAfter(app, conversation);
  if (!isMarked && !hasAdvanced) app.toast('Nothing is unread.');
}

function notLoadedText(app: App): string {
  const hasFailed = mainTimelineNow(app.frame)?.timeline?.problem !== undefined;
  return `Messages ${hasFailed ? 'could not be loaded' : 'are still loading'}: nothing was marked read`;
}

/** Selects the next unread message of a feed with several conversations. */
function selectNextUnreadInFeed(app: App): boolean {
  const from = selectedRow(app);
  const {byId} = app.state.unreads;
  const ids = mainTimelineNow(app.frame)?.timeline?.ids;
  if (typeof from !== 'number' || ids === undefined) return false;
  for (const id of ids.from(from + 1)) {
    if (!byId.has(id)) continue;
    selectRow(app, id);
    return true;
  }
  return false;
}

const unreadLabel = 'Marked unread from here on';

/**
 * Marks messages unread: in a conversation from the selected message on, in a list the newest message of each target.
 */
export function markUnread(app: App): void {
  const {view} = app.screen;
  if (focusedList(app.screen) !== undefined) markTargetsUnread(app);
  else if (view.kind === 'messages') markUnreadHere(app, view);
}

/** Marks unread from the selected message on. The messages on screen then stay unread until the next visit. */
function markUnreadHere(app: App, view: MessagesView): void {
  const id = selectedRow(app);
  if (typeof id !== 'number') return;
  changeTimeline(app, view, (state) => ({...state, isPeek: true}));
  const timeline = timelineOf(app.state, view.narrow);
  if (timeline?.hasNewest !== true || timeline.isStale) {
    fetchAndMark(app, view, id);
    return;
  }
  const action: FlagsAction = {kind: 'flags', op: 'remove', flag: 'read', ids: [...timeline.ids.from(id)]};
  if (!performUndoable(app, action, unreadLabel)) app.toast('Already unread.');
}

/** Fetches the following messages first, because not all of them are loaded. */
function fetchAndMark(app: App, view: MessagesView, id: number): void {
  const {context, pendingChanges} = app.session;
  const answered = app.undoStack.awaitAnswer();
  markUnreadFrom(context, pendingChanges, view.narrow, id).then(
    (change) => {
      answered(() => {
        if (change !== undefined) app.undoStack.pushStep(unreadLabel, {kind: 'change', inverse: change.inverse});
      });
      if (change !== undefined) app.toast(withUndoKey(unreadLabel));
    },
    (error: unknown) => {
      answered(() => {});
      app.toast(`Could not mark unread: ${errorText(error)}`, 'error');
    },
  );
}

function markTargetsUnread(app: App): void {
  const targets = actionTargets(app).filter((target) => target.kind === 'conversation');
  const actions = targets.flatMap(({conversation}) => newestUnreadActions(app.state, conversation));
  const isDone =
    actions.length > 0 && performAllUndoable(app, actions, composed`Marked ${targetsTitle(app.state, targets)} unread`);
  if (!isDone) app.toast('Nothing there can be marked unread.');
}

/** Returns the action for the newest message, including its conversation because the message may not be loaded. */
function newestUnreadActions(state: AccountState, conversation: Conversation): readonly FlagsAction[] {
  const id = newestMessageId(state, conversation);
  if (id === undefined) return [];
  const places = [{conversation, ids: [id], mentions: []}];
  return [{kind: 'flags', op: 'remove', flag: 'read', ids: [id], places}];
}

function newestMessageId({messages, topics, directs}: AccountState, conversation: Conversation): number | undefined {
  const key = conversationKey(conversation);
  const listed =
    conversation.kind === 'topic'
      ? topics.get(conversation.channelId)?.byKey.get(topicKey(conversation.topic))?.maxId
      : directs.get(key)?.maxId;
  return messages.byConversation.get(key)?.last() ?? listed;
}

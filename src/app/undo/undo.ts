import type {App} from '#app/core/app.ts';
import {appsTogether, otherApps} from '#app/core/other-apps.ts';
import {inUndoGroup, isSameUndoGroup} from '#app/core/undo-group.ts';
import {setListCursor} from '#app/lists/move-in-list.ts';
import {activeWalk, walkWithoutLastStep} from '#app/navigation/active-walk.ts';
import {changeTimeline, goBack} from '#app/navigation/navigation.ts';
import {confirm, openPicker, refreshPicker} from '#app/overlays/picker.ts';
import {inEach, resultsOf} from '#app/targets/selection.ts';
import {type ConversationKey, conversationKey} from '#state/model/conversation.ts';
import {shownConversation} from '#ui/core/frame.ts';
import type {Picker, PickerRow} from '#ui/core/overlay.ts';
import {toastMessage, withRedoKey, withUndoKey} from '#ui/core/toast-message.ts';
import {focusedList} from '#ui/list-table.ts';
import type {ListSource} from '#ui/lists/list-source.ts';
import {visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {ageText} from '#wording/moment-text.ts';
import {currentConversationKeys} from './perform-undoable.ts';
import {isUndoneAfter, type Redoable} from './redo-stack.ts';
import {requestStepOf} from './request-steps.ts';
import {isDoneAfter, type Undoable, UndoStack} from './undo-stack.ts';

const olderActions = {label: 'lists older actions', commands: ['triage.review']};

/** Undoes the latest action and returns to where it was done. One that cannot be undone stays the latest. */
export function undoLatest(shown: App): void {
  if (UndoStack.isLatestUnanswered(appsTogether(shown).map(({undoStack}) => undoStack))) {
    // Not an older action instead.
    shown.toast({...toastMessage('Undo works once the server has answered the latest change'), offer: olderActions});
    return;
  }
  // Actions of earlier program runs are not counted before they are loaded.
  const app = withLatest(shown, ({undoStack}) => (undoStack.canUndo ? undoStack.latest() : undefined), isDoneAfter);
  const latest = app.undoStack.latest();
  if (latest === undefined) {
    app.toast('Nothing to undo.');
    return;
  }
  const others = otherApps(app).filter(
    ({undoStack}) => undoStack.canUndo && isSameUndoGroup(latest, undoStack.latest()),
  );
  undoAction(app, latest);
  inEach(app, others, (other) => {
    const its = other.undoStack.latest();
    if (its !== undefined) undoAction(other, its);
  });
  if (others.length > 0) app.toast(withRedoKey(resultsOf([app, ...others])));
}

/** Shows the organization with the latest action, of those that are shown together. Returns its app. */
function withLatest<T>(
  shown: App,
  latestOf: (app: App) => T | undefined,
  isLater: (action: T, other: T) => boolean,
): App {
  let [app, at]: [App, number | undefined] = [shown, undefined];
  for (const {index} of shown.frame.organizations?.all ?? []) {
    const other = shown.accounts.appAt?.(index);
    const latest = other && other !== shown ? latestOf(other) : undefined;
    if (other === undefined || latest === undefined) continue;
    const best = latestOf(app);
    if (best === undefined || isLater(latest, best)) [app, at] = [other, index];
  }
  if (at !== undefined) shown.accounts.showWithList?.(shown, at);
  return app;
}

/** Redoes what was undone last. What cannot be redone stays the first to be redone. */
export function redoLatest(shown: App): void {
  const app = withLatest(
    shown,
    ({undoStack}) => (undoStack.canRedo ? undoStack.undoneList()[0] : undefined),
    isUndoneAfter,
  );
  const [latest] = app.undoStack.undoneList();
  if (latest === undefined) {
    app.toast('Nothing to redo.');
    return;
  }
  const others = otherApps(app).filter(
    ({undoStack}) => undoStack.canRedo && isSameUndoGroup(latest, undoStack.undoneList()[0]),
  );
  inUndoGroup(() => {
    redoAction(app, latest);
    inEach(app, others, (other) => {
      const [its] = other.undoStack.undoneList();
      if (its !== undefined) redoAction(other, its);
    });
  });
  if (others.length > 0) app.toast(withUndoKey(resultsOf([app, ...others])));
}

/** Redoes an action, after a question if it has one. `onRedone` runs when something was redone. */
function redoAction(app: App, redoable: Redoable, onRedone?: () => void): void {
  const question = app.undoStack.redoQuestionFor(redoable);
  const redo = () => {
    const {resultText, isDone} = app.undoStack.redoOne(redoable);
    if (resultText !== undefined) app.toast(resultText, isDone ? 'plain' : 'warning');
    if (isDone) onRedone?.();
  };
  if (question === undefined) redo();
  else confirm(app, {...question, onYes: redo});
}

/** Undoes an action, after a question if it has one. `onUndone` runs when something was undone. */
function undoAction(app: App, action: Undoable, onUndone?: () => void): void {
  const question = app.undoStack.questionFor(action);
  const undo = () => {
    const {resultText, undone, canRedo} = app.undoStack.undoOne(action);
    const keys = undone?.noOpKeys ?? (undone?.record && currentConversationKeys(app, undone.record));
    if (keys !== undefined) returnToConversations(app, keys);
    if (undone === undefined) {
      const {record} = action;
      const isStuck = app.undoStack.latest() === action && (record?.problem ?? requestStepOf(record)) !== undefined;
      app.toast({...toastMessage(resultText), ...(isStuck && {offer: olderActions})}, 'warning');
      return;
    }
    const text = undone.undoAlso?.() ?? resultText;
    app.toast(canRedo === true ? withRedoKey(text) : text);
    onUndone?.();
  };
  if (question === undefined) undo();
  else confirm(app, {...question, onYes: undo});
}

/**
 * Moves to the conversations that an action changed: to their row in the focused list, if it has one; among
 * messages back to the conversation that was open just before. Anywhere else the view stays.
 */
function returnToConversations(app: App, keys: readonly ConversationKey[]): void {
  const list = focusedList(app.screen);
  if (list !== undefined) returnToRow(app, list, keys);
  else returnToConversation(app, keys);
}

function returnToRow(app: App, list: ListSource, keys: readonly ConversationKey[]): void {
  const {indexByKey} = visibleRowsOf(app.frame, list);
  const row = keys.flatMap((key) => rowKeys(app, key)).find((one) => indexByKey.has(one));
  if (row !== undefined) setListCursor(app, list, row);
}

/**
 * Returns the possible row keys of a conversation: its own, its channel's, or its person's. Lists have one or
 * the other.
 */
function rowKeys({state}: App, key: ConversationKey): readonly string[] {
  const conversation = state.unreads.conversations.get(key)?.conversation;
  if (conversation?.kind === 'topic') return [key, `channel ${conversation.channelId}`];
  const [userId, ...others] = conversation?.userIds ?? [];
  return userId === undefined || others.length > 0 ? [key] : [key, `person ${userId}`];
}

/** Goes back to the conversation. Messages that are unread again stay unread: showing them does not mark them read. */
function returnToConversation(app: App, [key, ...others]: readonly ConversationKey[]): void {
  const before = app.screen.back.at(-1);
  const previous = before?.account === app.info.accountName ? shownConversation(before) : undefined;
  const isShown = shownConversation(app.screen) !== undefined;
  if (!isShown || others.length > 0 || previous === undefined || conversationKey(previous) !== key) return;
  const walk = activeWalk(app.screen);
  goBack(app);
  if (walk !== undefined) app.set({unreadWalk: walkWithoutLastStep(walk)});
  changeTimeline(app, app.screen.view, (state) => ({...state, isPeek: true}));
}

/** Opens the undo history: every action, and then what was undone. Each can be undone or redone separately. */
export function openUndoHistory(app: App): void {
  openPicker(app, undoHistoryPicker(app));
}

function undoHistoryPicker({undoStack}: App): Picker {
  const done = undoStack.list().filter(({record}) => record !== undefined);
  const undone = undoStack.undoneList();
  const rowOf = ({label, record}: Undoable | Redoable, key: string, minute: number): PickerRow => ({
    key,
    label,
    detail: record?.place,
    right: ageText(record?.at ?? minute, minute),
    rightRole: 'dim',
    disabled: record?.problem,
    help: [record?.place, record?.problem].filter((text) => text !== undefined).join(' · '),
  });
  return {
    id: 'review',
    title: 'Undo history',
    isMenu: true,
    columns: 76,
    rowsShown: 16,
    helpLines: 1,
    hint: {Enter: undone.length === 0 ? 'undoes' : 'undoes, redoes', Esc: 'closes'},
    empty: 'Nothing to undo yet.',
    // The rows stay as they were when the picker opened: a refusal from the server meanwhile moves nothing
    // under the cursor.
    rows: ({minute}) => [
      ...done.map((action, at) => rowOf(action, String(at), minute)),
      ...(undone.length === 0 ? [] : [{key: 'undone', label: 'Undone', isTitle: true} as const]),
      ...undone.map((action, at) => rowOf(action, `undone ${at}`, minute)),
    ],
    accept: (app, {key}) => {
      const undoable = done[Number(key)];
      const redoable = undone[Number(key.replace('undone ', ''))];
      const refresh = () => refreshPicker(app, 'review', undoHistoryPicker(app));
      if (undoable !== undefined) undoAction(app, undoable, refresh);
      else if (redoable !== undefined) redoAction(app, redoable, refresh);
    },
  };
}

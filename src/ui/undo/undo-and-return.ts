import {type ConversationKey, conversationKey} from '#state/model/conversation.ts';
import type {App} from '#ui/core/app.ts';
import {shownConversation} from '#ui/core/frame.ts';
import type {Picker} from '#ui/core/overlay.ts';
import type {ListId} from '#ui/core/screen-state.ts';
import {toastMessage} from '#ui/core/toast-message.ts';
import type {Undoable} from '#ui/core/undo-stack.ts';
import {ageText} from '#ui/format/moment-text.ts';
import {focusedList} from '#ui/lists/list-source.ts';
import {setListCursor} from '#ui/lists/move-in-list.ts';
import {visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {changeTimeline, goBack} from '#ui/navigation/navigation.ts';
import {activeWalk, walkWithoutLastStep} from '#ui/navigation/unread-walk.ts';
import {confirm, openPicker, refreshPicker} from '#ui/overlays/picker.ts';
import {currentConversationKeys} from './perform-undoable.ts';
import {requestStepOf} from './undo-by-request.ts';

/** Undoes the latest action and returns to where it was done. One that cannot be undone stays the latest. */
export function undoLatest(app: App): void {
  const latest = app.undoStack.latest();
  if (latest === undefined) app.toast('Nothing to undo.');
  else undoAction(app, latest);
}

/** Undoes an action, after a question if it has one. `onUndone` runs when something was undone. */
function undoAction(app: App, action: Undoable, onUndone?: () => void): void {
  const question = app.undoStack.questionFor(action);
  const undo = () => {
    const {resultText, undone} = app.undoStack.undoOne(action);
    const keys = undone?.noOpKeys ?? (undone?.record && currentConversationKeys(app, undone.record));
    if (keys !== undefined) returnToConversations(app, keys);
    if (undone === undefined) {
      const {record} = action;
      const isStuck = app.undoStack.latest() === action && (record?.problem ?? requestStepOf(record)) !== undefined;
      const offer = isStuck ? {label: 'lists older actions', commands: ['triage.review']} : undefined;
      app.toast({...toastMessage(resultText), ...(offer && {offer})}, 'warning');
      return;
    }
    app.toast(undone.undoAlso?.() ?? resultText);
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
  const id = focusedList(app.screen);
  if (id !== undefined) returnToRow(app, id, keys);
  else returnToConversation(app, keys);
}

function returnToRow(app: App, id: ListId, keys: readonly ConversationKey[]): void {
  const {indexByKey} = visibleRowsOf(app.frame, id);
  const row = keys.flatMap((key) => rowKeys(app, key)).find((one) => indexByKey.has(one));
  if (row !== undefined) setListCursor(app, id, row);
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
  const previous = before === undefined ? undefined : shownConversation({view: before});
  const isShown = shownConversation(app.screen) !== undefined;
  if (!isShown || others.length > 0 || previous === undefined || conversationKey(previous) !== key) return;
  const walk = activeWalk(app.screen);
  goBack(app);
  if (walk !== undefined) app.set({unreadWalk: walkWithoutLastStep(walk)});
  changeTimeline(app, app.screen.view, (state) => ({...state, isPeek: true}));
}

/** Returns what the user did, latest first, without keys that changed nothing. */
function listedActions(app: App): readonly Undoable[] {
  return app.undoStack.list().filter(({record}) => record !== undefined);
}

/** Opens the undo history: every action, each of which can be undone separately. */
export function openUndoHistory(app: App): void {
  openPicker(app, undoHistoryPicker(listedActions(app)));
}

function undoHistoryPicker(shown: readonly Undoable[]): Picker {
  return {
    id: 'review',
    title: 'Undo history',
    isMenu: true,
    columns: 76,
    rowsShown: 16,
    helpLines: 1,
    hint: {Enter: 'undoes', Esc: 'closes'},
    empty: 'Nothing to undo yet.',
    // The rows stay as they were when the picker opened: a refusal from the server meanwhile moves nothing
    // under the cursor.
    rows: ({minute}) =>
      shown.map(({label, record}, at) => ({
        key: String(at),
        label,
        detail: record?.place,
        right: ageText(record?.at ?? minute, minute),
        rightRole: 'dim',
        disabled: record?.problem,
        help: [record?.place, record?.problem].filter((text) => text !== undefined).join(' · '),
      })),
    accept: (app, {key}) => {
      const undoable = shown[Number(key)];
      if (undoable === undefined) return;
      undoAction(app, undoable, () => refreshPicker(app, 'review', undoHistoryPicker(listedActions(app))));
    },
  };
}

import type {App} from '#app/core/app.ts';
import {changeList} from '#app/lists/change-list.ts';
import {applyPinnedLine, setListCursor} from '#app/lists/move-in-list.ts';
import {rowsThatKeyRefersTo, rowThatKeyRefersTo} from '#app/lists/rows-of-key.ts';
import {changeSnoozes, isSnoozeUnsaved, readSnoozes, wakeSnoozedAtEnd} from '#app/snoozes/snooze-store.ts';
import {
  applyUndoRecord,
  atCurrentTopic,
  isMarkReadAction,
  newestKnownMessageIds,
  performWithUndoRecord,
  wouldChange,
} from '#app/undo/perform-undoable.ts';
import type {UndoRecord} from '#app/undo/undo-record.ts';
import type {Undoable} from '#app/undo/undo-stack.ts';
import {markOlderReadAction} from '#state/actions/mark-read.ts';
import type {ReversibleAction} from '#state/actions/reversible-actions.ts';
import {type ConversationKey, topicConversationKey} from '#state/model/conversation.ts';
import {composed} from '#std/composed-text.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import type {Frame} from '#ui/core/frame.ts';
import {type ToastMessage, withUndoKey} from '#ui/core/toast-message.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import type {TriageActionKind, TriageLogEntry} from '#ui/inbox/inbox-state.ts';
import {type Snooze, withoutSnoozes, withSnoozes} from '#ui/inbox/snooze/snooze.ts';
import {isTriageItem, type TriageItem} from '#ui/inbox/triage-row.ts';
import {focusedList} from '#ui/list-table.ts';
import {cursorIndex, visibleRowsOf} from '#ui/lists/visible-rows.ts';

/** Returns the conversations that a command acts on: the selected ones, or the one under the cursor. */
export function triageTargets(app: AppReader): readonly TriageItem[] {
  return rowsThatKeyRefersTo(app, inboxList).filter(isTriageItem);
}

/** An action on rows that can be undone. */
export interface RowAction {
  readonly actionKind: TriageActionKind;
  readonly keys: readonly ConversationKey[];
  readonly actions?: readonly ReversibleAction[] | undefined;
  readonly snoozes?: readonly Snooze[];
  /** Past tense. */
  readonly label: string;
  /** The text after undo, where it is not just the label. */
  readonly undoneText?: string;
  /** Undone together with this action. */
  readonly undoAlso?: Undoable['undoAlso'];
  /** What a redo does, where it is less than the label says. */
  readonly redoLabel?: string;
  /** Where a redo goes. */
  readonly afterRedo?: (() => void) | undefined;
  /** The toast, where it is not the label. */
  readonly toastText?: string;
  /** Whether the rows stay in the list and the cursor on its row; by default the cursor advances. */
  readonly stays?: boolean;
  /** Whether the action was not about the selection, which then stays. */
  readonly keepsSelected?: boolean;
}

/**
 * Performs an action that can be undone, adds it to the session's log, and advances to the next row. Returns
 * false when nothing changed.
 */
export function performRowAction(app: App, action: RowAction): boolean {
  const {actionKind, label, undoneText, toastText = label, stays = false} = action;
  const keys = action.keys.map((key) => app.screen.inbox.order.currentKey(key));
  const next = stays ? undefined : nextKey(app.frame, new Set(keys));
  const from = cursorRowKey(app, action.keepsSelected === true ? undefined : keys);
  const near = newestKnownMessageIds(app.state, keys);
  // Where only the cursor's row goes away, the rows above it stay: pinned now, the rows that the frame between the action and
  // the move of the cursor would have are never computed.
  const isCursorRowOnly = !stays && keys.length === 1 && keys[0] === from;
  if (isCursorRowOnly) applyPinnedLine(app, inboxList);
  const record = performRecorded(
    app,
    {...action, keys},
    {label, said: undoneText, redoLabel: action.redoLabel, at: app.clock.now(), keys, near, from, steps: []},
  );
  if (record === undefined) return false;
  const undoable: Undoable = {
    label,
    record,
    undoAlso: action.undoAlso,
    undo: () => {
      const undone = applyUndoRecord(app, record);
      forgetTriageAction(app, undoable);
      return undone;
    },
    redo: () => {
      const actions = action.actions?.flatMap((one) => repeatable(app, one, record));
      const {undoAlso: _, ...again} = {...action, keys, actions, label: action.redoLabel ?? label, keepsSelected: true};
      const isDone = performRowAction(app, {...again, toastText: composed`Redone: ${again.label}`});
      if (!isDone && wouldChange(app, actions ?? [])) throw new Error('it could not be saved.');
      if (isDone) action.afterRedo?.();
      return isDone ? undefined : composed`Nothing is left to redo: ${again.label}`;
    },
  };
  app.undoStack.push(undoable);
  const hasSnooze = record.steps.some(({kind}) => kind === 'snooze');
  // Snoozes are written after the undo record.
  if (hasSnooze) changeSnoozes(app, (all) => withSnoozes(withoutSnoozes(all, keys), action.snoozes ?? []));
  logTriageAction(app, {actionKind, keys, at: record.at, undoable});
  const left = action.keepsSelected === true ? without(app.screen.lists.inbox.selected, keys) : undefined;
  if (!stays) advanceTo(app, next, {selected: left, isPinned: isCursorRowOnly});
  if (hasSnooze && isSnoozeUnsaved(app))
    app.toast(withUndoKey(`${toastText} (not saved to disk: lasts until Parley quits)`), 'warning');
  else app.toast(withUndoKey(toastText));
  return true;
}

/** Returns the action to perform again: a marking of older messages has an id of its own each time, a topic perhaps another name. */
function repeatable(
  {session, state}: App,
  action: ReversibleAction,
  {keys, near}: UndoRecord,
): ReversibleAction | readonly [] {
  if (action.kind === 'oldRead') return markOlderReadAction(session.context, action.narrow, action.upTo) ?? [];
  if (action.kind !== 'topicPolicy') return action;
  return atCurrentTopic(state, action, near?.[keys.indexOf(topicConversationKey(action.channelId, action.topic))]);
}

/** Returns the row under the cursor, unless the action was about other, selected rows. */
function cursorRowKey(app: App, keys: readonly string[] | undefined): string | undefined {
  const list = focusedList(app.screen);
  const seen = list && rowThatKeyRefersTo(app, list)?.key;
  const key = seen && app.screen.inbox.order.currentKey(seen);
  if (list === undefined || key === undefined || keys === undefined) return key;
  return app.screen.lists[list.id].selected.size === 0 || keys.includes(key) ? key : undefined;
}

/**
 * Performs the actions; marking a snoozed conversation read ends its snooze. Undo runs the steps in reverse:
 * the messages are unread again before the snooze is restored.
 */
function performRecorded(
  app: App,
  {actions = [], snoozes = [], keys}: RowAction,
  initialRecord: UndoRecord,
): UndoRecord | undefined {
  // Those on screen are empty until the inbox was shown.
  const known = readSnoozes(app);
  const before = keys.flatMap((key) => known.get(key) ?? []);
  const isSnoozing = snoozes.length > 0;
  const endsSnooze = before.length > 0 && actions.some(isMarkReadAction);
  if (!isSnoozing && !endsSnooze) return performWithUndoRecord(app, actions, initialRecord);
  const first: UndoRecord = {
    ...initialRecord,
    steps: [{kind: 'snooze', keys, before, since: snoozes[0]?.since}],
  };
  return performWithUndoRecord(app, actions, first) ?? (isSnoozing ? first : undefined);
}

/** Adds an undo step for a key that changed nothing, so that undo refers to this key and undoes nothing older. */
export function pushNoOpUndo(app: App, keys: readonly ConversationKey[], title: string): void {
  app.undoStack.pushNoOp(keys, noOpUndoText(composed`Nothing was changed in ${title}`));
}

/** Returns the text for an undo that changes nothing, with what the next undo does. */
export function noOpUndoText(text: string): (next: Undoable | undefined) => ToastMessage {
  return (next) => {
    const isMore = next !== undefined && next.noOpKeys === undefined;
    return isMore ? withUndoKey(text, composed`again undoes: ${next.label}`) : {text};
  };
}

/** Adds an action to the session's log, and freezes the order. */
export function logTriageAction(app: App, entry: TriageLogEntry): void {
  const {startedAt = entry.at, log} = app.screen.inbox;
  app.setIn('inbox', {isOrderFrozen: true, startedAt, log: [...log, entry]});
}

/** Removes an action that was undone or failed from the log. */
export function forgetTriageAction(app: App, undoable: Undoable): void {
  app.setIn('inbox', {log: app.screen.inbox.log.filter((entry) => entry.undoable !== undoable)});
}

/** Advances without an action. */
export function advancePast(app: App, keys: readonly ConversationKey[]): void {
  advanceTo(app, nextKey(app.frame, new Set(keys)));
}

/** Skips rows: they stay unread and are offered again when nothing else is left. */
export function skipRows(app: App): void {
  const keys = triageTargets(app).map(({key}) => key);
  if (keys.length === 0) return;
  const skipped = new Set([...app.screen.inbox.skipped, ...keys]);
  app.setIn('inbox', {skipped});
  advancePast(app, keys);
}

/**
 * Returns the next row downwards that was not skipped, wrapping around; when only skipped ones are left, the
 * first of them.
 */
function nextKey(frame: Frame, excluded: ReadonlySet<ConversationKey>): ConversationKey | undefined {
  const {rows} = visibleRowsOf(frame, inboxList);
  const {skipped} = frame.screen.inbox;
  const cursor = cursorIndex(frame, inboxList);
  const here = rows[cursor]?.key;
  if (here !== undefined && !excluded.has(here)) return here;
  const from = cursor + 1;
  let firstSkipped: ConversationKey | undefined;
  for (let step = 0; step < rows.length; step++) {
    const at = (from + step) % rows.length;
    const row = rows[at];
    if (row === undefined || row.kind !== 'item' || excluded.has(row.key)) continue;
    if (!skipped.has(row.key)) return row.key;
    if (firstSkipped === undefined) firstSkipped = row.key;
  }
  return firstSkipped ?? rows.find(({kind, key}) => kind === 'item' && frame.screen.inbox.skipped.has(key))?.key;
}

function without(all: ReadonlySet<string>, keys: readonly ConversationKey[]): ReadonlySet<string> {
  const excluded = new Set(keys);
  return new Set([...all].filter((key) => !excluded.has(key)));
}

interface AdvanceOptions {
  /** The rows that stay selected; none by default. */
  readonly selected?: ReadonlySet<string> | undefined;
  /** The pinned line was applied already. */
  readonly isPinned?: boolean;
}

function advanceTo(app: App, next: ConversationKey | undefined, options: AdvanceOptions = {}): void {
  const {selected = new Set<string>(), isPinned = false} = options;
  if (!isPinned) applyPinnedLine(app, inboxList);
  const {skipped} = app.screen.inbox;
  // A skipped row that is offered again counts as any other from here on.
  const isOfferedAgain = next !== undefined && skipped.has(next);
  app.setIn('inbox', {
    isOrderFrozen: true,
    preview: undefined,
    skipped: isOfferedAgain ? new Set<string>() : skipped,
  });
  changeList(app, 'inbox', (list) => ({...list, cursor: next, selected}));
  wakeSnoozedAtEnd(app);
  if (next !== undefined) setListCursor(app, inboxList, next);
}

import {rowsThatKeyRefersTo, rowThatKeyRefersTo} from '#app/actions/painted-frame.ts';
import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import type {Undoable, UndoRecord} from '#app/core/undo-stack.ts';
import {wakeSnoozedAtEnd} from '#app/inbox/enter-inbox.ts';
import type {TriageActionKind, TriageLogEntry} from '#app/inbox/inbox-state.ts';
import {type Snooze, withoutSnoozes, withSnoozes} from '#app/inbox/snooze/snooze.ts';
import {changeSnoozes, isSnoozeUnsaved} from '#app/inbox/snooze/snooze-store.ts';
import {isTriageItem, type TriageItem} from '#app/inbox/triage-row.ts';
import {focusedList} from '#app/lists/focused-list.ts';
import {changeList} from '#app/lists/list-filter.ts';
import {setListCursor} from '#app/lists/move-in-list.ts';
import {applyPinnedLine} from '#app/lists/pin-cursor-line.ts';
import {cursorIndex, visibleRowsOf} from '#app/lists/visible-rows.ts';
import {performWithUndoRecord, undoKey} from '#app/undo/perform-undoable.ts';
import {applyUndoRecord, newestKnownMessageIds} from '#app/undo/undo-record.ts';
import type {ReversibleAction} from '#state/actions/reversible-actions.ts';
import type {ConversationKey} from '#state/model/conversation.ts';

/** The conversations that verbs are about: those selected, or the one under the cursor. */
export function triageTargets(app: App): readonly TriageItem[] {
  return rowsThatKeyRefersTo(app, 'inbox').filter(isTriageItem);
}

export interface RowAction {
  readonly actionKind: TriageActionKind;
  readonly keys: readonly ConversationKey[];
  readonly actions?: readonly ReversibleAction[];
  readonly snoozes?: readonly Snooze[];
  /** Past tense. */
  readonly label: string;
  /** What is said once it is taken back, where that is not all of what the label says. */
  readonly undoneText?: string;
  /** What goes with it when it is taken back. */
  readonly undoAlso?: Undoable['undoAlso'];
  /** What is said now, where that is not the label. */
  readonly toastText?: string;
  /** They leave the list, and the next one is looked at; unless told otherwise. */
  readonly stays?: boolean;
  /** It was not about the rows that are selected: those it leaves are still so. */
  readonly keepsSelected?: boolean;
}

/** Does something that can be taken back, remembers it for the account of the session, and goes on to the next row. */
export function performRowAction(app: App, wish: RowAction): boolean {
  const {actionKind: verb, label, undoneText: said, toastText: told = label, stays = false} = wish;
  const keys = wish.keys.map((key) => app.screen.inbox.order.currentKey(key));
  const next = stays ? undefined : nextKey(app.frame, new Set(keys));
  const from = cursorRowKey(app, wish.keepsSelected === true ? undefined : keys);
  const near = newestKnownMessageIds(app.state, keys);
  const kept = performRecorded(
    app,
    {...wish, keys},
    {label, said, at: app.clock.now(), keys, near, from, steps: []},
  );
  if (kept === undefined) return false;
  const done: Undoable = {
    label,
    record: kept,
    undoAlso: wish.undoAlso,
    undo: () => {
      const words = applyUndoRecord(app, kept);
      forgetTriageAction(app, done);
      return words;
    },
  };
  app.undoStack.push(done);
  const isLater = kept.steps.some(({kind}) => kind === 'later');
  // On disk after what takes it back.
  if (isLater) changeSnoozes(app, (all) => withSnoozes(withoutSnoozes(all, keys), wish.snoozes ?? []));
  logTriageAction(app, {actionKind: verb, keys, at: kept.at, undoable: done});
  const left = wish.keepsSelected === true ? without(app.screen.lists.inbox.selected, keys) : undefined;
  if (!stays) advanceTo(app, next, left);
  if (isLater && isSnoozeUnsaved(app))
    app.toast(`${told}, until the program ends: the disk did not take it · ${undoKey(app)} undo`, 'warning');
  else app.toast(`${told} · ${undoKey(app)} undo`);
  return true;
}

/** The row under the cursor, unless others are selected and a key was about those. */
function cursorRowKey(app: App, keys: readonly string[] | undefined): string | undefined {
  const list = focusedList(app.screen);
  const seen = list && rowThatKeyRefersTo(app, list)?.key;
  const key = seen && app.screen.inbox.order.currentKey(seen);
  if (list === undefined || key === undefined || keys === undefined) return key;
  return app.screen.lists[list].selected.size === 0 || keys.includes(key) ? key : undefined;
}

/** What is put off and read is put off no more. Taken back from the last to the first: it has to be unread by then. */
function performRecorded(
  app: App,
  {actions = [], snoozes: laters = [], keys}: RowAction,
  begun: UndoRecord,
): UndoRecord | undefined {
  const before = keys.flatMap((key) => app.screen.inbox.snoozes.get(key) ?? []);
  const isPuttingOff = laters.length > 0;
  const isOver = before.length > 0 && actions.some(isMarkReadAction);
  if (!isPuttingOff && !isOver) return performWithUndoRecord(app, actions, begun);
  const first: UndoRecord = {...begun, steps: [{kind: 'later', keys, before, since: laters[0]?.since}]};
  return performWithUndoRecord(app, actions, first) ?? (isPuttingOff ? first : undefined);
}

function isMarkReadAction(action: ReversibleAction): boolean {
  return action.kind === 'flags' && action.flag === 'read' && action.op === 'add';
}

/** A key found nothing to do: the next undo is about that key, and nothing older goes with it unseen. */
export function pushNoOpUndo(app: App, keys: readonly ConversationKey[], title: string): void {
  app.undoStack.pushNoOp(keys, noOpUndoText(app, `Nothing was changed in ${title}`));
}

/** What is said when there was nothing to take back, and what the same key takes back next. */
export function noOpUndoText(app: App, said: string): (next: Undoable | undefined) => string {
  return (next) => {
    const isMore = next !== undefined && next.noOpKeys === undefined;
    return isMore ? `${said} · ${undoKey(app)} again undoes: ${next.label}` : said;
  };
}

/** For the account of the session. Whoever has begun finds everything where it is. */
export function logTriageAction(app: App, one: TriageLogEntry): void {
  app.update((screen) => {
    const {inbox} = screen;
    const startedAt = inbox.startedAt ?? one.at;
    return {...screen, inbox: {...inbox, isOrderSettled: true, startedAt, log: [...inbox.log, one]}};
  });
}

/** It was taken back, or did not come about. */
export function forgetTriageAction(app: App, done: Undoable): void {
  app.update((screen) => {
    const acts = screen.inbox.log.filter((one) => one.undoable !== done);
    return {...screen, inbox: {...screen.inbox, log: acts}};
  });
}

/** Goes on without doing anything. */
export function advancePast(app: App, keys: readonly ConversationKey[]): void {
  advanceTo(app, nextKey(app.frame, new Set(keys)));
}

/** Looked at and left as it is; it is offered again when nothing else is left. */
export function skipRows(app: App): void {
  const keys = triageTargets(app).map(({key}) => key);
  if (keys.length === 0) return;
  const kept = new Set([...app.screen.inbox.skipped, ...keys]);
  app.update((screen) => ({...screen, inbox: {...screen.inbox, skipped: kept}}));
  advancePast(app, keys);
}

/**
 * The next row downwards that was not looked at before; after the last one from the top, and when there is none but those,
 * the first of them.
 */
function nextKey(frame: Frame, gone: ReadonlySet<ConversationKey>): ConversationKey | undefined {
  const {rows} = visibleRowsOf(frame, 'inbox');
  const {skipped: kept} = frame.screen.inbox;
  const cursor = cursorIndex(frame, 'inbox');
  const here = rows[cursor]?.key;
  if (here !== undefined && !gone.has(here)) return here;
  const from = cursor + 1;
  let again: ConversationKey | undefined;
  for (let step = 0; step < rows.length; step++) {
    const at = (from + step) % rows.length;
    const row = rows[at];
    if (row === undefined || row.kind !== 'item' || gone.has(row.key)) continue;
    if (!kept.has(row.key)) return row.key;
    if (again === undefined) again = row.key;
  }
  return again ?? rows.find(({kind, key}) => kind === 'item' && frame.screen.inbox.skipped.has(key))?.key;
}

function without(all: ReadonlySet<string>, keys: readonly ConversationKey[]): ReadonlySet<string> {
  const gone = new Set(keys);
  return new Set([...all].filter((key) => !gone.has(key)));
}

function advanceTo(
  app: App,
  next: ConversationKey | undefined,
  selected: ReadonlySet<string> = new Set(),
): void {
  applyPinnedLine(app, 'inbox');
  app.update((screen) => {
    const {skipped: kept} = screen.inbox;
    // Offered again: from here on it counts as any other.
    const isAgain = next !== undefined && kept.has(next);
    const inbox = {
      ...screen.inbox,
      isOrderSettled: true,
      preview: undefined,
      skipped: isAgain ? new Set<string>() : kept,
    };
    return {...screen, inbox};
  });
  changeList(app, 'inbox', (list) => ({...list, cursor: next, selected}));
  wakeSnoozedAtEnd(app);
  if (next !== undefined) setListCursor(app, 'inbox', next);
}

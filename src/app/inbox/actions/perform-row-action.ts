import {seenRow, seenRows} from '#app/actions/painted-frame.ts';
import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import type {KeptUndo, Undoable} from '#app/core/undo-stack.ts';
import {releaseLaters} from '#app/inbox/enter-inbox.ts';
import type {TriageAct, TriageVerb} from '#app/inbox/inbox-state.ts';
import {type LaterEntry, withLaters, withoutLaters} from '#app/inbox/snooze/snooze.ts';
import {changeLaters, isLaterLost} from '#app/inbox/snooze/snooze-store.ts';
import {isTriageItem, type TriageItem} from '#app/inbox/triage-row.ts';
import {focusedList} from '#app/lists/focused-list.ts';
import {changeList} from '#app/lists/list-filter.ts';
import {putCursor} from '#app/lists/move-in-list.ts';
import {keepCursorLine} from '#app/lists/pin-cursor-line.ts';
import {cursorIndex, listingOf} from '#app/lists/visible-rows.ts';
import {doKept, undoKey} from '#app/undo/perform-undoable.ts';
import {messagesNear, takeBack} from '#app/undo/undo-record.ts';
import type {ReversibleAction} from '#state/actions/reversible-actions.ts';
import type {ConversationKey} from '#state/model/conversation.ts';

/** The conversations that verbs are about: those selected, or the one under the cursor. */
export function chosenItems(app: App): readonly TriageItem[] {
  return seenRows(app, 'inbox').filter(isTriageItem);
}

export interface Wish {
  readonly verb: TriageVerb;
  readonly keys: readonly ConversationKey[];
  readonly actions?: readonly ReversibleAction[];
  readonly laters?: readonly LaterEntry[];
  /** Past tense. */
  readonly label: string;
  /** What is said once it is taken back, where that is not all of what the label says. */
  readonly said?: string;
  /** What goes with it when it is taken back. */
  readonly afterwards?: Undoable['afterwards'];
  /** What is said now, where that is not the label. */
  readonly told?: string;
  /** They leave the list, and the next one is looked at; unless told otherwise. */
  readonly stays?: boolean;
  /** It was not about the rows that are selected: those it leaves are still so. */
  readonly keepsSelected?: boolean;
}

/** Does something that can be taken back, remembers it for the account of the session, and goes on to the next row. */
export function act(app: App, wish: Wish): boolean {
  const {verb, label, said, told = label, stays = false} = wish;
  const keys = wish.keys.map((key) => app.screen.inbox.order.nameNow(key));
  const next = stays ? undefined : nextKey(app.frame, new Set(keys));
  const from = rowMeant(app, wish.keepsSelected === true ? undefined : keys);
  const near = messagesNear(app.state, keys);
  const kept = doneOf(app, {...wish, keys}, {label, said, at: app.clock.now(), keys, near, from, steps: []});
  if (kept === undefined) return false;
  const done: Undoable = {
    label,
    kept,
    afterwards: wish.afterwards,
    undo: () => {
      const words = takeBack(app, kept);
      forgetAct(app, done);
      return words;
    },
  };
  app.undoStack.push(done);
  const isLater = kept.steps.some(({kind}) => kind === 'later');
  // On disk after what takes it back.
  if (isLater) changeLaters(app, (all) => withLaters(withoutLaters(all, keys), wish.laters ?? []));
  remember(app, {verb, keys, at: kept.at, done});
  const left = wish.keepsSelected === true ? without(app.screen.lists.inbox.selected, keys) : undefined;
  if (!stays) goOn(app, next, left);
  if (isLater && isLaterLost(app))
    app.toast(`${told}, until the program ends: the disk did not take it · ${undoKey(app)} undo`, 'warning');
  else app.toast(`${told} · ${undoKey(app)} undo`);
  return true;
}

/** The row under the cursor, unless others are selected and a key was about those. */
function rowMeant(app: App, keys: readonly string[] | undefined): string | undefined {
  const list = focusedList(app.screen);
  const seen = list && seenRow(app, list)?.key;
  const key = seen && app.screen.inbox.order.nameNow(seen);
  if (list === undefined || key === undefined || keys === undefined) return key;
  return app.screen.lists[list].selected.size === 0 || keys.includes(key) ? key : undefined;
}

/** What is put off and read is put off no more. Taken back from the last to the first: it has to be unread by then. */
function doneOf(app: App, {actions = [], laters = [], keys}: Wish, begun: KeptUndo): KeptUndo | undefined {
  const before = keys.flatMap((key) => app.screen.inbox.laters.get(key) ?? []);
  const isPuttingOff = laters.length > 0;
  const isOver = before.length > 0 && actions.some(isReading);
  if (!isPuttingOff && !isOver) return doKept(app, actions, begun);
  const first: KeptUndo = {...begun, steps: [{kind: 'later', keys, before, since: laters[0]?.since}]};
  return doKept(app, actions, first) ?? (isPuttingOff ? first : undefined);
}

function isReading(action: ReversibleAction): boolean {
  return action.kind === 'flags' && action.flag === 'read' && action.op === 'add';
}

/** A key found nothing to do: the next undo is about that key, and nothing older goes with it unseen. */
export function noteNothing(app: App, keys: readonly ConversationKey[], title: string): void {
  app.undoStack.pushNothing(keys, withNext(app, `Nothing was changed in ${title}`));
}

/** What is said when there was nothing to take back, and what the same key takes back next. */
export function withNext(app: App, said: string): (next: Undoable | undefined) => string {
  return (next) => {
    const isMore = next !== undefined && next.foundNothingIn === undefined;
    return isMore ? `${said} · ${undoKey(app)} again undoes: ${next.label}` : said;
  };
}

/** For the account of the session. Whoever has begun finds everything where it is. */
export function remember(app: App, one: TriageAct): void {
  app.update((screen) => {
    const {inbox} = screen;
    const startedAt = inbox.startedAt ?? one.at;
    return {...screen, inbox: {...inbox, isSettled: true, startedAt, acts: [...inbox.acts, one]}};
  });
}

/** It was taken back, or did not come about. */
export function forgetAct(app: App, done: Undoable): void {
  app.update((screen) => {
    const acts = screen.inbox.acts.filter((one) => one.done !== done);
    return {...screen, inbox: {...screen.inbox, acts}};
  });
}

/** Goes on without doing anything. */
export function skip(app: App, keys: readonly ConversationKey[]): void {
  goOn(app, nextKey(app.frame, new Set(keys)));
}

/** Looked at and left as it is; it is offered again when nothing else is left. */
export function keepRows(app: App): void {
  const keys = chosenItems(app).map(({key}) => key);
  if (keys.length === 0) return;
  const kept = new Set([...app.screen.inbox.kept, ...keys]);
  app.update((screen) => ({...screen, inbox: {...screen.inbox, kept}}));
  skip(app, keys);
}

/**
 * The next row downwards that was not looked at before; after the last one from the top, and when there is none but those,
 * the first of them.
 */
function nextKey(frame: Frame, gone: ReadonlySet<ConversationKey>): ConversationKey | undefined {
  const {rows} = listingOf(frame, 'inbox');
  const {kept} = frame.screen.inbox;
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
  return again ?? rows.find(({kind, key}) => kind === 'item' && frame.screen.inbox.kept.has(key))?.key;
}

function without(all: ReadonlySet<string>, keys: readonly ConversationKey[]): ReadonlySet<string> {
  const gone = new Set(keys);
  return new Set([...all].filter((key) => !gone.has(key)));
}

function goOn(app: App, next: ConversationKey | undefined, selected: ReadonlySet<string> = new Set()): void {
  keepCursorLine(app, 'inbox');
  app.update((screen) => {
    const {kept} = screen.inbox;
    // Offered again: from here on it counts as any other.
    const isAgain = next !== undefined && kept.has(next);
    const inbox = {
      ...screen.inbox,
      isSettled: true,
      preview: undefined,
      kept: isAgain ? new Set<string>() : kept,
    };
    return {...screen, inbox};
  });
  changeList(app, 'inbox', (list) => ({...list, cursor: next, selected}));
  releaseLaters(app);
  if (next !== undefined) putCursor(app, 'inbox', next);
}

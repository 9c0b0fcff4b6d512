import type {App} from '#app/app.ts';
import {attempt, undoKey} from '#app/deeds.ts';
import type {Frame} from '#app/frame.ts';
import {type KeptUndo, takeBack, type UndoStep} from '#app/kept-undo.ts';
import {changeList} from '#app/lists/filtering.ts';
import {chosenRows, cursorIndex, listingOf} from '#app/lists/listing.ts';
import {putCursor} from '#app/lists/motion.ts';
import type {Undoable} from '#app/undo.ts';
import type {ReversibleAction} from '#state/actions/reversible.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {releaseLaters} from './entering.ts';
import type {TriageAct, TriageVerb} from './inbox-state.ts';
import {type LaterEntry, withLaters} from './later.ts';
import {changeLaters} from './later-notes.ts';
import {isTriageItem, type TriageItem} from './triage-row.ts';

/** The conversations that verbs are about: those selected, or the one under the cursor. */
export function chosenItems(frame: Frame): readonly TriageItem[] {
  return chosenRows(frame, 'inbox').filter(isTriageItem);
}

/**
 * The unread messages of these conversations as the screen showed them when the key was pressed: what arrived since then
 * was not seen by anybody, and stays unread.
 */
export function seenUnread(app: App, keys: readonly ConversationKey[]): readonly number[] {
  const {conversations} = app.frames.current.account.unreads;
  const {byId} = app.state.unreads;
  return keys.flatMap((key) => conversations.get(key)?.ids.toArray() ?? []).filter((id) => byId.has(id));
}

export interface Wish {
  readonly verb: TriageVerb;
  readonly keys: readonly ConversationKey[];
  readonly actions?: readonly ReversibleAction[];
  readonly laters?: readonly LaterEntry[];
  /** Past tense. */
  readonly label: string;
  /** They leave the list, and the next one is looked at; unless told otherwise. */
  readonly stays?: boolean;
}

/** Does something that can be taken back, remembers it for the account of the session, and goes on to the next row. */
export function act(app: App, wish: Wish): boolean {
  const {verb, keys, label, stays = false} = wish;
  const next = nextKey(app.frame, new Set(keys));
  const steps = stepsOf(app, wish);
  if (steps.length === 0) return false;
  const kept: KeptUndo = {label, at: app.clock.now(), keys, steps};
  const done: Undoable = {
    label,
    kept,
    undo: () => {
      const said = takeBack(app, kept);
      if (said !== undefined) forgetAct(app, done);
      return said;
    },
  };
  app.undoStack.push(done);
  remember(app, {verb, keys, at: kept.at, done});
  if (!stays) goOn(app, next);
  app.toast(`${label} · ${undoKey(app)} undo`);
  return true;
}

function stepsOf(app: App, {actions = [], laters = [], keys}: Wish): readonly UndoStep[] {
  const deeds = actions.flatMap((action) => attempt(app, action) ?? []);
  if (laters.length === 0) return deeds;
  const before = keys.flatMap((key) => app.screen.inbox.laters.get(key) ?? []);
  changeLaters(app, (all) => withLaters(all, laters));
  return [...deeds, {kind: 'later', keys, before}];
}

function remember(app: App, one: TriageAct): void {
  app.update((screen) => {
    const {inbox} = screen;
    const startedAt = inbox.startedAt ?? one.at;
    return {...screen, inbox: {...inbox, startedAt, acts: [...inbox.acts, one]}};
  });
}

function forgetAct(app: App, done: Undoable): void {
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
  const keys = chosenItems(app.frame).map(({key}) => key);
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

function goOn(app: App, next: ConversationKey | undefined): void {
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
  changeList(app, 'inbox', (list) => ({...list, cursor: next, selected: new Set()}));
  releaseLaters(app);
  if (next !== undefined) putCursor(app, 'inbox', next);
}

/** To the row that something was done to, if the inbox is shown and has it. */
export function returnTo(app: App, keys: readonly ConversationKey[]): void {
  const {kind} = app.screen.view;
  if (kind !== 'inbox' && kind !== 'triage') return;
  const {places} = listingOf(app.frame, 'inbox');
  const key = keys.find((one) => places.has(one));
  if (key !== undefined) putCursor(app, 'inbox', key);
}

/** Takes back what was done last, and goes back to where it was done. */
export function undoLatest(app: App): void {
  const {said, undone} = app.undoStack.takeBack();
  app.toast(said);
  if (undone?.kept !== undefined) returnTo(app, undone.kept.keys);
}

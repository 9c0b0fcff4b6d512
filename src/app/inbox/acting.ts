import type {App} from '#app/app.ts';
import {attempt, undoKey} from '#app/deeds.ts';
import type {Frame} from '#app/frame.ts';
import {type KeptUndo, takeBack, type UndoStep} from '#app/kept-undo.ts';
import {changeList} from '#app/lists/filtering.ts';
import {keepCursorLine} from '#app/lists/holding.ts';
import {cursorIndex, listingOf} from '#app/lists/listing.ts';
import {putCursor} from '#app/lists/motion.ts';
import {seenRows} from '#app/seen.ts';
import type {Undoable} from '#app/undo.ts';
import type {ReversibleAction} from '#state/actions/reversible.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {releaseLaters} from './entering.ts';
import type {TriageAct, TriageVerb} from './inbox-state.ts';
import {type LaterEntry, withLaters, withoutLaters} from './later.ts';
import {changeLaters} from './later-notes.ts';
import {isTriageItem, type TriageItem} from './triage-row.ts';

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
  /** They leave the list, and the next one is looked at; unless told otherwise. */
  readonly stays?: boolean;
}

/** Does something that can be taken back, remembers it for the account of the session, and goes on to the next row. */
export function act(app: App, wish: Wish): boolean {
  const {verb, keys, label, said, stays = false} = wish;
  const next = stays ? undefined : nextKey(app.frame, new Set(keys));
  const steps = stepsOf(app, wish);
  if (steps.length === 0) return false;
  const kept: KeptUndo = {label, said, at: app.clock.now(), keys, steps};
  const done: Undoable = {
    label,
    kept,
    undo: () => {
      const words = takeBack(app, kept);
      forgetAct(app, done);
      return words;
    },
  };
  app.undoStack.push(done);
  remember(app, {verb, keys, at: kept.at, done});
  if (!stays) goOn(app, next);
  app.toast(`${label} · ${undoKey(app)} undo`);
  return true;
}

/** What is put off and read is put off no more. Taken back from the last to the first: it has to be unread by then. */
function stepsOf(app: App, {actions = [], laters = [], keys}: Wish): readonly UndoStep[] {
  const before = keys.flatMap((key) => app.screen.inbox.laters.get(key) ?? []);
  const deeds = actions.flatMap((action) => attempt(app, action) ?? []);
  const isRead = deeds.length > 0 && actions.some(isReading);
  if (laters.length === 0 && (!isRead || before.length === 0)) return deeds;
  changeLaters(app, (all) => withLaters(withoutLaters(all, keys), laters));
  return [{kind: 'later', keys, before, since: laters[0]?.since}, ...deeds];
}

function isReading(action: ReversibleAction): boolean {
  return action.kind === 'flags' && action.flag === 'read' && action.op === 'add';
}

/** A key found nothing to do: the next undo is about that key, and nothing older goes with it unseen. */
export function noteNothing(app: App, keys: readonly ConversationKey[], title: string): void {
  app.undoStack.pushNothing(keys, (next) => {
    const said = `Nothing was changed in ${title}`;
    const isMore = next !== undefined && next.foundNothingIn === undefined;
    return isMore ? `${said} · ${undoKey(app)} again undoes: ${next.label}` : said;
  });
}

/** For the account of the session. Whoever has begun finds everything where it is. */
export function remember(app: App, one: TriageAct): void {
  app.update((screen) => {
    const {inbox} = screen;
    const startedAt = inbox.startedAt ?? one.at;
    return {...screen, inbox: {...inbox, isSettled: true, startedAt, acts: [...inbox.acts, one]}};
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

function goOn(app: App, next: ConversationKey | undefined): void {
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
  changeList(app, 'inbox', (list) => ({...list, cursor: next, selected: new Set()}));
  releaseLaters(app);
  if (next !== undefined) putCursor(app, 'inbox', next);
}

import type {ReversibleAction} from '#state/actions/reversible.ts';
import {isReversibleAction} from '#state/deeds/record.ts';
import {conversationOf} from '#state/messages/messages.ts';
import {
  type Conversation,
  type ConversationKey,
  conversationKey,
  topicConversationKey,
} from '#state/model/conversation.ts';
import {newId} from '#state/new-id.ts';
import type {AccountState} from '#state/state.ts';
import type {App} from './app.ts';
import {changeProblem} from './asking.ts';
import {type LaterEntry, laterEntryFrom} from './inbox/later.ts';
import {isLaterKept, restoreLaters} from './inbox/later-notes.ts';
import {readNote} from './notes.ts';
import {noteRestored} from './restored.ts';
import type {Undoable, UndoShelf} from './undo.ts';
import {readingProblem} from './verbs.ts';

/** One thing that takes back a part of what was done. */
export type UndoStep =
  | {
      readonly kind: 'deed';
      readonly inverse: ReversibleAction;
      /** A message of the topic that it is about: where that is, the topic is, whatever it is called by then. */
      readonly near?: number | undefined;
    }
  /** What was put off until later: as it was before, where nothing means that it was not put off. */
  | {
      readonly kind: 'later';
      readonly keys: readonly ConversationKey[];
      readonly before: readonly LaterEntry[];
      /** When it was put off: what is so since then is taken back also under another name. */
      readonly since?: number | undefined;
    };

/** How to take something back, as plain data. */
export interface KeptUndo {
  readonly label: string;
  /** What is said once it is taken back, where that is not all of what the label says. */
  readonly said?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The conversations it was about, if it was about any: where to go when it is taken back. */
  readonly keys: readonly ConversationKey[];
  readonly steps: readonly UndoStep[];
}

/**
 * Gives what to say; undefined when nothing is left to take back. What was marked read is unread again, all of it, also what
 * another client has read since: whether that one or this one was first is chance, and who undoes wants to see it again.
 * Throws when the disk does not take it; then it can be tried again.
 */
export function takeBack(app: App, {label, said, steps}: KeptUndo): string | undefined {
  const changed = steps.toReversed().filter((step) => isTakenBack(app, step));
  return changed.length === 0 ? undefined : (said ?? `Undone: ${label}`);
}

function isTakenBack(app: App, step: UndoStep): boolean {
  if (step.kind === 'later') return restoreLaters(app, step);
  const done = app.session.deeds.do(whereItIs(app.state, step.inverse, step.near));
  if (done === undefined) return false;
  const {action} = done;
  if (action.kind === 'flags' && action.flag === 'read' && action.op === 'remove')
    noteRestored(app, action.ids);
  return true;
}

/** A topic that was renamed or moved took along how one listens to it, and its old name has nothing left. */
function whereItIs(
  state: AccountState,
  inverse: ReversibleAction,
  near: number | undefined,
): ReversibleAction {
  if (inverse.kind !== 'topicPolicy' || near === undefined) return inverse;
  const key = topicConversationKey(inverse.channelId, inverse.topic);
  const where = placeOf(state, near);
  const isElsewhere = where?.kind === 'topic' && conversationKey(where) !== key && !state.userTopics.has(key);
  return isElsewhere ? {...inverse, channelId: where.channelId, topic: where.topic} : inverse;
}

function placeOf({messages, unreads}: AccountState, id: number): Conversation | undefined {
  const message = messages.byId.get(id);
  if (message !== undefined) return conversationOf(message);
  return unreads.conversations.get(unreads.byId.get(id) ?? '')?.conversation;
}

/** Nobody expects a key to undo what was done last month. */
const longestMs = 7 * 24 * 3_600_000;
const mostPages = 200;
const indexNote = 'undo';
const pageNote = (id: string) => `undo ${id}`;

/**
 * What was done, on disk, so that it can be undone after a restart. Entries are kept in pages, one for what is done within a
 * moment, and an index names the pages: several programs on one account each write their own.
 */
export class KeptUndos implements UndoShelf {
  readonly #app: App;
  readonly #pages = new Map<string, Set<KeptUndo>>();
  readonly #places = new WeakMap<Undoable, string>();
  readonly #changed = new Set<string>();
  #open: string | undefined;
  #isDue = false;

  constructor(app: App) {
    this.#app = app;
    app.onEnd(() => this.flush());
  }

  put(done: Undoable): void {
    if (done.kept === undefined || this.#isForNow(done.kept)) return;
    const {clock, session} = this.#app;
    this.#open ??= newId(clock, session.context.random);
    const page = this.#pages.get(this.#open) ?? new Set();
    this.#pages.set(this.#open, page.add(done.kept));
    this.#places.set(done, this.#open);
    this.#write(this.#open);
  }

  drop(done: Undoable): void {
    const id = this.#places.get(done);
    if (id === undefined || done.kept === undefined || this.#isForNow(done.kept)) return;
    this.#pages.get(id)?.delete(done.kept);
    this.#write(id);
  }

  earlier(): readonly Undoable[] {
    const own = new Set(this.#pages.keys());
    const since = this.#app.clock.now() - longestMs;
    return this.#index()
      .filter((id) => !own.has(id))
      .flatMap((id) => {
        const kept = readNote(this.#app, pageNote(id), pageFrom).filter(({at}) => at >= since);
        this.#pages.set(id, new Set(kept));
        return kept.map((one) => this.#undoable(one, id));
      });
  }

  /** Undoing changes things as much as doing does, and taking back that something was marked unread marks it read. */
  problem({kept}: Undoable): string | undefined {
    const deeds = kept?.steps.flatMap((step) => (step.kind === 'deed' ? [step.inverse] : [])) ?? [];
    if (deeds.length === 0) return undefined;
    return changeProblem(this.#app) ?? (deeds.some(isReading) ? readingProblem(this.#app) : undefined);
  }

  /** What the next start knows nothing of needs no taking back there. */
  #isForNow({steps}: KeptUndo): boolean {
    return !isLaterKept(this.#app) && steps.every(({kind}) => kind === 'later');
  }

  flush(): void {
    this.#isDue = false;
    this.#open = undefined;
    if (this.#changed.size === 0) return;
    const index = new Set(this.#index());
    const notes = new Map<string, string | undefined>();
    for (const id of this.#changed) {
      const page = this.#pages.get(id);
      const isLeft = page !== undefined && page.size > 0;
      if (isLeft) index.add(id);
      else index.delete(id);
      notes.set(pageNote(id), isLeft ? JSON.stringify([...page]) : undefined);
    }
    this.#changed.clear();
    const ids = [...index];
    for (const id of ids.slice(0, -mostPages)) notes.set(pageNote(id), undefined);
    notes.set(indexNote, JSON.stringify(ids.slice(-mostPages)));
    this.#keep(notes);
  }

  /** What can be undone now can be undone without the disk: a failure is only noted. */
  #keep(notes: ReadonlyMap<string, string | undefined>): void {
    const {store, log} = this.#app.session.context;
    try {
      store.notes.setAll(notes);
    } catch (error) {
      log('What was done is not kept for the next start', error);
    }
  }

  #undoable(kept: KeptUndo, id: string): Undoable {
    const done = {label: kept.label, kept, undo: () => takeBack(this.#app, kept)};
    this.#places.set(done, id);
    return done;
  }

  /** One write for what is done in one go, and before the picture that offers to undo it. */
  #write(id: string): void {
    this.#changed.add(id);
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => this.flush());
  }

  #index(): readonly string[] {
    return readNote(this.#app, indexNote, (value) =>
      Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [],
    );
  }
}

function isReading(action: ReversibleAction): boolean {
  return action.kind === 'flags' && action.flag === 'read' && action.op === 'add';
}

/** Only we write these; what does not fit, such as a newer Parley's, is left out. */
function pageFrom(value: unknown): readonly KeptUndo[] {
  return Array.isArray(value) ? value.flatMap((one) => keptFrom(one)) : [];
}

function keptFrom(value: unknown): readonly KeptUndo[] {
  if (!isObject(value) || typeof value.label !== 'string' || typeof value.at !== 'number') return [];
  const steps = Array.isArray(value.steps) ? value.steps.flatMap(stepFrom) : [];
  if (steps.length === 0) return [];
  const said = typeof value.said === 'string' ? value.said : undefined;
  return [{label: value.label, said, at: value.at, keys: stringsFrom(value.keys), steps}];
}

function stepFrom(value: unknown): readonly UndoStep[] {
  if (!isObject(value)) return [];
  if (value.kind === 'deed') {
    const near = typeof value.near === 'number' ? value.near : undefined;
    return isReversibleAction(value.inverse) ? [{kind: 'deed', inverse: value.inverse, near}] : [];
  }
  if (value.kind !== 'later' || !Array.isArray(value.before)) return [];
  const since = typeof value.since === 'number' ? value.since : undefined;
  return [
    {kind: 'later', keys: stringsFrom(value.keys), before: value.before.flatMap(laterEntryFrom), since},
  ];
}

function stringsFrom(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

import type {ReversibleAction} from '#state/actions/reversible.ts';
import {isReversibleAction} from '#state/deeds/record.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {newId} from '#state/new-id.ts';
import type {App} from './app.ts';
import {type LaterEntry, laterEntryFrom} from './inbox/later.ts';
import {restoreLaters} from './inbox/later-notes.ts';
import {readNote} from './notes.ts';
import type {Undoable, UndoShelf} from './undo.ts';

/** One thing that takes back a part of what was done. */
export type UndoStep =
  | {readonly kind: 'deed'; readonly inverse: ReversibleAction}
  /** What was put off until later: as it was before, where nothing means that it was not put off. */
  | {
      readonly kind: 'later';
      readonly keys: readonly ConversationKey[];
      readonly before: readonly LaterEntry[];
    };

/** How to take something back, as plain data. */
export interface KeptUndo {
  readonly label: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The conversations it was about, if it was about any: where to go when it is taken back. */
  readonly keys: readonly ConversationKey[];
  readonly steps: readonly UndoStep[];
}

/** Gives what to say; undefined when nothing is left to take back. */
export function takeBack(app: App, {label, steps}: KeptUndo): string | undefined {
  const changed = steps.toReversed().filter((step) => isTakenBack(app, step));
  return changed.length === 0 ? undefined : `Undone: ${label}`;
}

function isTakenBack(app: App, step: UndoStep): boolean {
  if (step.kind === 'later') return restoreLaters(app, step.keys, step.before);
  try {
    return app.session.deeds.do(step.inverse) !== undefined;
  } catch (error) {
    app.toast(`Not undone: ${error instanceof Error ? error.message : String(error)}`, 'error');
    return false;
  }
}

/** One write for what is done in one go; it waits for the disk, and keys must not. */
const writeAfterMs = 5;
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
  #cancel: (() => void) | undefined;

  constructor(app: App) {
    this.#app = app;
    app.onEnd(() => this.flush());
  }

  put(done: Undoable): void {
    if (done.kept === undefined) return;
    const {clock, session} = this.#app;
    this.#open ??= newId(clock, session.context.random);
    const page = this.#pages.get(this.#open) ?? new Set();
    this.#pages.set(this.#open, page.add(done.kept));
    this.#places.set(done, this.#open);
    this.#write(this.#open);
  }

  drop(done: Undoable): void {
    const id = this.#places.get(done);
    if (id === undefined || done.kept === undefined) return;
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

  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
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

  #write(id: string): void {
    this.#changed.add(id);
    this.#cancel ??= this.#app.clock.after(writeAfterMs, () => this.flush());
  }

  #index(): readonly string[] {
    return readNote(this.#app, indexNote, (value) =>
      Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [],
    );
  }
}

/** Only we write these; what does not fit, such as a newer Parley's, is left out. */
function pageFrom(value: unknown): readonly KeptUndo[] {
  return Array.isArray(value) ? value.flatMap((one) => keptFrom(one)) : [];
}

function keptFrom(value: unknown): readonly KeptUndo[] {
  if (!isObject(value) || typeof value.label !== 'string' || typeof value.at !== 'number') return [];
  const steps = Array.isArray(value.steps) ? value.steps.flatMap(stepFrom) : [];
  if (steps.length === 0) return [];
  return [{label: value.label, at: value.at, keys: stringsFrom(value.keys), steps}];
}

function stepFrom(value: unknown): readonly UndoStep[] {
  if (!isObject(value)) return [];
  if (value.kind === 'deed') {
    return isReversibleAction(value.inverse) ? [{kind: 'deed', inverse: value.inverse}] : [];
  }
  if (value.kind !== 'later' || !Array.isArray(value.before)) return [];
  return [{kind: 'later', keys: stringsFrom(value.keys), before: value.before.flatMap(laterEntryFrom)}];
}

function stringsFrom(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

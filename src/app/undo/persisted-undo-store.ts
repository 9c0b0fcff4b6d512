import {markReadProblem} from '#app/actions/mute-and-follow.ts';
import {changeProblem} from '#app/actions/server-request.ts';
import type {App} from '#app/core/app.ts';
import {readPersistedValue} from '#app/core/persisted-value.ts';
import type {Undoable, UndoRecord, UndoStep, UndoStore} from '#app/core/undo-stack.ts';
import {parseSnooze} from '#app/inbox/snooze/snooze.ts';
import {areSnoozesPersisted} from '#app/inbox/snooze/snooze-store.ts';
import type {ReversibleAction} from '#state/actions/reversible-actions.ts';
import {newId} from '#state/new-id.ts';
import {isReversibleAction} from '#state/pending-changes/pending-change.ts';
import {applyUndoRecord} from './undo-record.ts';

/** Nobody expects a key to undo what was done last month. */
const longestMs = 7 * 24 * 3_600_000;
const maxPersisted = 200;
const beginning = 'undo ';

/**
 * What was done, on disk, so that it can be undone after a restart: a note for each, under the name of the program that did
 * it and in its order. It is written with what was done or before it, never after, so that nothing is ever done for good
 * because the program ended.
 */
export class PersistedUndoStore implements UndoStore {
  readonly #app: App;
  /** What a note says that this program knows. */
  readonly #notes = new Map<string, Set<UndoRecord>>();
  readonly #places = new WeakMap<UndoRecord, string>();
  readonly #changed = new Set<string>();
  #program: string | undefined;
  #count = 0;
  #isDue = false;

  constructor(app: App) {
    this.#app = app;
    app.onEnd(() => this.flush());
  }

  valuesToPersist(kept: UndoRecord): ReadonlyMap<string, string> {
    const name = this.#newName();
    this.#places.set(kept, name);
    return new Map([[name, JSON.stringify([kept])]]);
  }

  save({record: kept}: Undoable): void {
    if (kept === undefined || this.#isForNow(kept)) return;
    if (!this.#places.has(kept)) this.#keep(this.valuesToPersist(kept));
    const name = this.#places.get(kept);
    if (name !== undefined) this.#notes.set(name, new Set([kept]));
  }

  remove({record: kept}: Undoable): void {
    const name = kept && this.#places.get(kept);
    if (kept === undefined || name === undefined || this.#isForNow(kept)) return;
    this.#notes.get(name)?.delete(kept);
    this.#changed.add(name);
    if (this.#isDue) return;
    // One write for what is taken back in one go: what is taken back twice changes nothing.
    this.#isDue = true;
    queueMicrotask(() => this.flush());
  }

  loadEarlier(): readonly Undoable[] {
    const since = this.#app.clock.now() - longestMs;
    const found = this.#names()
      .filter((name) => !this.#notes.has(name))
      .flatMap((name) => {
        const kept = readPersistedValue(this.#app, name, parseUndoRecords).filter(({at}) => at >= since);
        this.#notes.set(name, new Set(kept));
        for (const one of kept) this.#places.set(one, name);
        return kept;
      });
    // Names are in the order of programs, which may have run side by side.
    return found
      .toSorted((a, b) => a.at - b.at)
      .map((kept) => ({label: kept.label, record: kept, undo: () => applyUndoRecord(this.#app, kept)}));
  }

  /** Undoing changes things as much as doing does, and taking back that something was marked unread marks it read. */
  undoProblem({record: kept}: Undoable): string | undefined {
    const deeds = kept?.steps.flatMap((step) => (step.kind === 'deed' ? [step.inverse] : [])) ?? [];
    if (deeds.length === 0) return undefined;
    return (
      changeProblem(this.#app) ?? (deeds.some(isMarkReadAction) ? markReadProblem(this.#app) : undefined)
    );
  }

  flush(): void {
    this.#isDue = false;
    if (this.#changed.size === 0) return;
    const changes = [...this.#changed].map((name) => {
      const left = [...(this.#notes.get(name) ?? [])];
      return [name, left.length === 0 ? undefined : JSON.stringify(left)] as const;
    });
    this.#changed.clear();
    this.#keep(new Map(changes));
  }

  /** What the next start knows nothing of needs no taking back there. */
  #isForNow({steps}: UndoRecord): boolean {
    return !areSnoozesPersisted(this.#app) && steps.every(({kind}) => kind === 'later');
  }

  /** What can be undone now can be undone without the disk: a failure is only noted. */
  #keep(notes: ReadonlyMap<string, string | undefined>): void {
    const {store, log} = this.#app.session.context;
    try {
      store.keyValues.setAll(notes);
    } catch (error) {
      log('What was done is not kept for the next start', error);
    }
  }

  /** The first of a program makes room for what it will do. */
  #newName(): string {
    const {clock, session} = this.#app;
    if (this.#program === undefined) {
      this.#program = newId(clock, session.context.random);
      const old = this.#names().slice(0, -maxPersisted);
      if (old.length > 0) this.#keep(new Map(old.map((name) => [name, undefined])));
    }
    const serial = (this.#count++).toString(36).padStart(6, '0');
    return `${beginning}${this.#program} ${serial}`;
  }

  #names(): readonly string[] {
    try {
      return this.#app.session.context.store.keyValues.keysWithPrefix(beginning);
    } catch {
      return [];
    }
  }
}

function isMarkReadAction(action: ReversibleAction): boolean {
  return action.kind === 'flags' && action.flag === 'read' && action.op === 'add';
}

/** Only we write these; what does not fit, such as a newer Parley's, is left out. */
function parseUndoRecords(value: unknown): readonly UndoRecord[] {
  return Array.isArray(value) ? value.flatMap((one) => parseUndoRecord(one)) : [];
}

function parseUndoRecord(value: unknown): readonly UndoRecord[] {
  if (!isObject(value) || typeof value.label !== 'string' || typeof value.at !== 'number') return [];
  const steps = Array.isArray(value.steps) ? value.steps.flatMap(parseUndoStep) : [];
  if (steps.length === 0) return [];
  const said = typeof value.said === 'string' ? value.said : undefined;
  const near = Array.isArray(value.near) ? value.near.filter((id) => typeof id === 'number') : undefined;
  const from = typeof value.from === 'string' ? value.from : undefined;
  return [{label: value.label, said, at: value.at, keys: stringsFrom(value.keys), near, from, steps}];
}

function parseUndoStep(value: unknown): readonly UndoStep[] {
  if (!isObject(value)) return [];
  if (value.kind === 'deed') {
    const near = typeof value.near === 'number' ? value.near : undefined;
    return isReversibleAction(value.inverse) ? [{kind: 'deed', inverse: value.inverse, near}] : [];
  }
  if (value.kind !== 'later' || !Array.isArray(value.before)) return [];
  const since = typeof value.since === 'number' ? value.since : undefined;
  return [{kind: 'later', keys: stringsFrom(value.keys), before: value.before.flatMap(parseSnooze), since}];
}

function stringsFrom(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

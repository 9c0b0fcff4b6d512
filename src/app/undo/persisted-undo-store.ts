import {type App, readPersistedValue} from '#app/core/app.ts';
import {areSnoozesPersisted} from '#app/snoozes/snooze-store.ts';
import {isReversibleAction} from '#state/pending-changes/pending-change-sender.ts';
import {newId} from '#state/session-context.ts';
import {composed} from '#std/composed-text.ts';
import {isRecord} from '#std/parse-json.ts';
import {changeProblem, markReadProblem} from '#ui/core/change-problem.ts';
import {parseSnooze} from '#ui/inbox/snooze/snooze.ts';
import {applyUndoRecord, isMarkReadAction, redoRecord} from './perform-undoable.ts';
import type {Redoable} from './redo-stack.ts';
import {requestStepOf, type StepHandler, type StepHandlers} from './request-steps.ts';
import type {RequestStep, UndoRecord, UndoStep} from './undo-record.ts';
import type {Undoable, UndoQuestion, UndoStore} from './undo-stack.ts';

/** Older actions are not offered for undo: a key that undoes something of last month would surprise. */
const maxAgeMs = 7 * 24 * 3_600_000;
const maxPersisted = 200;
const undoPrefix = 'undo ';
const redoPrefix = 'redo ';

/**
 * Persists actions so that they can be undone after a restart. Each action has one key-value entry, named by
 * the program run that did it and its serial number. The entry is written together with the change or before
 * it, never after, so that a crash never makes a change permanent.
 */
export class PersistedUndoStore implements UndoStore {
  readonly #app: App;
  readonly #handlers: StepHandlers;
  /** The records in each entry that this program has read or written. */
  readonly #records = new Map<string, Set<UndoRecord>>();
  readonly #entryNames = new WeakMap<UndoRecord, string>();
  readonly #changedEntries = new Set<string>();
  #runId: string | undefined;
  #count = 0;
  #isFlushScheduled = false;

  constructor(app: App, handlers: StepHandlers) {
    this.#app = app;
    this.#handlers = handlers;
    app.onEnd(() => this.flush());
  }

  valuesToPersist(record: UndoRecord): ReadonlyMap<string, string> {
    const name = this.#newEntryName(undoPrefix);
    this.#entryNames.set(record, name);
    return new Map([[name, JSON.stringify([record])]]);
  }

  /** Written with the removal of the action that was undone. */
  saveUndone({record}: Redoable): void {
    if (this.#isTransient(record)) return;
    const name = this.#entryNames.get(record) ?? this.#newEntryName(redoPrefix);
    this.#entryNames.set(record, name);
    this.#records.set(name, new Set([record]));
    this.#flushLater(name);
  }

  save({record}: Undoable): void {
    if (record === undefined || this.#isTransient(record)) return;
    if (!this.#entryNames.has(record)) this.#write(this.valuesToPersist(record));
    const name = this.#entryNames.get(record);
    if (name === undefined) return;
    const others = this.#records.get(name);
    this.#records.set(name, new Set([...(others ?? []), record]));
    // It was removed when its undo began, which failed.
    if (others !== undefined) this.#flushLater(name);
  }

  remove({record}: Pick<Undoable, 'record'>): void {
    const name = record && this.#entryNames.get(record);
    if (record === undefined || name === undefined || this.#isTransient(record)) return;
    this.#records.get(name)?.delete(record);
    this.#flushLater(name);
  }

  #flushLater(name: string): void {
    this.#changedEntries.add(name);
    if (this.#isFlushScheduled) return;
    // All changes of one task are written at once. Undoing an action twice changes nothing, so a lost write
    // is harmless.
    this.#isFlushScheduled = true;
    queueMicrotask(() => this.flush());
  }

  loadEarlier(): readonly Undoable[] {
    return this.#load(undoPrefix).map((record) => this.undoableOf(record));
  }

  loadEarlierUndone(): readonly Redoable[] {
    return this.#load(redoPrefix).map((record) => this.redoableOf(record));
  }

  forgetEarlierUndone(): void {
    const old = this.#listEntryNames(redoPrefix).filter((name) => !this.#records.has(name));
    if (old.length > 0) this.#write(new Map(old.map((name) => [name, undefined])));
  }

  #load(prefix: string): readonly UndoRecord[] {
    const since = this.#app.clock.now() - maxAgeMs;
    const records = this.#listEntryNames(prefix)
      .filter((name) => !this.#records.has(name))
      .flatMap((name) => {
        const saved = readPersistedValue(this.#app, name, (value) =>
          Array.isArray(value)
            ? value.flatMap((one) => parseUndoRecord(one, prefix === undoPrefix ? 'undone' : 'redone'))
            : [],
        ).filter(({at}) => at >= since);
        this.#records.set(name, new Set(saved));
        for (const one of saved) this.#entryNames.set(one, name);
        return saved;
      });
    // Names sort by program run, and runs may overlap in time.
    return records.toSorted((a, b) => a.at - b.at);
  }

  newRecord(label: string, problem?: string): UndoRecord {
    return {label, at: this.#app.clock.now(), keys: [], steps: [], problem};
  }

  /** Returns the step of a record that needs a request, with its handler. */
  #requestOf(record: UndoRecord | undefined): {step: RequestStep; handler: StepHandler<RequestStep>} | undefined {
    const step = requestStepOf(record);
    // The handlers have the kinds of their steps as keys.
    return step && {step, handler: this.#handlers[step.kind] as StepHandler<RequestStep>};
  }

  undoableOf(record: UndoRecord): Undoable {
    const request = this.#requestOf(record);
    const undo = () =>
      request ? request.handler.undo(this.#app, record, request.step) : applyUndoRecord(this.#app, record);
    return {label: record.label, record, undo};
  }

  redoableOf(record: UndoRecord): Redoable {
    const request = this.#requestOf(record);
    const redo = () =>
      request ? request.handler.redo(this.#app, record, request.step) : redoRecord(this.#app, record);
    return {label: record.label, record, redo};
  }

  /** Undo changes messages like any action does, and undoing “mark unread” marks them read. */
  undoProblem({record}: Undoable): string | undefined {
    return this.#problemOf(record, 'undo');
  }

  redoProblem({record}: Redoable): string | undefined {
    return this.#problemOf(record, 'redo');
  }

  #problemOf(record: UndoRecord | undefined, direction: 'undo' | 'redo'): string | undefined {
    const request = this.#requestOf(record);
    if (request !== undefined) {
      const problem = request.handler.problem?.(this.#app, request.step);
      const reason = problem && `Not ${direction === 'undo' ? 'undone' : 'redone'}: ${problem}`;
      return changeProblem(this.#app) ?? reason;
    }
    const actions = record?.steps.filter((step) => step.kind === 'change').map((step) => step.inverse) ?? [];
    if (actions.length === 0) return undefined;
    return changeProblem(this.#app) ?? (actions.some(isMarkReadAction) ? markReadProblem(this.#app) : undefined);
  }

  undoQuestion({record}: Pick<Undoable, 'record'>): UndoQuestion | undefined {
    const request = this.#requestOf(record);
    return request?.handler.question?.(this.#app, request.step);
  }

  redoQuestion(redoable: Redoable): UndoQuestion | undefined {
    return this.undoQuestion(redoable);
  }

  flush(): void {
    this.#isFlushScheduled = false;
    if (this.#changedEntries.size === 0) return;
    const changes = [...this.#changedEntries].map((name) => {
      const left = [...(this.#records.get(name) ?? [])];
      return [name, left.length === 0 ? undefined : JSON.stringify(left)] as const;
    });
    this.#changedEntries.clear();
    this.#write(new Map(changes));
  }

  /** Whether the record needs no entry: a snooze that is not persisted does not outlive the program. */
  #isTransient({steps}: UndoRecord): boolean {
    return !areSnoozesPersisted(this.#app) && steps.length > 0 && steps.every(({kind}) => kind === 'snooze');
  }

  /** Writes entries. Undo works in this run without the disk, so a failure is only logged. */
  #write(entries: ReadonlyMap<string, string | undefined>): void {
    const {store, log} = this.#app.session.context;
    try {
      store.keyValues.setAll(entries);
    } catch (error) {
      log('Could not save the undo history', error);
    }
  }

  /** Returns a new entry name. The first one of a run deletes the oldest entries. */
  #newEntryName(prefix: string): string {
    const {clock, session} = this.#app;
    if (this.#runId === undefined) {
      this.#runId = newId(clock, session.context.random);
      const old = this.#listEntryNames(undoPrefix).slice(0, -maxPersisted);
      if (old.length > 0) this.#write(new Map(old.map((name) => [name, undefined])));
    }
    const serial = (this.#count++).toString(36).padStart(6, '0');
    return `${prefix}${this.#runId} ${serial}`;
  }

  #listEntryNames(prefix: string): readonly string[] {
    try {
      return this.#app.session.context.store.keyValues.keysWithPrefix(prefix);
    } catch {
      return [];
    }
  }
}

function parseUndoRecord(value: unknown, participle: 'undone' | 'redone'): readonly UndoRecord[] {
  if (!isRecord(value) || typeof value.label !== 'string' || typeof value.at !== 'number') return [];
  const {label, at} = value;
  const steps = Array.isArray(value.steps) ? value.steps.flatMap(parseUndoStep) : [];
  // Only the program run that did it could do that, or a newer Parley saved it.
  const restarted = composed`Cannot be ${participle} after a restart of Parley: ${label}`;
  const problem = textFrom(value.problem) ?? (steps.length === 0 ? restarted : undefined);
  const near = Array.isArray(value.near) ? value.near.filter((id) => typeof id === 'number') : undefined;
  const said = textFrom(value.said);
  const redoLabel = textFrom(value.redoLabel);
  const from = textFrom(value.from);
  const place = textFrom(value.place);
  const isPassive = value.isPassive === true ? true : undefined;
  return [{label, said, redoLabel, at, keys: stringsFrom(value.keys), near, from, place, steps, problem, isPassive}];
}

/** Only Parley writes these entries, so the kind decides, and only critical fields are checked. */
function parseUndoStep(value: unknown): readonly UndoStep[] {
  if (!isRecord(value)) return [];
  switch (value.kind) {
    // Records of earlier versions call it a deed.
    case 'deed':
    case 'change': {
      const near = typeof value.near === 'number' ? value.near : undefined;
      return isReversibleAction(value.inverse) ? [{kind: 'change', inverse: value.inverse, near}] : [];
    }
    // Records of earlier versions call it later.
    case 'later':
    case 'snooze': {
      if (!Array.isArray(value.before)) return [];
      const since = typeof value.since === 'number' ? value.since : undefined;
      return [{kind: 'snooze', keys: stringsFrom(value.keys), before: value.before.flatMap(parseSnooze), since}];
    }
    case 'sent':
      return typeof value.id === 'string' ? [{kind: 'sent', id: value.id}] : [];
    case 'send':
      return typeof value.content === 'string' && isRecord(value.conversation) ? [value as unknown as RequestStep] : [];
    case 'edit':
    case 'move':
    case 'widget':
      return typeof value.messageId === 'number' ? [value as unknown as RequestStep] : [];
    default:
      return [];
  }
}

function textFrom(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function stringsFrom(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

import {composed} from '#std/composed-text.ts';
import {errorText} from '#std/error-text.ts';
import type {ToastMessage} from '#ui/core/toast-message.ts';
import type {UndoRecord, UndoStep} from './undo-record.ts';
import type {Undoable, UndoQuestion} from './undo-stack.ts';

/** An action that was undone. */
export interface Redoable {
  readonly label: string;
  /** What is saved of it: its steps redo the action. */
  readonly record: UndoRecord;
  readonly redo: NonNullable<Undoable['redo']>;
}

/** Persists what can be redone. */
export interface RedoStore {
  saveUndone(redoable: Redoable): void;
  remove(redoable: Pick<Redoable, 'record'>): void;
  /** Returns what earlier program runs have undone, latest last. */
  loadEarlierUndone(): readonly Redoable[];
  /** Deletes what earlier program runs have undone. */
  forgetEarlierUndone(): void;
  newRecord(label: string): UndoRecord;
  /** Returns the undone action that the steps of the record redo. */
  redoableOf(record: UndoRecord): Redoable;
  /** Returns the reason why it cannot be redone now. */
  redoProblem(redoable: Redoable): string | undefined;
  /** Returns what to ask before it is redone. */
  redoQuestion(redoable: Redoable): UndoQuestion | undefined;
}

export interface RedoResult {
  /** The text to show, unless the action showed one. */
  readonly resultText: string | ToastMessage | undefined;
  readonly isDone: boolean;
}

/** An undo or redo that is running. */
export interface Reversal {
  readonly isUndo: boolean;
  confirm(): void;
  /** Puts back what could not be undone or redone. */
  fail(): void;
}

export interface RunningReversal extends Reversal {
  /** A request reports its end. */
  isAwaited: boolean;
}

/** The order in which the actions of all accounts were undone in this program run. */
const undoneOrder = new WeakMap<Redoable, number>();
let undoneCount = 0;

/** Whether an action was undone after another one, perhaps in another account. Those of earlier program runs come first. */
export function isUndoneAfter(redoable: Redoable, other: Redoable): boolean {
  return (undoneOrder.get(redoable) ?? 0) > (undoneOrder.get(other) ?? 0);
}

/** What was undone, latest last, until the user does something else: also what cannot be redone, so that redo never skips it. */
export class RedoStack {
  readonly #undone: Redoable[] = [];
  readonly #store: RedoStore;
  /** Those whose undo the server has not confirmed. */
  readonly #unconfirmed = new Set<Redoable>();
  /** Those that are being redone. */
  readonly #redoing = new Set<Redoable>();
  #hasLoadedEarlier = false;

  constructor(store: RedoStore) {
    this.#store = store;
  }

  get canRedo(): boolean {
    return this.#undone.length > 0;
  }

  /** What was undone in this program run, and what was loaded. */
  get known(): readonly Redoable[] {
    return this.#undone;
  }

  list(): readonly Redoable[] {
    if (!this.#hasLoadedEarlier) this.#undone.unshift(...this.#store.loadEarlierUndone());
    this.#hasLoadedEarlier = true;
    return this.#undone.toReversed();
  }

  /** Adds an action that was undone; `isAwaited` when the server has not confirmed that yet. */
  push(action: Undoable, isAwaited: boolean, steps: readonly UndoStep[] = []): Redoable {
    const {record, redo} = action;
    const label = record?.redoLabel ?? action.label;
    const {at} = this.#store.newRecord(label);
    const isPermanent = redo === undefined && steps.length === 0;
    const problem = isPermanent ? composed`Cannot be redone: ${label}` : undefined;
    const bySteps = this.#store.redoableOf({keys: [], ...record, label, at, steps, problem, isPassive: undefined});
    const redoable = redo === undefined ? bySteps : {...bySteps, redo};
    this.#add(redoable);
    undoneOrder.set(redoable, ++undoneCount);
    if (isAwaited) this.#unconfirmed.add(redoable);
    return redoable;
  }

  confirm(redoable: Redoable): void {
    this.#unconfirmed.delete(redoable);
  }

  remove(redoable: Redoable): void {
    const at = this.#undone.lastIndexOf(redoable);
    if (at >= 0) this.#undone.splice(at, 1);
    this.#unconfirmed.delete(redoable);
    this.#store.remove(redoable);
  }

  /** Empties the stack for a new action of the user. */
  forget(): void {
    for (const redoable of this.#undone.splice(0)) this.#store.remove(redoable);
    if (!this.#hasLoadedEarlier) this.#store.forgetEarlierUndone();
    this.#hasLoadedEarlier = true;
  }

  /** Whether an action is being redone: what is pushed then is not new. */
  get isRedoing(): boolean {
    return this.#redoing.size > 0;
  }

  questionFor(redoable: Redoable): UndoQuestion | undefined {
    return this.#problemOf(redoable) === undefined ? this.#store.redoQuestion(redoable) : undefined;
  }

  redo(redoable: Redoable, setRunning: (running: RunningReversal | undefined) => void): RedoResult {
    const problem = this.#problemOf(redoable);
    if (problem !== undefined) return {resultText: problem, isDone: false};
    const running: RunningReversal = {
      isUndo: false,
      isAwaited: false,
      confirm: () => this.#redoing.delete(redoable),
      fail: () => {
        this.#redoing.delete(redoable);
        this.#add(redoable);
      },
    };
    this.#redoing.add(redoable);
    setRunning(running);
    try {
      const resultText = redoable.redo();
      this.remove(redoable);
      return {resultText, isDone: true};
    } catch (error) {
      return {resultText: `Not redone: ${errorText(error)}`, isDone: false};
    } finally {
      setRunning(undefined);
      if (!running.isAwaited) this.#redoing.delete(redoable);
    }
  }

  #problemOf(redoable: Redoable): string | undefined {
    if (this.#unconfirmed.has(redoable)) return composed`Still being undone: ${redoable.label}`;
    return redoable.record.problem ?? this.#store.redoProblem(redoable);
  }

  #add(redoable: Redoable): void {
    this.#undone.push(redoable);
    this.#store.saveUndone(redoable);
  }
}

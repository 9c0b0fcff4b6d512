import type {Snooze} from '#app/inbox/snooze/snooze.ts';
import type {ReversibleAction} from '#state/actions/reversible-actions.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {errorText} from '#std/error-text.ts';

/** One change that undoes a part of an action. `deed` and `later` are the names on disk. */
export type UndoStep =
  | {
      readonly kind: 'deed';
      readonly inverse: ReversibleAction;
      /** A message of the topic that the step changes. The topic is wherever this message is, also after a rename. */
      readonly near?: number | undefined;
    }
  /** A snooze to restore: the snoozes of `keys` become `before`; a key without one there was not snoozed. */
  | {
      readonly kind: 'later';
      readonly keys: readonly ConversationKey[];
      readonly before: readonly Snooze[];
      /** The time of the snooze: what was snoozed since then is restored also under a new name. */
      readonly since?: number | undefined;
    };

/** Plain data that says how to undo an action. */
export interface UndoRecord {
  readonly label: string;
  /** The text shown after undo, where it is not just the label. */
  readonly said?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The conversations that were changed, if any: undo moves the cursor there. */
  readonly keys: readonly ConversationKey[];
  /** A message of each of `keys`. The conversation is wherever this message is, also after a rename. */
  readonly near?: readonly number[] | undefined;
  /** The row under the cursor. */
  readonly from?: string | undefined;
  readonly steps: readonly UndoStep[];
}

/** An action that can be undone. */
export interface Undoable {
  /** Past tense, for the user: `Marked #backend › deploy read (4)`. */
  readonly label: string;
  /**
   * Undoes the action and returns the text to show, or undefined when nothing is left to undo. Throws when that fails.
   */
  readonly undo: () => string | undefined;
  /**
   * Undoes a second action with the same key, after the cursor has returned; returns the text for both if it
   * still applies.
   */
  readonly undoAlso?: (() => string | undefined) | undefined;
  /** The record for undo after a restart, where that is possible. */
  readonly record?: UndoRecord | undefined;
  /** The conversations in which a key changed nothing: undo moves the cursor there and changes nothing. */
  readonly noOpKeys?: readonly ConversationKey[] | undefined;
}

/** Persists actions that can be undone. */
export interface UndoStore {
  /**
   * Returns the key-value entries that persist the record, to be written together with the change itself.
   * `save` writes them if the caller did not ask for them.
   */
  valuesToPersist(record: UndoRecord): ReadonlyMap<string, string>;
  save(action: Undoable): void;
  /** Removes an action that was undone or is too old. */
  remove(action: Undoable): void;
  /** Returns the actions of earlier program runs, latest last. */
  loadEarlier(): readonly Undoable[];
  /** Returns the reason why the action cannot be undone now. */
  undoProblem(action: Undoable): string | undefined;
}

/** The result of an undo. */
export interface UndoResult {
  /** The text to show. */
  readonly resultText: string;
  /** Undefined when nothing was undone. */
  readonly undone: Undoable | undefined;
}

interface UndoAttempt {
  readonly resultText: string | undefined;
  /** Whether undo failed and can be tried again. */
  readonly canRetry: boolean;
}

const maxActions = 200;

/** The actions that can be undone, latest last. */
export class UndoStack {
  readonly #actions: Undoable[] = [];
  readonly #store: UndoStore | undefined;
  #hasLoadedEarlier = false;

  constructor(store?: UndoStore) {
    this.#store = store;
  }

  /**
   * Returns the entries to write in the same transaction as the change, so that every change can be undone
   * however the program ends.
   */
  valuesToPersist(record: UndoRecord): ReadonlyMap<string, string> {
    return this.#store?.valuesToPersist(record) ?? new Map();
  }

  /** Whether there is an action to undo, those of earlier program runs not counted before they are loaded. */
  get canUndo(): boolean {
    return this.#actions.length > 0;
  }

  push(action: Undoable): void {
    this.#actions.push(action);
    this.#store?.save(action);
    const oldest = this.#actions.length > maxActions ? this.#actions.shift() : undefined;
    if (oldest !== undefined) this.#store?.remove(oldest);
  }

  /**
   * Adds a step for a key that changed nothing. A user who presses undo after such a key means that key, not
   * the action before it. `resultText` receives the action that undo would undo next.
   */
  pushNoOp(noOpKeys: readonly ConversationKey[], resultText: (next: Undoable | undefined) => string): void {
    const latest = this.#actions.at(-1)?.noOpKeys;
    if (latest !== undefined && deepEqual(latest, noOpKeys)) return;
    this.push({label: resultText(undefined), noOpKeys, undo: () => resultText(this.list()[1])});
  }

  /**
   * Replaces an action that failed by a step that changes nothing. A user who presses undo means that action:
   * undo reports the failure, and no older action is undone instead.
   */
  cancel(action: Undoable, resultText: (next: Undoable | undefined) => string): void {
    const at = this.#actions.lastIndexOf(action);
    if (at < 0) return;
    const {label, record} = action;
    const nothing: Undoable = {label, noOpKeys: record?.keys ?? [], undo: () => resultText(this.list()[1])};
    this.#actions.splice(at, 1, nothing);
    this.#store?.remove(action);
  }

  /** Undoes the latest action that can be undone; returns the text to show. */
  undo(): string {
    return this.undoLatest().resultText;
  }

  /** Undoes the latest action. If that fails, it stays the latest: no older action is undone instead. */
  undoLatest(): UndoResult {
    for (let action = this.#latest(); action !== undefined; action = this.#latest()) {
      const {resultText, canRetry} = this.#try(action);
      if (resultText !== undefined) return {resultText, undone: canRetry ? undefined : action};
    }
    return {resultText: 'Nothing to undo.', undone: undefined};
  }

  /** Returns the actions, latest first. */
  list(): readonly Undoable[] {
    this.#loadEarlier();
    return this.#actions.toReversed();
  }

  /** Returns the messages by which the actions of this program run find their conversations. */
  nearMessageIds(): readonly number[] {
    return this.#actions.flatMap(({record}) => [
      ...(record?.near ?? []),
      ...(record?.steps ?? []).flatMap((step) => (step.kind === 'deed' && step.near !== undefined ? [step.near] : [])),
    ]);
  }

  /** Undoes one action, wherever it is in the history. */
  undoOne(action: Undoable): string | undefined {
    return this.#actions.includes(action) ? this.#try(action).resultText : undefined;
  }

  #try(action: Undoable): UndoAttempt {
    const problem = this.#store?.undoProblem(action);
    if (problem !== undefined) return {resultText: problem, canRetry: true};
    try {
      const resultText = action.undo();
      this.#remove(action);
      return {resultText, canRetry: false};
    } catch (error) {
      return {
        resultText: `Could not undo: ${errorText(error)}`,
        canRetry: true,
      };
    }
  }

  #remove(action: Undoable): void {
    const at = this.#actions.lastIndexOf(action);
    if (at >= 0) this.#actions.splice(at, 1);
    this.#store?.remove(action);
  }

  #latest(): Undoable | undefined {
    if (this.#actions.length === 0) this.#loadEarlier();
    return this.#actions.at(-1);
  }

  /** Loads the actions of earlier program runs, only when the user goes back that far. */
  #loadEarlier(): void {
    if (this.#hasLoadedEarlier) return;
    this.#hasLoadedEarlier = true;
    this.#actions.unshift(...(this.#store?.loadEarlier() ?? []));
  }
}

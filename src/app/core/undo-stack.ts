import type {Snooze} from '#app/inbox/snooze/snooze.ts';
import type {ReversibleAction} from '#state/actions/reversible-actions.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {deepEqual} from '#std/deep-equal.ts';

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
      readonly before: readonly Snooze[];
      /** When it was put off: what is so since then is taken back also under another name. */
      readonly since?: number | undefined;
    };

/** How to take something back, as plain data. */
export interface UndoRecord {
  readonly label: string;
  /** What is said once it is taken back, where that is not all of what the label says. */
  readonly said?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The conversations it was about, if it was about any: where to go when it is taken back. */
  readonly keys: readonly ConversationKey[];
  /** A message of each of these: where that is, the conversation is, whatever it is called by then. */
  readonly near?: readonly number[] | undefined;
  /** The row that had the cursor. */
  readonly from?: string | undefined;
  readonly steps: readonly UndoStep[];
}

/** Something that was done and can be taken back. */
export interface Undoable {
  /** Past tense, for people: `Marked #backend › deploy read (4)`. */
  readonly label: string;
  /** Takes it back; gives what to say, or undefined when there is nothing left to take back. Throws when that fails. */
  readonly undo: () => string | undefined;
  /** What the same key takes back with it, once one is there again; gives what to say of both, if that still can be. */
  readonly undoAlso?: (() => string | undefined) | undefined;
  /** How to take it back after a restart, for what can be. */
  readonly record?: UndoRecord | undefined;
  /** The conversations where a key found nothing to do: taking that back leads there, and changes nothing. */
  readonly noOpKeys?: readonly ConversationKey[] | undefined;
}

/** Where things that were done outlive the program. */
export interface UndoStore {
  /** The notes that keep it, to be written together with what it takes back; `put` writes them if nobody has asked. */
  valuesToPersist(kept: UndoRecord): ReadonlyMap<string, string>;
  save(done: Undoable): void;
  /** It was taken back, or is too long ago. */
  remove(done: Undoable): void;
  /** What programs before this one did, latest last. */
  loadEarlier(): readonly Undoable[];
  /** Why it cannot be taken back from here. */
  undoProblem(done: Undoable): string | undefined;
}

export interface UndoResult {
  /** The sentence to show. */
  readonly resultText: string;
  /** Undefined when nothing was taken back. */
  readonly undone: Undoable | undefined;
}

interface UndoAttempt {
  readonly resultText: string | undefined;
  /** It could not be taken back, and can be tried again. */
  readonly isLeft: boolean;
}

const mostKept = 200;

/** What was done, latest last. */
export class UndoStack {
  readonly #done: Undoable[] = [];
  readonly #shelf: UndoStore | undefined;
  #hasEarlier = false;

  constructor(shelf?: UndoStore) {
    this.#shelf = shelf;
  }

  /** To be on disk in the same step as what is done: whatever was done can be taken back, however the program ends. */
  valuesToPersist(kept: UndoRecord): ReadonlyMap<string, string> {
    return this.#shelf?.valuesToPersist(kept) ?? new Map();
  }

  push(done: Undoable): void {
    this.#done.push(done);
    this.#shelf?.save(done);
    const oldest = this.#done.length > mostKept ? this.#done.shift() : undefined;
    if (oldest !== undefined) this.#shelf?.remove(oldest);
  }

  /**
   * A key found nothing to do there. Whoever takes that back means this key and not what was done before it, so it is a step
   * of its own. `said` is told what is taken back next.
   */
  pushNoOp(foundNothingIn: readonly ConversationKey[], said: (next: Undoable | undefined) => string): void {
    const latest = this.#done.at(-1)?.noOpKeys;
    if (latest !== undefined && deepEqual(latest, foundNothingIn)) return;
    this.push({label: said(undefined), noOpKeys: foundNothingIn, undo: () => said(this.list()[1])});
  }

  /** It did not come about. Whoever takes it back means this one: they are told so, and nothing older goes in its place. */
  cancel(done: Undoable, said: (next: Undoable | undefined) => string): void {
    const at = this.#done.lastIndexOf(done);
    if (at < 0) return;
    const {label, record: kept} = done;
    const nothing: Undoable = {label, noOpKeys: kept?.keys ?? [], undo: () => said(this.list()[1])};
    this.#done.splice(at, 1, nothing);
    this.#shelf?.remove(done);
  }

  /** Takes back the latest that still can be; gives the sentence to show. */
  undo(): string {
    return this.undoLatest().resultText;
  }

  /** One that fails stays the latest: nothing older is taken back in its place. */
  undoLatest(): UndoResult {
    for (let done = this.#latest(); done !== undefined; done = this.#latest()) {
      const {resultText: said, isLeft} = this.#try(done);
      if (said !== undefined) return {resultText: said, undone: isLeft ? undefined : done};
    }
    return {resultText: 'Nothing to undo.', undone: undefined};
  }

  /** Latest first. */
  list(): readonly Undoable[] {
    this.#recall();
    return this.#done.toReversed();
  }

  /** One of them, wherever it is. */
  undoOne(done: Undoable): string | undefined {
    return this.#done.includes(done) ? this.#try(done).resultText : undefined;
  }

  #try(done: Undoable): UndoAttempt {
    const problem = this.#shelf?.undoProblem(done);
    if (problem !== undefined) return {resultText: problem, isLeft: true};
    try {
      const said = done.undo();
      this.#forget(done);
      return {resultText: said, isLeft: false};
    } catch (error) {
      return {
        resultText: `Not undone: ${error instanceof Error ? error.message : String(error)}`,
        isLeft: true,
      };
    }
  }

  #forget(done: Undoable): void {
    const at = this.#done.lastIndexOf(done);
    if (at >= 0) this.#done.splice(at, 1);
    this.#shelf?.remove(done);
  }

  #latest(): Undoable | undefined {
    if (this.#done.length === 0) this.#recall();
    return this.#done.at(-1);
  }

  /** What was done before the start is read when somebody goes back so far. */
  #recall(): void {
    if (this.#hasEarlier) return;
    this.#hasEarlier = true;
    this.#done.unshift(...(this.#shelf?.loadEarlier() ?? []));
  }
}

import type {KeptUndo} from './kept-undo.ts';

/** Something that was done and can be taken back. */
export interface Undoable {
  /** Past tense, for people: `Marked #backend › deploy read (4)`. */
  readonly label: string;
  /** Takes it back; gives what to say, or undefined when there is nothing left to take back. */
  readonly undo: () => string | undefined;
  /** How to take it back after a restart, for what can be. */
  readonly kept?: KeptUndo | undefined;
}

/** Where things that were done outlive the program. */
export interface UndoShelf {
  put(done: Undoable): void;
  /** It was taken back, or is too long ago. */
  drop(done: Undoable): void;
  /** What programs before this one did, latest last. */
  earlier(): readonly Undoable[];
}

export interface TakenBack {
  /** The sentence to show. */
  readonly said: string;
  /** Undefined when there was nothing to take back. */
  readonly undone: Undoable | undefined;
}

const mostKept = 200;

/** What was done, latest last. */
export class UndoStack {
  readonly #done: Undoable[] = [];
  readonly #shelf: UndoShelf | undefined;
  #hasEarlier = false;

  constructor(shelf?: UndoShelf) {
    this.#shelf = shelf;
  }

  push(done: Undoable): void {
    this.#done.push(done);
    this.#shelf?.put(done);
    const oldest = this.#done.length > mostKept ? this.#done.shift() : undefined;
    if (oldest !== undefined) this.#shelf?.drop(oldest);
  }

  /** Takes back the latest that still can be; gives the sentence to show. */
  undo(): string {
    return this.takeBack().said;
  }

  takeBack(): TakenBack {
    for (let done = this.#pop(); done !== undefined; done = this.#pop()) {
      const said = done.undo();
      if (said !== undefined) return {said, undone: done};
    }
    return {said: 'Nothing to undo.', undone: undefined};
  }

  /** Latest first. */
  list(): readonly Undoable[] {
    this.#recall();
    return this.#done.toReversed();
  }

  /** One of them, wherever it is. */
  undoOne(done: Undoable): string | undefined {
    const at = this.#done.indexOf(done);
    if (at < 0) return undefined;
    this.#done.splice(at, 1);
    this.#shelf?.drop(done);
    return done.undo();
  }

  #pop(): Undoable | undefined {
    if (this.#done.length === 0) this.#recall();
    const done = this.#done.pop();
    if (done !== undefined) this.#shelf?.drop(done);
    return done;
  }

  /** What was done before the start is read when somebody goes back so far. */
  #recall(): void {
    if (this.#hasEarlier) return;
    this.#hasEarlier = true;
    this.#done.unshift(...(this.#shelf?.earlier() ?? []));
  }
}

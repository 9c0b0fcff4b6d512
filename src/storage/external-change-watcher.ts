import {errorText} from '#std/error-text.ts';
import type {AccountFile} from './account-file.ts';
import type {AccountFileOptions} from './account-file-options.ts';
import type {ProcessRegistry} from './process-registry.ts';

const pollIntervalMs = 1000;

/**
 * Notifies listeners when another process changed user data, or died while it owned an entry. Polls only
 * while there are listeners.
 */
export class ExternalChangeWatcher {
  readonly #file: AccountFile;
  readonly #processes: ProcessRegistry;
  readonly #options: AccountFileOptions;
  readonly #listeners = new Set<{readonly call: () => void}>();
  #writeMark = '';
  #externalChangeMark = '';
  /** The dead processes that were already reported. */
  #reportedDead: ReadonlySet<string> = new Set();
  #cancel: (() => void) | undefined;

  constructor(file: AccountFile, processes: ProcessRegistry, options: AccountFileOptions) {
    this.#file = file;
    this.#processes = processes;
    this.#options = options;
  }

  subscribe(call: () => void): () => void {
    const listener = {call};
    if (this.#listeners.size === 0) this.#start();
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.stop();
    };
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #start(): void {
    this.#check();
    this.#schedule();
  }

  #schedule(): void {
    this.#cancel = this.#options.clock.after(pollIntervalMs, () => {
      this.#cancel = undefined;
      if (this.#file.isClosed) return;
      if (this.#check()) this.#notify();
      if (this.#listeners.size > 0 && this.#cancel === undefined) this.#schedule();
    });
  }

  /** Returns whether anything changed since the last check. */
  #check(): boolean {
    try {
      const hasChanged = this.#hasChanged();
      return this.#hasNewDeadOwner() || hasChanged;
    } catch (error) {
      this.#options.log(`Checking for external changes failed: ${errorText(error)}`);
      return false;
    }
  }

  #hasChanged(): boolean {
    const writeMark = this.#file.writeMark();
    if (writeMark === this.#writeMark) return false;
    const externalChangeMark = this.#file.externalChangeMark();
    const hasChanged = externalChangeMark !== this.#externalChangeMark;
    this.#writeMark = writeMark;
    this.#externalChangeMark = externalChangeMark;
    return hasChanged;
  }

  #hasNewDeadOwner(): boolean {
    const dead = this.#file.read((db) => this.#processes.deadOwners(db));
    const hasNew = dead.some((id) => !this.#reportedDead.has(id));
    this.#reportedDead = new Set(dead);
    return hasNew;
  }

  #notify(): void {
    for (const {call} of [...this.#listeners]) {
      try {
        call();
      } catch (error) {
        this.#options.log(`A listener for external changes failed: ${errorText(error)}`, error);
      }
    }
  }
}

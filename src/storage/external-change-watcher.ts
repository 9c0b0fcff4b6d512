import type {AccountFile} from './account-file.ts';
import type {AccountFileOptions} from './account-file-options.ts';
import type {ProcessRegistry} from './process-registry.ts';
import {errorMessage} from './store-failures.ts';

const pollEvery = 1000;

/** Tells when another program has changed something, or died holding something. Looks only while somebody listens. */
export class ExternalChangeWatcher {
  readonly #file: AccountFile;
  readonly #sessions: ProcessRegistry;
  readonly #place: AccountFileOptions;
  readonly #listeners = new Set<{readonly call: () => void}>();
  #writeMark = '';
  #foreignMark = '';
  /** Whose end has been told already. */
  #gone: ReadonlySet<string> = new Set();
  #cancel: (() => void) | undefined;

  constructor(file: AccountFile, sessions: ProcessRegistry, place: AccountFileOptions) {
    this.#file = file;
    this.#sessions = sessions;
    this.#place = place;
  }

  subscribe(call: () => void): () => void {
    const listener = {call};
    if (this.#listeners.size === 0) this.#begin();
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

  #begin(): void {
    this.#look();
    this.#schedule();
  }

  #schedule(): void {
    this.#cancel = this.#place.clock.after(pollEvery, () => {
      this.#cancel = undefined;
      if (this.#file.isClosed) return;
      if (this.#look()) this.#tell();
      if (this.#listeners.size > 0 && this.#cancel === undefined) this.#schedule();
    });
  }

  /** Whether there is news since the last look. */
  #look(): boolean {
    try {
      const hasChanged = this.#hasChanged();
      return this.#hasLostSomebody() || hasChanged;
    } catch (error) {
      this.#place.log(`Looking for changes by others failed: ${errorMessage(error)}`);
      return false;
    }
  }

  #hasChanged(): boolean {
    const writeMark = this.#file.writeMark();
    if (writeMark === this.#writeMark) return false;
    const foreignMark = this.#file.externalChangeMark();
    const hasChanged = foreignMark !== this.#foreignMark;
    this.#writeMark = writeMark;
    this.#foreignMark = foreignMark;
    return hasChanged;
  }

  #hasLostSomebody(): boolean {
    const gone = this.#file.read((db) => this.#sessions.deadOwners(db));
    const isNews = gone.some((id) => !this.#gone.has(id));
    this.#gone = new Set(gone);
    return isNews;
  }

  #tell(): void {
    for (const {call} of [...this.#listeners]) {
      try {
        call();
      } catch (error) {
        this.#place.log(`A listener to changes by others failed: ${errorMessage(error)}`, error);
      }
    }
  }
}

import {type FSWatcher, watch} from 'node:fs';
import {basename, dirname} from 'node:path';
import {errorText} from '#std/error-text.ts';
import type {AccountFile} from './account-file.ts';
import type {ProcessRegistry} from './process-registry.ts';
import type {AccountFileOptions} from './store-failures.ts';

/** The interval of checks while the system reports writes. They find what it misses, as on some virtual file systems. */
const watchedIntervalMs = 30_000;
/** The interval while the system does not report writes, or another process owns an entry: a process that dies writes nothing. */
const unwatchedIntervalMs = 1000;

/**
 * Notifies listeners when another process changed user data, or died while it owned an entry. The system reports writes to
 * the files, so that an idle process sleeps. Watches only while there are listeners.
 */
export class ExternalChangeWatcher {
  readonly #file: AccountFile;
  readonly #processes: ProcessRegistry;
  readonly #options: AccountFileOptions;
  readonly #listeners = new Set<{readonly call: () => void}>();
  #writeMark = '';
  #externalChangeMark = '';
  #hasForeignOwner = false;
  /** The dead processes that were already reported. */
  #reportedDead: ReadonlySet<string> = new Set();
  #directory: FSWatcher | undefined;
  #afterWrite: NodeJS.Immediate | undefined;
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
    clearImmediate(this.#afterWrite);
    this.#afterWrite = undefined;
    this.#directory?.close();
    this.#directory = undefined;
  }

  /** Watches the file that replaced a database in memory; its rows may have other numbers. */
  restart(): void {
    if (this.#listeners.size === 0) return;
    this.stop();
    this.#start();
    this.#notify();
  }

  #start(): void {
    if (!this.#file.isOnDisk) return;
    // Before the check: a change after it is then reported in any case.
    this.#watchDirectory();
    this.#check();
    this.#schedule();
  }

  /** Watches the directory, because SQLite writes to a second file, which comes and goes. */
  #watchDirectory(): void {
    const {path, log} = this.#options;
    try {
      this.#directory = watch(dirname(path), {persistent: false}, (_event, name) => {
        if (name === null || name.startsWith(basename(path))) this.#afterWrite ??= setImmediate(() => this.#onWrite());
      });
      this.#directory.on('error', (error) => {
        log(`Watching ${dirname(path)} failed: ${errorText(error)}`);
        this.#directory?.close();
        this.#directory = undefined;
        this.#schedule();
      });
    } catch (error) {
      log(`Watching ${dirname(path)} failed: ${errorText(error)}`);
    }
  }

  #schedule(): void {
    this.#cancel?.();
    const isWatched = this.#directory !== undefined && !this.#hasForeignOwner;
    this.#cancel = this.#options.clock.after(isWatched ? watchedIntervalMs : unwatchedIntervalMs, () => {
      this.#cancel = undefined;
      if (this.#file.isClosed) return;
      if (this.#check()) this.#notify();
      if (this.#listeners.size > 0 && this.#cancel === undefined) this.#schedule();
    });
  }

  #onWrite(): void {
    this.#afterWrite = undefined;
    if (this.#file.isClosed) return;
    const hadForeignOwner = this.#hasForeignOwner;
    if (this.#check(true)) this.#notify();
    if (this.#hasForeignOwner !== hadForeignOwner && this.#cancel !== undefined) this.#schedule();
  }

  /** Returns whether anything changed since the last check. `onlyWrites`: the death of a process is not looked for. */
  #check(onlyWrites = false): boolean {
    try {
      const writeMark = this.#file.writeMark();
      const hasWrite = writeMark !== this.#writeMark;
      if (onlyWrites && !hasWrite) return false;
      this.#writeMark = writeMark;
      const hasChanged = hasWrite && this.#hasChanged();
      return this.#hasNewDeadOwner() || hasChanged;
    } catch (error) {
      this.#options.log(`Checking for external changes failed: ${errorText(error)}`);
      return false;
    }
  }

  #hasChanged(): boolean {
    const before = this.#externalChangeMark;
    this.#externalChangeMark = this.#file.externalChangeMark();
    return this.#externalChangeMark !== before;
  }

  #hasNewDeadOwner(): boolean {
    const {alive, dead} = this.#file.read((db) => this.#processes.foreignOwners(db));
    const hasNew = dead.some((id) => !this.#reportedDead.has(id));
    this.#hasForeignOwner = alive.length > 0;
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

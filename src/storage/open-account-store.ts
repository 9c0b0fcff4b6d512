import {dirname} from 'node:path';
import type {AccountStore} from '#state/account-store.ts';
import type {Clock} from '#std/clock.ts';
import {errorText} from '#std/error-text.ts';
import {AccountFile} from './account-file.ts';
import type {AccountFileOptions} from './account-file-options.ts';
import {realPath} from './database-files.ts';
import {createDraftStore} from './draft-store.ts';
import {ExternalChangeWatcher} from './external-change-watcher.ts';
import {createKeyValueStore} from './key-value-store.ts';
import {createMessageStore} from './message-store.ts';
import {migrations} from './migrations.ts';
import {createOutboxStore} from './outbox-store.ts';
import {createPendingChangeStore} from './pending-change-store.ts';
import {type ProcessIdentity, thisProcess} from './process-liveness.ts';
import {ProcessRegistry} from './process-registry.ts';
import {createSavedStateStore} from './saved-state-store.ts';
import {type LogFunction, NewerFormatError, toStoreError} from './store-failures.ts';

export interface StoreOptions {
  /** `:memory:` saves nothing. */
  readonly path: string;
  readonly clock: Clock;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
  /** The maximum number of saved messages; the oldest are evicted. */
  readonly maxMessages?: number;
  readonly log: LogFunction;
  /** Receives a message for the user when the file has to be replaced later on; logged by default. */
  readonly onNotice?: (notice: string) => void;
  /** For tests: the migrations, and the identity of this process. */
  readonly migrationSteps?: readonly string[];
  readonly processIdentity?: ProcessIdentity;
}

const memoryPath = ':memory:';

/** Opens the store of an account. Always returns one: when the disk allows none, an in-memory store with a notice. */
export function openAccountStore(options: StoreOptions): {
  store: AccountStore;
  notice?: string;
} {
  const {path, clock, log, migrationSteps: steps = migrations} = options;
  const fileOptions: AccountFileOptions = {
    path: path === memoryPath ? memoryPath : realPath(path),
    migrationSteps: steps,
    clock,
    log,
  };
  const {file, notice} = openOrUseMemory(fileOptions, options.onNotice ?? log);
  const store = createStore(file, fileOptions, options);
  return {store, ...(notice === undefined ? {} : {notice})};
}

function openOrUseMemory(
  fileOptions: AccountFileOptions,
  notify: (notice: string) => void,
): {file: AccountFile; notice?: string | undefined} {
  if (fileOptions.path === memoryPath) return {file: AccountFile.inMemory(fileOptions, notify)};
  try {
    return AccountFile.open(fileOptions, notify);
  } catch (error) {
    fileOptions.log(`${fileOptions.path} cannot be used: ${errorText(error)}`, error);
    const file = AccountFile.inMemory(fileOptions, notify, error);
    return {file, notice: notSavedNotice(fileOptions.path, error)};
  }
}

function notSavedNotice(path: string, error: unknown): string {
  const consequence = 'so nothing will be saved when Parley quits.';
  if (error instanceof NewerFormatError) return `A newer version of Parley is using ${path}, ${consequence}`;
  switch (toStoreError(error).reason) {
    case 'full':
      return `The disk is full: ${path} cannot be written, ${consequence}`;
    case 'busy':
      return `Another Parley process is using ${path}, ${consequence}`;
    default:
      return `${path} cannot be used (${errorText(error)}; can you write to ${dirname(path)}?), ${consequence}`;
  }
}

function createStore(file: AccountFile, fileOptions: AccountFileOptions, options: StoreOptions): AccountStore {
  const processes = new ProcessRegistry(file, fileOptions, options.processIdentity ?? thisProcess(), options.random);
  const watcher = new ExternalChangeWatcher(file, processes, fileOptions);
  file.onMoved = () => watcher.restart();
  return {
    outbox: createOutboxStore(file, processes),
    drafts: createDraftStore(file),
    messages: createMessageStore(file, options.maxMessages ?? 50_000),
    savedState: createSavedStateStore(file, fileOptions.log),
    pendingChanges: createPendingChangeStore(file, processes),
    keyValues: createKeyValueStore(file),
    synced: () => file.synced(),
    get writeProblem() {
      return file.writeProblem;
    },
    onWriteProblem: (listener) => file.onWriteProblem(listener),
    onExternalChange: (listener) => watcher.subscribe(listener),
    close() {
      watcher.stop();
      processes.close();
      file.close();
    },
  };
}

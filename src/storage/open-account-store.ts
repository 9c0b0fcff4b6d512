import {dirname} from 'node:path';
import type {AccountStore} from '#state/account-store.ts';
import type {Clock} from '#std/clock.ts';
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
import {errorMessage, type LogFunction, NewerFormatError, toStoreError} from './store-failures.ts';

export interface StoreOptions {
  /** `:memory:` keeps nothing. */
  readonly path: string;
  readonly clock: Clock;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
  /** How many messages to keep; the oldest are forgotten. */
  readonly maxMessages?: number;
  readonly log: LogFunction;
  /** Told what the user should know when the file has to be replaced later on; into the log without it. */
  readonly onNotice?: (notice: string) => void;
  /** For tests: the migrations, and which program this is. */
  readonly migrationSteps?: readonly string[];
  readonly processIdentity?: ProcessIdentity;
}

const memory = ':memory:';

/** Always gives a store: when the disk allows none, one that keeps nothing, and says so. */
export function openAccountStore(options: StoreOptions): {
  store: AccountStore;
  notice?: string;
  /** What is put into it is there after this program has ended. */
  isKept: boolean;
} {
  const {path, clock, log, migrationSteps: steps = migrations} = options;
  const place: AccountFileOptions = {
    path: path === memory ? memory : realPath(path),
    migrationSteps: steps,
    clock,
    log,
  };
  const {file, notice, isKept} = openOrRemember(place, options.onNotice ?? log);
  const store = storeIn(file, place, options);
  return {store, isKept, ...(notice === undefined ? {} : {notice})};
}

function openOrRemember(
  place: AccountFileOptions,
  tell: (notice: string) => void,
): {file: AccountFile; notice?: string | undefined; isKept: boolean} {
  if (place.path === memory) return {file: AccountFile.inMemory(place), isKept: false};
  try {
    return {...AccountFile.open(place, tell), isKept: true};
  } catch (error) {
    place.log(`${place.path} cannot be used: ${errorMessage(error)}`, error);
    const file = AccountFile.inMemory(place);
    return {file, notice: whyNothingIsKept(place.path, error), isKept: false};
  }
}

function whyNothingIsKept(path: string, error: unknown): string {
  const end = 'so nothing will be kept after Parley ends.';
  if (error instanceof NewerFormatError) return `A newer Parley is using ${path}, ${end}`;
  switch (toStoreError(error).reason) {
    case 'full':
      return `The disk is full: ${path} cannot be written, ${end}`;
    case 'busy':
      return `Another Parley is holding ${path}, ${end}`;
    default:
      return `${path} cannot be used (${errorMessage(error)}; is ${dirname(path)} yours to write?), ${end}`;
  }
}

function storeIn(file: AccountFile, place: AccountFileOptions, options: StoreOptions): AccountStore {
  const sessions = new ProcessRegistry(file, place, options.processIdentity ?? thisProcess(), options.random);
  const changes = new ExternalChangeWatcher(file, sessions, place);
  return {
    outbox: createOutboxStore(file, sessions),
    drafts: createDraftStore(file),
    messages: createMessageStore(file, options.maxMessages ?? 50_000),
    savedState: createSavedStateStore(file, place.log),
    pendingChanges: createPendingChangeStore(file, sessions),
    keyValues: createKeyValueStore(file),
    onExternalChange: (listener) => changes.subscribe(listener),
    close() {
      changes.stop();
      sessions.close();
      file.close();
    },
  };
}

import {dirname} from 'node:path';
import type {AccountStore} from '#state/account-store.ts';
import type {Clock} from '#std/clock.ts';
import {AccountFile} from './account-file.ts';
import type {Place} from './account-file-options.ts';
import {realPath} from './database-files.ts';
import {draftsIn} from './draft-store.ts';
import {ForeignChanges} from './external-change-watcher.ts';
import {notesIn} from './key-value-store.ts';
import {messagesIn} from './message-store.ts';
import {migrations} from './migrations.ts';
import {outboxIn} from './outbox-store.ts';
import {deedsIn} from './pending-change-store.ts';
import {type Program, thisProgram} from './process-liveness.ts';
import {Sessions} from './process-registry.ts';
import {snapshotIn} from './saved-state-store.ts';
import {asStoreError, type Log, NewerFormat, reasonOf} from './store-failures.ts';

export interface StoreOptions {
  /** `:memory:` keeps nothing. */
  readonly path: string;
  readonly clock: Clock;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
  /** How many messages to keep; the oldest are forgotten. */
  readonly keepMessages?: number;
  readonly log: Log;
  /** Told what the user should know when the file has to be replaced later on; into the log without it. */
  readonly onNotice?: (notice: string) => void;
  /** For tests: the migrations, and which program this is. */
  readonly steps?: readonly string[];
  readonly program?: Program;
}

const memory = ':memory:';

/** Always gives a store: when the disk allows none, one that keeps nothing, and says so. */
export function openAccountStore(options: StoreOptions): {
  store: AccountStore;
  notice?: string;
  /** What is put into it is there after this program has ended. */
  isKept: boolean;
} {
  const {path, clock, log, steps = migrations} = options;
  const place: Place = {path: path === memory ? memory : realPath(path), steps, clock, log};
  const {file, notice, isKept} = openOrRemember(place, options.onNotice ?? log);
  const store = storeIn(file, place, options);
  return {store, isKept, ...(notice === undefined ? {} : {notice})};
}

function openOrRemember(
  place: Place,
  tell: (notice: string) => void,
): {file: AccountFile; notice?: string | undefined; isKept: boolean} {
  if (place.path === memory) return {file: AccountFile.inMemory(place), isKept: false};
  try {
    return {...AccountFile.open(place, tell), isKept: true};
  } catch (error) {
    place.log(`${place.path} cannot be used: ${reasonOf(error)}`, error);
    const file = AccountFile.inMemory(place);
    return {file, notice: whyNothingIsKept(place.path, error), isKept: false};
  }
}

function whyNothingIsKept(path: string, error: unknown): string {
  const end = 'so nothing will be kept after Parley ends.';
  if (error instanceof NewerFormat) return `A newer Parley is using ${path}, ${end}`;
  switch (asStoreError(error).trouble) {
    case 'full':
      return `The disk is full: ${path} cannot be written, ${end}`;
    case 'busy':
      return `Another Parley is holding ${path}, ${end}`;
    default:
      return `${path} cannot be used (${reasonOf(error)}; is ${dirname(path)} yours to write?), ${end}`;
  }
}

function storeIn(file: AccountFile, place: Place, options: StoreOptions): AccountStore {
  const sessions = new Sessions(file, place, options.program ?? thisProgram(), options.random);
  const changes = new ForeignChanges(file, sessions, place);
  return {
    outbox: outboxIn(file, sessions),
    drafts: draftsIn(file),
    messages: messagesIn(file, options.keepMessages ?? 50_000),
    snapshot: snapshotIn(file, place.log),
    deeds: deedsIn(file, sessions),
    notes: notesIn(file),
    onForeignChange: (listener) => changes.listen(listener),
    close() {
      changes.stop();
      sessions.close();
      file.close();
    },
  };
}

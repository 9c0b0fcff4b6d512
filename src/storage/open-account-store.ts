import {dirname} from 'node:path';
import {promisify} from 'node:util';
import {constants, crc32, zstdCompress, zstdCompressSync, zstdDecompressSync} from 'node:zlib';
import type {
  AccountStore,
  KeyValueStore,
  PendingChangeStore,
  SavedStatePart,
  SavedStateStore,
  StoredPendingChange,
} from '#state/account-store.ts';
import type {Clock} from '#std/clock.ts';
import {errorText} from '#std/error-text.ts';
import {NoSpaceToConvert} from '#std/keep-database-copy.ts';
import {AccountFile} from './account-file.ts';
import {type Database, realPath, type StoredRow} from './database.ts';
import {ExternalChangeWatcher} from './external-change-watcher.ts';
import {createMessageStore} from './message-store.ts';
import {migrations} from './migrations.ts';
import {createDraftStore, createOutboxStore} from './outbox-store.ts';
import {type ProcessIdentity, ProcessRegistry, thisProcess} from './process-registry.ts';
import {type AccountFileOptions, type LogFunction, NewerFormatError, toStoreError} from './store-failures.ts';
import {isString, pendingChangeFromRow} from './stored-rows.ts';

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
  if (error instanceof NoSpaceToConvert) return `${error.message} Until then, nothing is saved when Parley quits.`;
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

/** Below this size compression is not worthwhile. */
const minCompressedSize = 16 * 1024;

/** Below this size compression takes a millisecond, and wakes up no other thread. */
const minThreadSize = 256 * 1024;

/** The fastest level compresses well: 20 MB of users take about 50 ms each way and a tenth of the space. */
const fastLevel = () => ({params: {[constants.ZSTD_c_compressionLevel]: 1}});

/** The store of the saved state, in the table `snapshot`. */
function createSavedStateStore(file: AccountFile, log: LogFunction): SavedStateStore {
  const packNow = (json: Uint8Array) =>
    json.length < minCompressedSize ? part('plain', json) : part('zstd', zstdCompressSync(json, fastLevel()));
  return {
    async pack(json) {
      if (json.length < minThreadSize) return packNow(json);
      return part('zstd', await promisify(zstdCompress)(json, fastLevel()));
    },
    packNow,
    save(parts, savedAt) {
      file.tryWrite('Saving the state', (db) => {
        db.run('DELETE FROM snapshot');
        for (const [name, {codec, checksum, body}] of parts) {
          db.run(
            'INSERT INTO snapshot (name, codec, checksum, saved_at, body) VALUES (?, ?, ?, ?, ?)',
            name,
            codec,
            checksum,
            savedAt,
            body,
          );
        }
      });
    },
    load() {
      const rows = file.tryRead('Loading the state', [], (db) => db.all('SELECT * FROM snapshot'));
      const savedAt = rows[0]?.saved_at;
      if (typeof savedAt !== 'number') return undefined;
      const parts = new Map<string, string>();
      for (const row of rows) {
        const text = unpack(row);
        if (!isString(row.name) || text === undefined) {
          log(`The part ${String(row.name)} of the saved state is damaged; the saved state is not used`);
          return undefined;
        }
        parts.set(row.name, text);
      }
      return {parts: Object.fromEntries(parts), savedAt};
    },
  };
}

function part(codec: SavedStatePart['codec'], body: Uint8Array): SavedStatePart {
  return {codec, checksum: crc32(body), body};
}

function unpack(row: StoredRow): string | undefined {
  const {codec, checksum, body} = row;
  if (!(body instanceof Uint8Array) || crc32(body) !== checksum) return undefined;
  try {
    if (codec === 'plain') return Buffer.from(body).toString();
    return codec === 'zstd' ? zstdDecompressSync(body).toString() : undefined;
  } catch {
    return undefined;
  }
}

/** The store of pending changes, in the table `deed`. */
function createPendingChangeStore(file: AccountFile, processes: ProcessRegistry): PendingChangeStore {
  return {
    add: (body, createdAt) => file.write((db) => insert(db, body, createdAt), 'soon'),
    addAll: (bodies, createdAt, keyValues) =>
      file.write((db) => {
        if (keyValues !== undefined) putAllValues(db, keyValues);
        return bodies.map((body) => insert(db, body, createdAt));
      }, 'soon'),
    all: () =>
      file.read((db) => db.all('SELECT * FROM deed ORDER BY id').flatMap((row) => pendingChangeFromRow(row) ?? [])),
    // A change that reappears after a power cut is repeated, which is harmless.
    claim: (id) => file.write((db) => claim(db, processes, id), 'normal'),
    release: (id) =>
      file.write(
        (db) => void db.run('UPDATE deed SET owner = NULL WHERE id = ? AND owner = ?', id, processes.id),
        'normal',
      ),
    replace: ({id, body: before}, body, keyValues) =>
      file.write((db) => {
        const hasReplaced = db.run('UPDATE deed SET body = ? WHERE id = ? AND body = ?', body, id, before) > 0;
        if (hasReplaced && keyValues !== undefined) putAllValues(db, keyValues);
        return hasReplaced;
      }, 'soon'),
    remove: (id) => file.write((db) => void db.run('DELETE FROM deed WHERE id = ?', id), 'normal'),
    removeUnclaimed: (id) =>
      file.write((db) => db.run('DELETE FROM deed WHERE id = ? AND owner IS NULL', id) > 0, 'soon'),
  };
}

function insert(db: Database, body: string, createdAt: number): StoredPendingChange {
  const id = db.insert('INSERT INTO deed (body, created_at) VALUES (?, ?)', body, createdAt);
  return {id, body, createdAt};
}

function claim(db: Database, processes: ProcessRegistry, id: number): boolean {
  const change = db.first('SELECT owner FROM deed WHERE id = ?', id);
  if (change === undefined) return false;
  const {owner} = change;
  if (typeof owner === 'string' && !processes.isDead(db, owner)) return false;
  processes.register(db);
  db.run('UPDATE deed SET owner = ? WHERE id = ?', processes.id, id);
  return true;
}

/** The store of small values by name, in the table `note`. */
function createKeyValueStore(file: AccountFile): KeyValueStore {
  return {
    get: (name) =>
      file.read((db) => {
        const body = db.first('SELECT body FROM note WHERE name = ?', name)?.body;
        return typeof body === 'string' ? body : undefined;
      }),
    keysWithPrefix: (prefix) =>
      file.read((db) =>
        db
          .all('SELECT name FROM note WHERE substr(name, 1, ?) = ? ORDER BY name', prefix.length, prefix)
          .flatMap(({name}) => (typeof name === 'string' ? [name] : [])),
      ),
    set: (name, json) => file.write((db) => put(db, name, json), 'soon'),
    setAll: (values) => file.write((db) => putAllValues(db, values), 'normal'),
    replace: (name, before, json) =>
      file.write((db) => {
        const isSame = db.first('SELECT body FROM note WHERE name = ?', name)?.body === before;
        if (isSame) put(db, name, json);
        return isSame;
      }, 'normal'),
    remove: (name) => file.write((db) => remove(db, name), 'soon'),
  };
}

function putAllValues(db: Database, values: ReadonlyMap<string, string | undefined>): void {
  for (const [name, json] of values) {
    if (json === undefined) remove(db, name);
    else put(db, name, json);
  }
}

function put(db: Database, name: string, json: string): void {
  db.run(
    `INSERT INTO note (name, body) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET body = excluded.body WHERE body <> excluded.body`,
    name,
    json,
  );
}

function remove(db: Database, name: string): void {
  db.run('DELETE FROM note WHERE name = ?', name);
}

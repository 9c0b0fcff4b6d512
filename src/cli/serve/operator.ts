import {accessSync, constants, rmSync} from 'node:fs';
import {resolve} from 'node:path';
import {acquireServerLease, linesOf, type ServerLease} from '#cli/embedded/client-socket.ts';
import {type CliIo, PlainFailure, writeControls} from '#cli/io.ts';
import {withOpenableDatabase} from '#server/backup/openable-database.ts';
import {Database} from '#server/db/database.ts';
import {type BackupFact, storeBackupFact} from '#server/operator/backup-fact.ts';
import {
  type CommandName,
  type CommandParams,
  type CommandResult,
  runOperatorCommand,
} from '#server/operator/operator-commands.ts';
import {startServer} from '#server/server.ts';
import {databaseFile, openDataDirectory, savedUrl} from './data-directory.ts';
import {dataFailure, sentence} from './data-failure.ts';
import {type OperatorReply, operatorKey} from './operator-socket.ts';

/** Changes or reads an organization on this machine, wherever its database is open. */
export interface Operator {
  run<N extends CommandName>(
    name: N,
    params: CommandParams<N>,
    onProgress?: (fraction: number) => void,
  ): Promise<CommandResult<N>>;
}

/**
 * Calls the body with the operator of a data directory: commands run in the server that serves it, so that its clients
 * see what changes; if none does, in this process.
 */
export async function withOperator<T>(
  directory: string,
  io: Pick<CliIo, 'clock'>,
  body: (operator: Operator) => Promise<T>,
): Promise<T> {
  const lease = await acquireServerLease(directory, io.clock);
  return lease === undefined ? withLocalOperator(directory, body) : withServer(directory, lease, body);
}

/** The database of a data directory at one moment. */
export interface DatabaseSnapshot {
  readonly path: string;
  /** Whether it is a copy, which exists only while the body runs. */
  readonly isCopy: boolean;
  /** The moment, in milliseconds. */
  readonly takenAt: number;
}

/**
 * Calls the body with the state of a database that a server may be changing: with a copy that the server makes, or with
 * the database itself if none runs, or a copy of it where it may only be read. No file that the state refers to is deleted meanwhile. The copy is made in the folder
 * `into`, or else in the data directory.
 */
export async function withSnapshot<T>(
  directory: string,
  {clock}: Pick<CliIo, 'clock'>,
  onProgress: (fraction: number) => void,
  body: (snapshot: DatabaseSnapshot) => Promise<T>,
  into?: string,
): Promise<T> {
  const lease = await acquireServerLease(directory, clock);
  if (lease === undefined) {
    return withOpenableDatabase(databaseFile(directory), into, (path, isCopy) =>
      body({path, isCopy, takenAt: clock.now()}),
    );
  }
  return withServer(directory, lease, async (operator) => {
    const {folder, takenAt} = await operator.run('copyDatabase', into === undefined ? {} : {into}, onProgress);
    const path = resolve(directory, folder);
    try {
      return await body({path: databaseFile(path), isCopy: true, takenAt});
    } finally {
      // Before the server does it, which may be after the folder around it has its final name.
      rmSync(path, {recursive: true, force: true});
    }
  });
}

/** Keeps in the organization that a backup was made. The schema of a database that nobody serves stays as it is. */
export async function noteBackup(directory: string, {clock}: Pick<CliIo, 'clock'>, fact: BackupFact): Promise<void> {
  const lease = await acquireServerLease(directory, clock);
  if (lease !== undefined) {
    await withServer(directory, lease, (operator) => operator.run('noteBackup', fact));
    return;
  }
  // Who may only read the data backs it up too.
  if (!isWritable(databaseFile(directory))) return;
  const db = new Database(databaseFile(directory), {asFound: true});
  try {
    storeBackupFact(db, fact);
  } finally {
    db.close();
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function withServer<T>(
  directory: string,
  lease: ServerLease,
  body: (operator: Operator) => Promise<T>,
): Promise<T> {
  const {greeting, socket, ended} = lease;
  try {
    if (JSON.parse(greeting).operator === undefined) {
      throw new PlainFailure('The server runs an older version of Parley. Restart it first.');
    }
    socket.ref();
    const lines = linesOf(socket);
    return await body({
      async run(command, params, onProgress) {
        const {promise, resolve, reject} = Promise.withResolvers<never>();
        void ended.then(() => reject(new PlainFailure('The server stopped.')));
        const onLine = (line: string) => {
          const reply: OperatorReply = JSON.parse(line);
          if (reply.progress !== undefined) onProgress?.(reply.progress);
          else if (reply.error !== undefined) reject(new PlainFailure(sentence(reply.error)));
          // The server runs the same table of commands, from which the type is derived.
          else resolve(reply.result as never);
        };
        lines.on('line', onLine);
        socket.write(`${JSON.stringify({command, params, key: operatorKey(directory)})}\n`);
        return promise.finally(() => lines.off('line', onLine));
      },
    });
  } finally {
    lease.release();
    await ended;
  }
}

async function withLocalOperator<T>(directory: string, body: (operator: Operator) => Promise<T>): Promise<T> {
  const tasks: (() => void)[] = [];
  try {
    const {database, files, secrets} = openDataDirectory(directory);
    const server = await startServer({database, files, secrets, isOffline: true, publicUrl: savedUrl(directory)});
    try {
      return await body({
        run: async (name, params, progress = () => {}) => {
          const session = {server: server.context, directory, progress, atEnd: (task: () => void) => tasks.push(task)};
          // The table of commands says that this is the result of this one.
          return (await runOperatorCommand(session, name, params)) as never;
        },
      });
    } finally {
      for (const task of tasks.reverse()) task();
      await server.close();
    }
  } catch (error) {
    throw dataFailure(error);
  }
}

const intervalMs = 200;

/** Returns a function that shows a text on one line of standard error; nothing if that is no terminal. `''` erases it. */
export function progressLine({stderr, clock}: Pick<CliIo, 'stderr' | 'clock'>): (text: string) => void {
  if (!('isTTY' in stderr && stderr.isTTY === true)) return () => {};
  let shownAt = Number.NEGATIVE_INFINITY;
  return (text) => {
    const now = clock.monotonic();
    if (text !== '' && now - shownAt < intervalMs) return;
    shownAt = now;
    writeControls(stderr, `\r\x1b[K${text}`);
  };
}

/** Returns a line of a report: a number, and what it counts. */
export function countLine(count: number, what: string): string {
  return `${String(count).padStart(9)}  ${what}`;
}

import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {openClientSocket} from '#cli/embedded/client-socket.ts';
import {openDataDirectory} from '#cli/serve/data-directory.ts';
import {answerOperator, operatorProtocol} from '#cli/serve/operator-socket.ts';
import {serverLog} from '#cli/serve/server-log.ts';
import {runVerb, type TableVerbName} from '#cli/verbs/run-verb.ts';
import {Database} from '#server/db/database.ts';
import {seedWorld} from '#server/seed/seed-world.ts';
import {type ServerOptions, startServer} from '#server/server.ts';
import {systemClock} from '#std/clock.ts';
import {testIo} from '#test/support/cli-io.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

let seeded: Promise<string> | undefined;

/** Returns the data directory of a small organization with files, which no server uses. Each test gets its own copy. */
export async function demoDirectory(): Promise<string> {
  seeded ??= seedDemo();
  return copyOf(await seeded);
}

async function seedDemo(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-test-'));
  process.once('exit', () => rmSync(directory, {recursive: true, force: true}));
  const {database, files, secrets} = openDataDirectory(directory);
  const prepare = (server: Parameters<typeof seedWorld>[0]) =>
    seedWorld(server, {world: 'demo', size: 'small'}, () => {});
  const server = await startServer({database, files, secrets, prepare});
  await server.close();
  return directory;
}

/** Copies a data directory, so that a test may damage it. */
export function copyOf(directory: string): string {
  const copy = join(scratchDirectory(), 'data');
  cpSync(directory, copy, {recursive: true});
  return copy;
}

/** Starts a server on a data directory that no other server uses. */
export function serverOf(directory: string): Promise<TestServer> {
  const {database, files, secrets} = openDataDirectory(directory);
  return testServer({database, files, secrets, rateLimited: false});
}

/** Changes rows of a data directory that no server uses, without the checks of the server. */
export function changeRows(directory: string, sql: string): void {
  const db = new Database(join(directory, 'parley.db'), {asFound: true});
  db.exec(sql);
  db.close();
}

/** Runs a verb of the operator and returns its exit code and output. */
export async function operate(
  verb: TableVerbName,
  argv: readonly string[],
  options: Parameters<typeof testIo>[0] = {},
) {
  const io = testIo(options);
  const code = await runVerb(verb, argv, io);
  return {code, out: io.out(), err: io.err()};
}

/** Overwrites the middle of the database with other bytes. */
export function damagePages(directory: string): void {
  const file = join(directory, 'parley.db');
  const bytes = readFileSync(file);
  bytes.fill(0xa5, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 20_000);
  writeFileSync(file, bytes);
}

/** Starts the server of an organization with an owner on disk, which operators of this machine reach. */
export async function servedDirectory(options: ServerOptions = {}) {
  const directory = join(scratchDirectory(), 'data');
  const {database, files, secrets} = openDataDirectory(directory);
  const server = await testServer({
    ...options,
    database,
    files,
    secrets,
    prepare: (world) => seedWorld(world, {world: 'empty', size: 'small'}, () => {}),
  });
  const socket = await openClientSocket({
    directory,
    greeting: JSON.stringify({operator: operatorProtocol}),
    clock: systemClock,
    answer: answerOperator(
      server.context,
      directory,
      serverLog('text', systemClock, () => {}),
    ),
  });
  onTestFinished(() => socket.close());
  const data = ['--data', directory];
  return {
    directory,
    server,
    close: () => socket.close(),
    user: (...argv: string[]) => operate('serve user', [...argv, ...data]),
  };
}

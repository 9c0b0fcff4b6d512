import {randomBytes} from 'node:crypto';
import {chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {type CliIo, PlainFailure, UsageError} from '#cli/io.ts';
import {createPrivateFile, replacePrivateFile, writePrivateFile} from '#config/private-files.ts';
import {Secrets, secretLength} from '#server/accounts/secrets.ts';
import type {ServerContext} from '#server/context.ts';
import {Database} from '#server/db/database.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {worldOf} from '#server/seed/seed-world.ts';
import {directoryFileStore, memoryFileStore} from '#server/uploads/file-store.ts';
import {makeDirectory} from '#std/access-error.ts';
import {dataFailure} from './data-failure.ts';

/** The files of one organization. */
export type DataDirectory = ReturnType<typeof openDataDirectory>;

/**
 * Opens a data directory, private to its owner: it contains the secret that all API keys derive from, and all messages. A lost secret is
 * replaced only with `newSecret`.
 */
export function openDataDirectory(directory: string, {newSecret = false}: {readonly newSecret?: boolean} = {}) {
  makeDirectory(directory);
  if ((statSync(directory).mode & 0o777) !== 0o700) chmodSync(directory, 0o700);
  const credentials = join(directory, 'zuliprc');
  makeDirectory(credentials);
  return {
    database: join(directory, 'parley.db'),
    files: directoryFileStore(join(directory, 'files')),
    secrets: new Secrets(readOrCreateSecret(directory, newSecret)),
    /** The folder for `zuliprc` files of the organization's users. */
    credentials,
    /** Removes temporary files. */
    dispose: () => {},
  };
}

export function temporaryDataDirectory(): DataDirectory {
  const credentials = mkdtempSync(join(tmpdir(), 'parley-'));
  return {
    database: ':memory:',
    files: memoryFileStore(),
    secrets: Secrets.generate(),
    credentials,
    dispose: () => rmSync(credentials, {recursive: true, force: true}),
  };
}

/** What a server puts into its data directory before its database, also under temporary names: a start that was killed may leave it. */
const ownNames = /^\.?(zuliprc|files|secret|port|url|ssh|operator_key|clients\.sock)\b/;

/**
 * Returns whether an organization is in the directory; false if it can be created there. Throws for a file, and for a directory
 * with anything else in it, which is left as it is.
 */
export function holdsOrganization(directory: string): boolean {
  if (hasDatabase(directory)) return !isUnfinished(databaseFile(directory));
  const found = statSync(directory, {throwIfNoEntry: false});
  if (found === undefined) return false;
  if (!found.isDirectory()) throw new PlainFailure(`${directory} is not a directory. --data names a directory.`);
  if (readdirSync(directory).every((name) => ownNames.test(name))) return false;
  throw new PlainFailure(
    `${directory} is not empty and holds no organization. Choose an empty or a new directory with --data.`,
  );
}

/** Returns whether a first start was killed before it had filled the database. One that cannot be read is not. */
function isUnfinished(database: string): boolean {
  try {
    const db = new Database(database, {asFound: true});
    try {
      return db.schema === 0 || worldOf({db}) === undefined;
    } finally {
      db.close();
    }
  } catch {
    return false;
  }
}

/**
 * Removes what a start that failed has put into a directory that held no organization, unless another server has started there
 * meanwhile; `wasThere`: the directory itself stays.
 */
export function removeNewOrganization(directory: string, wasThere: boolean): void {
  if (isServedOrAbsent(databaseFile(directory))) return;
  const paths = wasThere ? readdirSync(directory).map((name) => join(directory, name)) : [directory];
  for (const path of paths) rmSync(path, {recursive: true, force: true});
}

function isServedOrAbsent(database: string): boolean {
  if (!existsSync(database)) return true;
  try {
    new Database(database, {asFound: true}).close();
    return false;
  } catch {
    return true;
  }
}

function readOrCreateSecret(directory: string, newSecret: boolean): Buffer {
  const path = join(directory, 'secret');
  // Looked at first: a server that starts at the same time creates its secret before its database.
  const isNew = !existsSync(databaseFile(directory));
  if (!isNew && newSecret && secretProblem(directory) !== undefined) rmSync(path, {force: true});
  // Created atomically: two servers may start at once, and neither must read half a secret.
  if ((isNew || newSecret) && !existsSync(path)) createPrivateFile(path, randomBytes(secretLength));
  requireSecret(directory);
  return readFileSync(path);
}

/** What no longer works with a new secret. */
export const lostWithSecret = 'every API key, the address of every webhook, and links for setting a password';

/** Throws unless the secret of the organization is there: with another one no key works. */
export function requireSecret(directory: string): void {
  const problem = secretProblem(directory);
  if (problem === undefined) return;
  throw new PlainFailure(
    `${problem} Put it back from a backup. If it is lost, start the server once with --new-secret, which makes a new one: ${lostWithSecret} stop working.`,
  );
}

/** Returns the sentence about a secret that is lost; undefined if it is there. */
export function secretProblem(directory: string): string | undefined {
  const path = join(directory, 'secret');
  const found = statSync(path, {throwIfNoEntry: false});
  if (found === undefined) return `The secret of the organization is missing: there is no ${path}.`;
  // A pipe, as from a secret store, has no size.
  return found.isFile() && found.size < secretLength
    ? `The secret of the organization is damaged: ${path} is too short.`
    : undefined;
}

/** Returns the data directory that `--data` names. Throws if there is no organization in it, or if it cannot be read. */
export function existingDataDirectory(data: string | undefined, {cwd}: Pick<CliIo, 'cwd'>): string {
  if (data === undefined) throw new UsageError('Name the data directory with --data DIR.');
  const directory = resolve(cwd, data);
  if (!hasDatabase(directory)) throw new PlainFailure(`There is no organization in ${directory}.`);
  return directory;
}

function hasDatabase(directory: string): boolean {
  try {
    return statSync(databaseFile(directory), {throwIfNoEntry: false}) !== undefined;
  } catch (error) {
    throw dataFailure(error);
  }
}

export function databaseFile(directory: string): string {
  return join(directory, 'parley.db');
}

const fileOf = (directory: string) => join(directory, 'port');

/** Returns the port that the directory's server used before, so that its address stays the same; 0 when it is taken. */
export async function reusablePort(directory: string, host: string): Promise<number> {
  const port = savedPort(directory);
  return port !== 0 && (await isFree(port, host)) ? port : 0;
}

export function persistPort(directory: string, port: number): void {
  if (port !== savedPort(directory)) writePrivateFile(fileOf(directory), `${port}\n`);
}

/** Saves the address, for verbs that write credentials while no server runs. */
export function persistUrl(directory: string, url: string): void {
  if (savedUrl(directory) !== url) writePrivateFile(join(directory, 'url'), `${url}\n`);
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Returns the address at which the directory's server was last reached. */
export function savedUrl(directory: string): string {
  return textOf(join(directory, 'url'))?.trim() ?? 'http://127.0.0.1';
}

/** Returns the port that the directory's server used before; 0 when there was none. */
export function savedPort(directory: string): number {
  try {
    const port = Number(readFileSync(fileOf(directory), 'utf8'));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0;
  } catch {
    return 0;
  }
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}

/** One account in the ready file. */
export type ServedAccount = ReturnType<typeof writeAccount>;

export function fileName(account: string): string {
  return account.replaceAll(/[^\w.-]/g, '_');
}

export function writeZuliprc(path: string, {email, key, site}: {email: string; key: string; site: string}): void {
  const text = `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`;
  // On a full disk it could not be written again.
  if (textOf(path) !== text) replacePrivateFile(path, text);
}

/** Writes a `zuliprc` for each account that the organization offers for logging in; the first is the user's own. */
export function writeAccounts(context: ServerContext, directory: string): ServedAccount[] {
  const stored = context.db.value<string>(`SELECT value FROM meta WHERE key = 'accounts'`) ?? '[]';
  const ids: unknown = JSON.parse(stored);
  const users = (Array.isArray(ids) ? ids : []).flatMap((id) => findUser(context.db, Number(id)) ?? []);
  return users.map((user) => writeAccount(context, directory, user));
}

function writeAccount(context: ServerContext, directory: string, user: UserRow) {
  const apiKey = context.secrets.apiKey(user);
  const path = join(directory, `${fileName(user.delivery_email.split('@')[0] ?? String(user.id))}.zuliprc`);
  writeZuliprc(path, {email: user.delivery_email, key: apiKey, site: context.url});
  return {
    email: user.delivery_email,
    api_key: apiKey,
    user_id: user.id,
    full_name: user.full_name,
    role: user.role,
    /** The path of the account's file, which any client of the Zulip API can use. */
    zuliprc: path,
  };
}

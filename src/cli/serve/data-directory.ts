import {randomBytes} from 'node:crypto';
import {chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {type CliIo, PlainFailure, UsageError} from '#cli/io.ts';
import {createPrivateFile, replacePrivateFile, writePrivateFile} from '#config/private-files.ts';
import {Secrets} from '#server/accounts/secrets.ts';
import type {ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {directoryFileStore, memoryFileStore} from '#server/uploads/file-store.ts';

/** The files of one organization. */
export type DataDirectory = ReturnType<typeof openDataDirectory>;

/**
 * Opens a data directory, private to its owner: it contains the secret that all API keys derive from, and all messages.
 */
export function openDataDirectory(directory: string) {
  mkdirSync(directory, {recursive: true, mode: 0o700});
  chmodSync(directory, 0o700);
  const credentials = join(directory, 'zuliprc');
  mkdirSync(credentials, {recursive: true, mode: 0o700});
  return {
    database: join(directory, 'parley.db'),
    files: directoryFileStore(join(directory, 'files')),
    secrets: new Secrets(readOrCreateSecret(join(directory, 'secret'))),
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
const ownNames = /^\.?(zuliprc|files|secret|port|url|clients\.sock)\b/;

/**
 * Returns whether an organization is in the directory; false if it can be created there. Throws for a file, and for a directory
 * with anything else in it, which is left as it is.
 */
export function holdsOrganization(directory: string): boolean {
  if (existsSync(databaseFile(directory))) return true;
  const found = statSync(directory, {throwIfNoEntry: false});
  if (found === undefined) return false;
  if (!found.isDirectory()) throw new PlainFailure(`${directory} is not a directory. --data names a directory.`);
  if (readdirSync(directory).every((name) => ownNames.test(name))) return false;
  throw new PlainFailure(
    `${directory} is not empty and holds no organization. Choose an empty or a new directory with --data.`,
  );
}

/** Removes what a start that failed has put into a directory that held no organization; `wasThere`: the directory itself stays. */
export function removeNewOrganization(directory: string, wasThere: boolean): void {
  const paths = wasThere ? readdirSync(directory).map((name) => join(directory, name)) : [directory];
  for (const path of paths) rmSync(path, {recursive: true, force: true});
}

function readOrCreateSecret(path: string): Buffer {
  // Created atomically: two servers may start at once, and neither must read half a secret.
  if (!existsSync(path)) createPrivateFile(path, randomBytes(32));
  return readFileSync(path);
}

/** Returns the data directory that `--data` names. Throws if there is no organization in it. */
export function existingDataDirectory(data: string | undefined, {cwd}: Pick<CliIo, 'cwd'>): string {
  if (data === undefined) throw new UsageError('Name the data directory with --data DIR.');
  const directory = resolve(cwd, data);
  if (!existsSync(databaseFile(directory))) throw new PlainFailure(`There is no organization in ${directory}.`);
  return directory;
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

/** Returns a name for the file of an account. */
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

import {randomBytes} from 'node:crypto';
import {chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createPrivateFile} from '#config/private-files.ts';
import {Secrets} from '#server/accounts/secrets.ts';
import {directoryFileStore, type FileStore, memoryFileStore} from '#server/uploads/file-store.ts';

/** The files of one organization. */
export interface DataDirectory {
  readonly database: string;
  readonly files: FileStore;
  readonly secrets: Secrets;
  /** The folder for `zuliprc` files of the organization's users. */
  readonly credentials: string;
  /** Removes temporary files. */
  dispose(): void;
}

/**
 * Opens a data directory, private to its owner: it contains the secret that all API keys derive from, and all messages.
 */
export function openDataDirectory(directory: string): DataDirectory {
  mkdirSync(directory, {recursive: true, mode: 0o700});
  chmodSync(directory, 0o700);
  const credentials = join(directory, 'zuliprc');
  mkdirSync(credentials, {recursive: true, mode: 0o700});
  return {
    database: join(directory, 'parley.db'),
    files: directoryFileStore(join(directory, 'files')),
    secrets: new Secrets(readOrCreateSecret(join(directory, 'secret'))),
    credentials,
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

function readOrCreateSecret(path: string): Buffer {
  // Created atomically: two servers may start at once, and neither must read half a secret.
  if (!existsSync(path)) createPrivateFile(path, randomBytes(32));
  return readFileSync(path);
}

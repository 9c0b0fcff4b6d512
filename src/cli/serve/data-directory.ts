import {randomBytes} from 'node:crypto';
import {chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createPrivateFile} from '#config/private-files.ts';
import {Secrets} from '#server/accounts/secrets.ts';
import {directoryFileStore, type FileStore, memoryFileStore} from '#server/uploads/file-store.ts';

/** Where one organization lives. */
export interface DataDirectory {
  readonly database: string;
  readonly files: FileStore;
  readonly secrets: Secrets;
  /** Ready-made `zuliprc` files go here. */
  readonly credentials: string;
  /** Removes what must not stay behind. */
  dispose(): void;
}

/** Private to its owner: it holds the secret that all keys derive from, and everybody's messages. */
export function openDataDirectory(directory: string): DataDirectory {
  mkdirSync(directory, {recursive: true, mode: 0o700});
  chmodSync(directory, 0o700);
  const credentials = join(directory, 'zuliprc');
  mkdirSync(credentials, {recursive: true, mode: 0o700});
  return {
    database: join(directory, 'parley.db'),
    files: directoryFileStore(join(directory, 'files')),
    secrets: new Secrets(secretOf(join(directory, 'secret'))),
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

function secretOf(path: string): Buffer {
  // Two servers may be started at once; the one that gets the database must not have read half a secret.
  if (!existsSync(path)) createPrivateFile(path, randomBytes(32));
  return readFileSync(path);
}

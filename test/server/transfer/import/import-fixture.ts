import {join} from 'node:path';
import type {UserRow} from '#server/db/rows.ts';
import type {ServerOptions} from '#server/server.ts';
import {type ImportOptions, importExport} from '#server/transfer/import/import-export.ts';
import {directoryFileStore} from '#server/uploads/file-store.ts';
import type {Person} from '#test/support/people.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';

/** An export of a Zulip server of the release after 11, with the kinds of rows that an organization can have. */
export const orchardArchive = 'test/fixtures/zulip-export/orchard.tar.gz';

/** Imports an export into a new directory. */
export async function importInto(directory: string, path: string, options: Partial<ImportOptions> = {}) {
  const files = directoryFileStore(join(directory, 'files'));
  const database = join(directory, 'parley.db');
  const report = await importExport({
    path,
    database,
    files,
    workDirectory: join(directory, 'work'),
    maxBytes: 1e9,
    now: 1_795_000_000,
    onProgress: () => {},
    ...options,
  });
  return {report, database, files};
}

/** Imports an export and starts a server with it. `person` finds somebody by name. */
export async function importedServer(path: string, options: ServerOptions = {}) {
  const {report, database, files} = await importInto(scratchDirectory(), path);
  const server = await testServer({database, files, rateLimited: false, ...options});
  const {db, secrets} = server.context;
  const person = (name: string): Person => {
    const row = db.get<UserRow & Record<string, unknown>>('SELECT * FROM user WHERE full_name = ?', name);
    if (row === undefined) throw new Error(`Nobody is called ${name}`);
    return {id: row.id, email: row.delivery_email, fullName: row.full_name, apiKey: secrets.apiKey(row)};
  };
  return {server, report, person};
}

import {closeSync, copyFileSync, existsSync, mkdirSync, openSync, writeSync} from 'node:fs';
import {dirname, join, relative, resolve} from 'node:path';
import {type CliIo, PlainFailure, printNotice} from '#cli/io.ts';
import type {VerbResult} from '#cli/verbs/verb-table.ts';
import {copyPersonFile, personFolder, personFolderFiles} from '#server/backup/person-folders.ts';
import {fillDirectory} from '#server/backup/unfinished-directory.ts';
import type {Database} from '#server/db/database.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUserByEmail} from '#server/db/users.ts';
import {personFiles, personTables} from '#server/operator/person-export.ts';
import {startServer} from '#server/server.ts';
import {directoryFileStore} from '#server/uploads/file-store.ts';
import {savedUrl} from './data-directory.ts';
import {failureAfter} from './data-failure.ts';
import {withProgress} from './data-progress.ts';
import {withSnapshot} from './operator.ts';

/** Writes everything about a person into a new folder: a JSON file for each table, and their files. */
export async function exportPerson(directory: string, io: CliIo, email: string, out: string): Promise<VerbResult> {
  const output = resolve(io.cwd, out);
  if (existsSync(output)) throw new PlainFailure(`${output} exists already. Name a new folder.`);
  const report = await withProgress(io, failureAfter('Nothing was written.'), ({onCopy}) =>
    withSnapshot(directory, io, onCopy, async ({path}) => {
      const files = directoryFileStore(join(directory, 'files'));
      const server = await startServer({database: path, files, isOffline: true, publicUrl: savedUrl(directory)});
      const {db} = server.context;
      try {
        const user = findUserByEmail(db, email);
        if (user === undefined || user.is_system_bot === 1) throw new PlainFailure(`There is no user ${email}.`);
        const fill = async (unfinished: string) => ({
          ...writePerson(db, user, directory, unfinished),
          ssh_files: await copyPersonFolder(directory, user.id, join(unfinished, 'ssh')),
        });
        return await fillDirectory(output, '', fill, (text) => printNotice(io, text));
      } finally {
        await server.close();
      }
    }),
  );
  return {
    json: {output, email, ...report},
    text: `Exported ${email} to ${output}: ${report.messages} messages, ${report.files} files. Lines of the server’s log are not in it: “parley serve log” and the journal have them.`,
  };
}

/** Copies what a person has over SSH. Returns the number of files. */
async function copyPersonFolder(directory: string, id: number, output: string): Promise<number> {
  const folder = personFolder(directory, id);
  let count = 0;
  for await (const path of personFolderFiles(directory, id)) {
    const from = join(directory, path);
    await copyPersonFile(from, join(output, relative(folder, from)));
    count += 1;
  }
  return count;
}

function writePerson(db: Database, user: UserRow, directory: string, output: string) {
  const counts: Record<string, number> = {};
  for (const {name, rows} of personTables(db, user)) {
    const file = openSync(join(output, `${name}.json`), 'wx', 0o600);
    try {
      let count = 0;
      for (const row of rows) writeSync(file, `${count++ === 0 ? '[\n' : ',\n'}${JSON.stringify(row)}`);
      writeSync(file, count === 0 ? '[]\n' : '\n]\n');
      counts[name] = count;
    } finally {
      closeSync(file);
    }
  }
  const missing: string[] = [];
  const paths = personFiles(db, user);
  for (const path of paths) {
    const from = join(directory, 'files', path);
    const to = join(output, 'files', path);
    mkdirSync(dirname(to), {recursive: true, mode: 0o700});
    if (existsSync(from)) copyFileSync(from, to);
    else missing.push(path);
  }
  return {
    user_id: user.id,
    messages: counts.messages ?? 0,
    files: paths.length - missing.length,
    missing,
    tables: counts,
  };
}

import {join} from 'node:path';
import {exitCodes} from '#cli/exit-codes.ts';
import {PlainFailure} from '#cli/failures.ts';
import {print, printJson} from '#cli/io.ts';
import type {VerbRunner} from '#cli/verbs/verb-runner.ts';
import {checkData} from '#server/check/check-data.ts';
import {Database, DatabaseInUse, isDatabaseError} from '#server/db/database.ts';
import {existingDataDirectory} from './data-argument.ts';
import {type DatabaseSnapshot, withSnapshot} from './operator.ts';
import {progressLine} from './progress-line.ts';

/** A running server stores a file before its row: files of the last minute may still get one. */
const uploadMs = 60_000;

/** Checks a data directory: the database by itself, its rows, the search index, and the files. */
export const check: VerbRunner<'serve check'> = async ({values}, io) => {
  const directory = existingDataDirectory(values.data, io);
  const problems: string[] = [];
  const show = progressLine(io);
  const showCopy = (fraction: number) => show(`Database: ${Math.floor(fraction * 100)} %`);
  await withSnapshot(directory, io, showCopy, async (snapshot) => {
    show('');
    for await (const problem of problemsOf(directory, snapshot)) {
      problems.push(problem);
      if (!values.json) print(io, problem);
    }
  });
  if (values.json) printJson(io, {whole: problems.length === 0, problems});
  else if (problems.length === 0) print(io, `The data in ${directory} is whole.`);
  return problems.length === 0 ? exitCodes.ok : exitCodes.failed;
};

async function* problemsOf(directory: string, {path, takenAt, isCopy}: DatabaseSnapshot): AsyncGenerator<string> {
  let db: Database;
  try {
    db = new Database(path, {asFound: true});
  } catch (error) {
    if (error instanceof DatabaseInUse) throw new PlainFailure(error.message);
    if (!isDatabaseError(error)) throw error;
    yield `The database is damaged: ${error.message}.`;
    return;
  }
  try {
    yield* checkData({db, files: join(directory, 'files'), takenAt: takenAt - (isCopy ? uploadMs : 0)});
  } finally {
    db.close();
  }
}

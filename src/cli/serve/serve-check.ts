import {exitCodes, print} from '#cli/io.ts';
import type {VerbRunner} from '#cli/verbs/verb-table.ts';
import {personProblems} from '#server/backup/person-folders.ts';
import {checkData, type FreeSpace, freeSpace} from '#server/check/check-data.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {existingDataDirectory} from './data-directory.ts';
import {failureAfter} from './data-failure.ts';
import {withProgress} from './data-progress.ts';
import {withSnapshot} from './operator.ts';

/** A running server stores a file before its row: files of the last minute may still get one. */
const uploadMs = 60_000;

/** Checks a data directory: the database by itself, its rows, the search index, the secret and the files. */
export const serveCheck: VerbRunner<'serve check'> = async ({values}, io) => {
  const directory = existingDataDirectory(values.data, io);
  const problems: string[] = [];
  const space = await withProgress(io, failureAfter('The data was not checked.'), ({show, onCopy}) =>
    withSnapshot(directory, io, onCopy, async ({path, takenAt, isCopy}) => {
      show('');
      const data = {database: path, directory, takenAt: takenAt - (isCopy ? uploadMs : 0)};
      for (const check of [checkData(data), personProblems(directory)]) {
        for await (const problem of check) {
          problems.push(problem);
          if (!values.json) print(io, problem);
        }
      }
      return freeSpace(path);
    }),
  );
  const whole = problems.length === 0;
  return {
    json: {
      whole,
      problems,
      ...(space && {bytes: space.bytes, free_bytes: space.freeBytes, free_pages: space.freePages}),
    },
    text:
      [whole ? [`The data in ${directory} is whole.`] : [], space === undefined ? [] : [spaceText(space)]]
        .flat()
        .join('\n') || undefined,
    exitCode: whole ? exitCodes.ok : exitCodes.failed,
  };
};

function spaceText({bytes, freeBytes, freePages}: FreeSpace): string {
  return `The database has ${(bytes / 1e6).toFixed(1)} MB, of which ${(freeBytes / 1e6).toFixed(1)} MB (${countedNoun(freePages, 'page')}) are free.`;
}

import {isApiFailure} from '#api/failure.ts';
import {PlainFailure} from './failures.ts';
import {type CliIo, printNotice} from './io.ts';

/**
 * Makes a change that must not be made twice. A lost response is not exit code 4, after which scripts try again: the
 * failure says that the change may have been made, and how to check.
 */
export async function changeOnce<T>(request: () => Promise<T>, howToCheck: string): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!isApiFailure(error) || error.carriedOut === 'no') throw error;
    throw new PlainFailure(`The response was lost, so this may or may not have been done. ${howToCheck}`);
  }
}

/** Makes a change that may be made twice. It is repeated once after a lost response. */
export async function changeRepeatably<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!isApiFailure(error) || error.kind !== 'retry' || error.carriedOut === 'no') throw error;
    return request();
  }
}

/** Makes the same change for each item, in order. After a failure, it prints what `partlyText` says about those done. */
export async function changeEach<T>(
  io: CliIo,
  items: readonly T[],
  change: (item: T) => Promise<unknown>,
  partlyText: (done: readonly T[]) => string,
): Promise<void> {
  let done = 0;
  try {
    for (const item of items) {
      await change(item);
      done += 1;
    }
  } catch (error) {
    if (done > 0) printNotice(io, partlyText(items.slice(0, done)));
    throw error;
  }
}

/** Returns the text about records of which only some were changed. */
export function partly<T>(all: readonly T[], was: string): (done: readonly T[]) => string {
  return (done) => `${done.length} of ${all.length} were ${was} before this failure:`;
}

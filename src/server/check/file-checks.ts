import {stat} from 'node:fs/promises';
import {join} from 'node:path';
import type {Database} from '#server/db/database.ts';
import {listFiles} from '#server/uploads/list-files.ts';
import {collectFileReferences, fileReferences, isFileReferenced} from '#server/uploads/stored-files.ts';

const maxNamed = 3;

/**
 * Yields a sentence for each kind of difference between the rows and the files. Files that changed after `takenAt` are
 * newer than the rows and are not counted.
 */
export async function* fileProblems(db: Database, directory: string, takenAt: number): AsyncGenerator<string> {
  const missing = new Findings();
  const wrongSize = new Findings();
  const unused = new Findings();
  collectFileReferences(db);
  for (const {path, size} of fileReferences(db)) {
    const info = await stat(join(directory, path)).catch(() => undefined);
    if (info === undefined || !info.isFile()) missing.add(path);
    else if (size !== null && info.size !== size) wrongSize.add(path);
  }
  for await (const path of listFiles(directory)) {
    if (isFileReferenced(db, path)) continue;
    const info = await stat(join(directory, path)).catch(() => undefined);
    if (info !== undefined && info.ctimeMs < takenAt) unused.add(path);
  }
  if (missing.count > 0) yield `${missing.text('file is', 'files are')} missing: ${missing.names()}.`;
  if (wrongSize.count > 0) yield `${wrongSize.text('file has', 'files have')} a wrong size: ${wrongSize.names()}.`;
  if (unused.count > 0) {
    yield `${unused.text('file belongs', 'files belong')} to nothing and may be deleted: ${unused.names()}.`;
  }
}

/** Counts paths and remembers the first few. */
class Findings {
  count = 0;
  readonly #first: string[] = [];

  add(path: string): void {
    this.count += 1;
    if (this.#first.length < maxNamed) this.#first.push(`files/${path}`);
  }

  text(one: string, many: string): string {
    return `${this.count} ${this.count === 1 ? one : many}`;
  }

  names(): string {
    return [...this.#first, ...(this.count > maxNamed ? ['…'] : [])].join(', ');
  }
}

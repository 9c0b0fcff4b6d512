import {createReadStream, mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {createGunzip, gzipSync} from 'node:zlib';
import {tarEntries} from '#server/transfer/import/export-source.ts';
import {orchardArchive} from '#test/server/transfer/import/import-fixture.ts';
import type {Reply} from '#test/support/api-client.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

/** The files of an export by their paths. */
export type ExportFiles = Map<string, Buffer>;

/** Reads the files of the real export. */
export async function orchardFiles(): Promise<ExportFiles> {
  const files: ExportFiles = new Map();
  for await (const {path, content} of tarEntries(createReadStream(orchardArchive).pipe(createGunzip()))) {
    const parts: Buffer[] = [];
    for await (const part of content) parts.push(part);
    files.set(path.replace(/^[^/]+\//, ''), Buffer.concat(parts));
  }
  return files;
}

/** Changes one JSON file of an export. */
export function changeJson(files: ExportFiles, path: string, change: (tables: Reply) => void): void {
  const tables = JSON.parse(files.get(path)?.toString() ?? '{}');
  change(tables);
  files.set(path, Buffer.from(JSON.stringify(tables)));
}

/** Writes the files into a new directory and returns its path. */
export function exportDirectory(files: ExportFiles): string {
  const directory = scratchDirectory();
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(directory, path)), {recursive: true});
    writeFileSync(join(directory, path), bytes);
  }
  return directory;
}

export interface TarItem {
  readonly path: string;
  readonly content?: Buffer;
  /** The type of the entry, such as 2 for a symbolic link. */
  readonly type?: string;
  readonly declaredSize?: number;
}

/** Writes a compressed tar archive with these entries and returns its path. */
export function archiveOf(items: readonly TarItem[]): string {
  const path = join(scratchDirectory(), 'export.tar.gz');
  writeFileSync(path, gzipSync(Buffer.concat([...items.map(tarBlocks), Buffer.alloc(1024)])));
  return path;
}

function tarBlocks({path, content = Buffer.alloc(0), type = '0', declaredSize = content.length}: TarItem): Buffer {
  const header = Buffer.alloc(512);
  header.write(path, 0, 100);
  header.write('0000600\0', 100);
  header.write(`${declaredSize.toString(8).padStart(11, '0')}\0`, 124);
  header.write(`        ${type}`, 148);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

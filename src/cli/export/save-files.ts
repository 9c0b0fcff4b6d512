import {existsSync, renameSync, rmSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {isApiFailure, isRefusal} from '#api/failure.ts';
import {retryWhenRateLimited} from '#cli/account-access/with-api.ts';
import type {StateContext} from '#cli/account-access/with-state.ts';
import {fileName, uploadPath} from '#content/file-chip.ts';
import {decodeEntities} from '#content/html-entities.ts';
import {sizeText} from '#std/size-text.ts';
import type {ExportFolder} from './export-folder.ts';
import {uploadFileName} from './file-names.ts';

/** An uploaded file of a message: its name in the folder `files`, or why it was not saved. */
export interface SavedFile {
  /** The path on the server. */
  readonly path: string;
  readonly name: string;
  readonly file: string | null;
  readonly problem: string | null;
}

const addressAttribute = /\s(?:href|src|data-original-src)="([^"]{1,2000})"/gi;
/** Renderings of files that the server makes itself. */
const generated = /^\/user_uploads\/(?:thumbnail|temporary|download)\//;

/** Returns the paths of the uploads that the HTML of a message links to or shows, each once. */
export function uploadsIn(html: string, organizationUrl: string): readonly string[] {
  if (!html.includes('user_uploads')) return [];
  const paths = new Set<string>();
  for (const [, value = ''] of html.matchAll(addressAttribute)) {
    const path = uploadPathOf(decodeEntities(value), organizationUrl);
    if (path !== undefined) paths.add(path);
  }
  return [...paths];
}

/** Returns the path of an upload of this organization that an address names. */
export function uploadPathOf(address: string, organizationUrl: string): string | undefined {
  const base = organizationUrl.replace(/\/$/, '');
  const path = uploadPath(address.startsWith(`${base}/`) ? address.slice(base.length) : address);
  return path === undefined || generated.test(path) || path.includes('/../') ? undefined : path;
}

/** Downloads files into the folder, each once. What exists already was saved by an earlier message or run. */
export class FileSaver {
  readonly #context: StateContext;
  readonly #folder: ExportFolder;
  readonly #maxBytes: number;
  readonly #problems = new Map<string, string>();
  saved = 0;

  constructor(context: StateContext, folder: ExportFolder, maxBytes: number) {
    this.#context = context;
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  get problemCount(): number {
    return this.#problems.size;
  }

  async save(path: string): Promise<SavedFile> {
    const name = fileName(path) ?? 'file';
    const file = uploadFileName(path, name);
    const target = this.#folder.fileAt('files', file);
    if (!existsSync(target) && !this.#problems.has(path)) {
      const problem = await this.#download(path, target);
      if (problem === undefined) this.saved += 1;
      else this.#problems.set(path, problem);
    }
    const problem = this.#problems.get(path) ?? null;
    return {path, name, file: problem === null ? file : null, problem};
  }

  /** Returns why the file was not saved. Throws when a later attempt may succeed. */
  async #download(path: string, target: string): Promise<string | undefined> {
    const {api, io, signal} = this.#context;
    const part = `${target}.part`;
    try {
      const request = () => api.connection.download(path, {signal, maxBytes: this.#maxBytes});
      const download = await retryWhenRateLimited(request, io, signal);
      if (download.size !== undefined && download.size > this.#maxBytes) {
        download.cancel();
        return this.#tooLarge(download.size);
      }
      await writeFile(part, download.body);
      renameSync(part, target);
      return undefined;
    } catch (error) {
      if (isRefusal(error)) return 'the server no longer has it, or you may not see it';
      if (isApiFailure(error) && error.kind === 'malformed' && error.isTooLarge) return this.#tooLarge(undefined);
      throw error;
    } finally {
      rmSync(part, {force: true});
    }
  }

  #tooLarge(size: number | undefined): string {
    const limit = sizeText(this.#maxBytes);
    return size === undefined ? `it is larger than ${limit}` : `it has ${sizeText(size)}, and the limit is ${limit}`;
  }
}

async function writeFile(path: string, body: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    for await (const bytes of body) await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

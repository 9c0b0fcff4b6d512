import {createHash} from 'node:crypto';
import {existsSync, renameSync, rmSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {retryWhenRateLimited, type StateContext} from '#cli/account-access/with-state.ts';
import {fileName, uploadPath} from '#content/file-chip.ts';
import {decodeEntities} from '#content/html-entities.ts';
import {sizeText} from '#std/size-text.ts';
import {isApiFailure, isRefusal} from '#wire/failure.ts';
import type {ExportFolder} from './export-folder.ts';

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

export type FileSaver = ReturnType<typeof fileSaver>;

/** Downloads files into the folder, each once. What exists already was saved by an earlier message or run. */
export function fileSaver({api, io, signal}: StateContext, folder: ExportFolder, maxBytes: number) {
  const problems = new Map<string, string>();
  let saved = 0;
  const tooLarge = (size: number | undefined) => {
    const limit = sizeText(maxBytes);
    return size === undefined ? `it is larger than ${limit}` : `it has ${sizeText(size)}, and the limit is ${limit}`;
  };
  /** Returns why the file was not saved. Throws when a later attempt may succeed. */
  const downloaded = async (path: string, target: string): Promise<string | undefined> => {
    const part = `${target}.part`;
    try {
      const request = () => api.connection.download(path, {signal, maxBytes});
      const download = await retryWhenRateLimited(request, io, signal);
      if (download.size !== undefined && download.size > maxBytes) {
        download.cancel();
        return tooLarge(download.size);
      }
      await writeFile(part, download.body);
      renameSync(part, target);
      return undefined;
    } catch (error) {
      if (isApiFailure(error) && error.kind === 'permanent' && error.code === 'OTHER_HOST') {
        return 'the server keeps it on another host, which the setting files_from_other_hosts allows';
      }
      if (isRefusal(error)) return 'the server no longer has it, or you may not see it';
      if (isApiFailure(error) && error.kind === 'malformed' && error.isTooLarge) return tooLarge(undefined);
      throw error;
    } finally {
      rmSync(part, {force: true});
    }
  };
  return {
    get saved() {
      return saved;
    },
    get problemCount() {
      return problems.size;
    },
    save: async (path: string): Promise<SavedFile> => {
      const name = fileName(path) ?? 'file';
      const file = uploadFileName(path, name);
      const target = folder.fileAt('files', file);
      if (!existsSync(target) && !problems.has(path)) {
        const problem = await downloaded(path, target);
        if (problem === undefined) saved += 1;
        else problems.set(path, problem);
      }
      const problem = problems.get(path) ?? null;
      return {path, name, file: problem === null ? file : null, problem};
    },
  };
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

const maxNameBytes = 80;
/**
 * The endings that keep their meaning. A browser that opens such a file from disk runs no script in it, and knows the type by
 * the ending: Firefox looks for HTML in files without an ending that it knows. Scripts in a PDF run in a viewer that can reach
 * neither files nor the network. All other files, such as `.svg`, `.ehtml`, `.rss` or `.7z`, get `.txt` at the end.
 */
const safeEndings: ReadonlySet<string> = new Set(
  [
    'apng avif bmp gif ico jpeg jpg png tif tiff webp',
    'aac flac m4a mp3 oga ogg opus wav',
    '3gp avi m4v mkv mov mp4 mpeg mpg ogv webm',
    'csv json text txt',
    'docx odp ods odt pdf pptx xlsx',
    'gz zip',
  ].flatMap((endings) => endings.split(' ').map((ending) => `.${ending}`)),
);

/**
 * Returns a name for a file that is safe on every file system: letters, digits, dots and dashes, no direction marks, and a
 * part of the hash of `key`, so that names which differ only in case or in other characters do not collide.
 */
export function safeFileName(text: string, key: string, extension: string): string {
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 10);
  const words = cut(dashed(text));
  return `${words === '' ? '' : `${words}-`}${hash}${extension}`;
}

/** Returns the name for an uploaded file, with an ending by which a browser does not run it. */
export function uploadFileName(path: string, name: string): string {
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  const stem = name.slice(0, name.length - extension.length);
  return safeFileName(stem, path, safeEndings.has(extension.toLowerCase()) ? extension : `${extension}.txt`);
}

function dashed(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replaceAll(/^[-\p{M}]+|-+$/gu, '');
}

/** Cuts at the end of a character, because file systems limit bytes. */
function cut(text: string): string {
  let [result, bytes] = ['', 0];
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxNameBytes) break;
    result += character;
  }
  return result;
}

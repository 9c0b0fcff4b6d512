import {readFileSync} from 'node:fs';
import {type FileHandle, mkdir, open, rm} from 'node:fs/promises';
import {extname, isAbsolute, join} from 'node:path';
import {homeDirectory} from '#std/home-directory.ts';
import {printableLine} from '#std/printable.ts';
import type {Env} from './env.ts';

/** Saves a file in the downloads folder and returns its path with `~`. Rejects with a sentence for the user. */
export async function saveDownload(env: Env, name: string, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const home = homeDirectory(env);
  const path = await saveFile(downloadsDirectory(env, home), name, bytes);
  return path.startsWith(`${home}/`) ? `~/${path.slice(home.length + 1)}` : path;
}

/** Returns the downloads folder of the desktop configuration, or else `~/Downloads`. */
export function downloadsDirectory(env: Env, home: string): string {
  const configured = env.XDG_DOWNLOAD_DIR;
  if (configured !== undefined && isAbsolute(configured)) return configured;
  const config = env.XDG_CONFIG_HOME ?? join(home, '.config');
  return userDirectory(join(config, 'user-dirs.dirs'), home) ?? join(home, 'Downloads');
}

/** Reads a line such as `XDG_DOWNLOAD_DIR="$HOME/Downloads"`. */
function userDirectory(file: string, home: string): string | undefined {
  try {
    const line = /^XDG_DOWNLOAD_DIR="([^"]+)"/m.exec(readFileSync(file, 'utf8'))?.[1];
    const path = line?.replace(/^\$HOME(?=\/|$)/, home);
    return path !== undefined && isAbsolute(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Saves a file. Existing files are not overwritten, and an incomplete file is removed. */
export async function saveFile(directory: string, name: string, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  await mkdir(directory, {recursive: true});
  const {path, file} = await freeFile(directory, safeName(name));
  try {
    for await (const chunk of bytes) await file.writeFile(chunk);
    await file.close();
    return path;
  } catch (error) {
    await file.close();
    await rm(path, {force: true});
    throw error;
  }
}

const maxAttempts = 1000;

async function freeFile(directory: string, name: string): Promise<{path: string; file: FileHandle}> {
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  for (let nth = 1; nth <= maxAttempts; nth++) {
    const path = join(directory, nth === 1 ? name : `${stem} (${nth})${extension}`);
    try {
      return {path, file: await open(path, 'wx', 0o600)};
    } catch (error) {
      if (!fileExists(error)) throw error;
    }
  }
  throw new Error(`There are too many files called “${name}” in ${directory}.`);
}

function fileExists(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'code') === 'EEXIST';
}

/** In bytes. File systems allow 255, and a number may be added. */
const maxNameBytes = 200;

/** Returns a file name without directories, leading dots or invisible characters. */
function safeName(name: string): string {
  const plain = printableLine(name)
    .replaceAll(/[/\\:*?"<>|]/g, '_')
    .replace(/^[.\s]+/, '')
    .trim();
  if (plain === '') return 'file';
  const extension = extname(plain).slice(0, 20);
  let stem = plain.slice(0, plain.length - extname(plain).length);
  while (Buffer.byteLength(stem + extension) > maxNameBytes) stem = stem.slice(0, -1);
  return `${stem.toWellFormed()}${extension}`;
}

import {randomBytes} from 'node:crypto';
import {extname} from 'node:path';

/** The id of this server's only organization; part of every path. */
export const realmId = 1;

/** Where the archives of data exports are, in URLs; the token and the name follow. */
export const exportUrlPrefix = '/user_avatars/exports/';

/** Returns the path in the file store of a data export. */
export function exportFile(url: string): string {
  return url.replace(/^\/user_avatars\//, '');
}

const fallbackName = 'uploaded-file';
/** In bytes; file systems allow 255. */
const maxNameBytes = 200;
const maxExtensionBytes = 20;

/** Returns a new path for a file of this name: unguessable, and safe in a file system, a URL and a Markdown link. */
export function newPathId(filename: string): string {
  const shard = randomBytes(1).toString('hex');
  return `${realmId}/${shard}/${randomBytes(18).toString('base64url')}/${safeFilename(filename)}`;
}

export function safeFilename(filename: string): string {
  const name = filename
    .toWellFormed()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{N}_\s.-]/gu, '')
    .trim()
    .replace(/[-\s]+/g, '-');
  return /^\.*$/.test(name) ? fallbackName : shortened(name);
}

/** Returns the file name as users see it: without folders and control characters. */
export function displayFilename(filename: string): string {
  const name = filename
    .toWellFormed()
    .replace(/^.*[/\\]/s, '')
    .replace(/\p{Cc}/gu, '')
    .trim();
  return name === '' ? fallbackName : shortened(name);
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= maxNameBytes) return name;
  const extension = extname(name);
  const suffix = Buffer.byteLength(extension) <= maxExtensionBytes ? extension : '';
  let stem = '';
  let room = maxNameBytes - Buffer.byteLength(suffix);
  for (const character of name.slice(0, name.length - suffix.length)) {
    room -= Buffer.byteLength(character);
    if (room < 0) break;
    stem += character;
  }
  return stem + suffix;
}

import {randomBytes} from 'node:crypto';
import {extname} from 'node:path';

/** This server has one organization; its id is part of every path. */
export const realmId = 1;

const nameless = 'uploaded-file';
/** File systems stop at 255 bytes. */
const longestName = 200;
const longestExtension = 20;

/** A new place for a file of this name: unguessable, and safe in a path, a URL and a Markdown link. */
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
  return /^\.*$/.test(name) ? nameless : shortened(name);
}

/** The name as people see it: what was sent, less what no name should hold. */
export function displayFilename(filename: string): string {
  const name = filename
    .toWellFormed()
    .replace(/^.*[/\\]/s, '')
    .replace(/\p{Cc}/gu, '')
    .trim();
  return name === '' ? nameless : shortened(name);
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= longestName) return name;
  const extension = extname(name);
  const kept = Buffer.byteLength(extension) <= longestExtension ? extension : '';
  let stem = '';
  let room = longestName - Buffer.byteLength(kept);
  for (const character of name.slice(0, name.length - kept.length)) {
    room -= Buffer.byteLength(character);
    if (room < 0) break;
    stem += character;
  }
  return stem + kept;
}

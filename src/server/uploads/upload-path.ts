import {randomBytes} from 'node:crypto';
import {extname} from 'node:path';
import type {ServerContext} from '#server/context.ts';
import {type AttachmentRow, findAttachmentByPath} from '#server/db/organization-items.ts';
import type {UserRow} from '#server/db/rows.ts';
import {canReadAttachment} from '#server/permissions/read-message.ts';
import {allowsSpectators, isSpectator, spectator} from '#server/permissions/spectator.ts';

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

const validSeconds = 60;

export type UploadLookup = AttachmentRow | 'missing' | 'forbidden';

/**
 * Returns the file if the viewer may read it; without credentials, a file of a web-public channel. Then the result never
 * reveals whether another file exists.
 */
export function findUpload(server: ServerContext, actor: UserRow | undefined, pathId: string): UploadLookup {
  const viewer = actor ?? (allowsSpectators(server) ? spectator : undefined);
  if (viewer === undefined) return 'forbidden';
  const file = findAttachmentByPath(server.db, pathId);
  if (file === undefined) return isSpectator(viewer) ? 'forbidden' : 'missing';
  return canReadAttachment({server, now: seconds(server)}, viewer, file) ? file : 'forbidden';
}

/** Returns a signed path that gives access to the file for a minute without credentials. */
export function temporaryPath(server: ServerContext, pathId: string): string {
  const expires = seconds(server) + validSeconds;
  const query = new URLSearchParams({
    expires: String(expires),
    signature: server.secrets.sign(purpose(pathId, expires)),
  });
  return `/user_uploads/${pathId.split('/').map(encodeURIComponent).join('/')}?${query}`;
}

export function isTemporaryPath(server: ServerContext, pathId: string, query: URLSearchParams): boolean {
  const expires = Number(query.get('expires') ?? 0);
  if (!Number.isSafeInteger(expires) || expires < seconds(server)) return false;
  return server.secrets.isSigned(purpose(pathId, expires), query.get('signature') ?? '');
}

function purpose(pathId: string, expires: number): string {
  return `upload:${expires}:${pathId}`;
}

function seconds(server: ServerContext): number {
  return Math.floor(server.clock.now() / 1000);
}

import type {ServerContext} from '#server/context.ts';
import {type AttachmentRow, findAttachmentByPath} from '#server/db/attachments.ts';
import type {UserRow} from '#server/db/rows.ts';
import {canReadAttachment} from '#server/permissions/attachment.ts';
import {allowsSpectators, isSpectator, spectator} from '#server/permissions/spectator.ts';

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

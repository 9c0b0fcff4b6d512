import type {ServerContext} from '#server/context.ts';
import {type AttachmentRow, findAttachmentByPath} from '#server/db/attachments.ts';
import type {UserRow} from '#server/db/rows.ts';
import {canReadAttachment} from '#server/permissions/attachment.ts';

const validSeconds = 60;

export type UploadLookup = AttachmentRow | 'missing' | 'forbidden';

/** Somebody without credentials learns nothing, not even whether the file exists. */
export function findUpload(world: ServerContext, viewer: UserRow | undefined, pathId: string): UploadLookup {
  if (viewer === undefined) return 'forbidden';
  const file = findAttachmentByPath(world.db, pathId);
  if (file === undefined) return 'missing';
  return canReadAttachment({world, now: seconds(world)}, viewer, file) ? file : 'forbidden';
}

/** A path to the file that carries its own permission for a minute. */
export function temporaryPath(world: ServerContext, pathId: string): string {
  const expires = seconds(world) + validSeconds;
  const query = new URLSearchParams({
    expires: String(expires),
    signature: world.secrets.sign(purpose(pathId, expires)),
  });
  return `/user_uploads/${pathId.split('/').map(encodeURIComponent).join('/')}?${query}`;
}

export function isTemporaryPath(world: ServerContext, pathId: string, query: URLSearchParams): boolean {
  const expires = Number(query.get('expires') ?? 0);
  if (!Number.isSafeInteger(expires) || expires < seconds(world)) return false;
  return world.secrets.isSigned(purpose(pathId, expires), query.get('signature') ?? '');
}

function purpose(pathId: string, expires: number): string {
  return `upload:${expires}:${pathId}`;
}

function seconds(world: ServerContext): number {
  return Math.floor(world.clock.now() / 1000);
}

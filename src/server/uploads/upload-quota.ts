import type {ServerAccess} from '#server/context.ts';
import {uploadSpaceUsed} from '#server/db/organization-items.ts';
import type {UserRow} from '#server/db/rows.ts';
import {ApiError} from '#server/errors.ts';
import {isGuest, organization} from '#server/permissions/has-permission.ts';

const mib = 1024 * 1024;

/** Applies to organizations that set no quota, so that uploads cannot fill the disk. */
export const defaultQuotaMib = 10 * 1024;

/** The space of one guest, so that guests cannot use up the quota of the members. */
export const guestQuotaMib = 500;

export function checkUploadQuota(act: ServerAccess, actor: UserRow, size: number): void {
  const {db} = act.server;
  const quota = organization(act).upload_quota_mib ?? defaultQuotaMib;
  if (uploadSpaceUsed(db) + size > quota * mib) {
    throw new ApiError('REALM_UPLOAD_QUOTA', 'Upload would exceed your organization’s upload quota.');
  }
  if (isGuest(actor) && uploadSpaceUsed(db, actor.id) + size > guestQuotaMib * mib) {
    throw new ApiError('REALM_UPLOAD_QUOTA', 'Upload would exceed the upload quota of a guest.');
  }
}

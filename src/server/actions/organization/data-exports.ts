import {userSettings} from '#server/accounts/user-settings.ts';
import type {ActionContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import type {UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {isOwner} from '#server/permissions/has-permission.ts';
import {Role} from '#server/permissions/system-groups.ts';
import type {WireDataExport} from '#wire/objects/data-export.ts';

/** The names of the types. Exports of private data without consent are not allowed here. */
export const exportTypes = {public: 1, full_with_consent: 2} as const;

const maxPerWeek = 5;
const weekSeconds = 7 * 24 * 3600;
/** The value of `email_address_visibility` with which not even administrators see an address. */
const nobodySeesEmail = 4;

interface ExportRow {
  readonly id: number;
  readonly type: number;
  readonly acting_user_id: number;
  readonly requested_at: number;
  readonly failed_at: number | null;
  readonly deleted_at: number | null;
  readonly url: string | null;
}

export function dataExports(db: Database): WireDataExport[] {
  return db.all<ExportRow & Record<string, unknown>>('SELECT * FROM data_export ORDER BY id').map((row) => ({
    id: row.id,
    acting_user_id: row.acting_user_id,
    export_time: row.requested_at,
    deleted_timestamp: row.deleted_at,
    failed_timestamp: row.failed_at,
    export_url: row.url,
    pending: isPending(row),
    export_type: row.type === exportTypes.public ? 'public' : 'full_with_consent',
  }));
}

/** Records a request. This server writes no export files, so the export fails right after the request. */
export function requestExport(act: ActionContext, actor: UserRow, typeName: string): number {
  if (!Object.hasOwn(exportTypes, typeName)) throw badRequest('Invalid export_type');
  const type = exportTypes[typeName as keyof typeof exportTypes];
  const recent = 'SELECT COUNT(*) FROM data_export WHERE requested_at >= ?';
  if ((act.db.value(recent, act.now - weekSeconds) ?? 0) >= maxPerWeek) throw badRequest('Exceeded rate limit.');
  checkUsable(act.db, type);
  const sql = 'INSERT INTO data_export (type, acting_user_id, requested_at) VALUES (?, ?, ?)';
  const id = act.db.insert(sql, type, actor.id, act.now);
  emitExports(act);
  act.afterCommit(() => act.server.runAction((later) => failExport(later, id)));
  return id;
}

export function deleteExport(act: ActionContext, id: number): void {
  const row = act.db.get<ExportRow & Record<string, unknown>>('SELECT * FROM data_export WHERE id = ?', id);
  if (row === undefined) throw badRequest('Invalid data export ID');
  if (row.deleted_at !== null) throw badRequest('Export already deleted');
  if (row.failed_at !== null) throw badRequest('Export failed, nothing to delete');
  if (isPending(row)) throw badRequest('Export still in progress');
  act.db.run('UPDATE data_export SET deleted_at = ?, url = NULL WHERE id = ?', act.now, id);
  emitExports(act);
}

/** Returns which people let exports contain their private data. */
export function exportConsents(db: Database): {user_id: number; consented: boolean}[] {
  return people(db).map((user) => ({user_id: user.id, consented: userSettings(user).allow_private_data_export}));
}

function isPending({failed_at, deleted_at, url}: ExportRow): boolean {
  return failed_at === null && deleted_at === null && url === null;
}

function failExport(act: ActionContext, id: number): void {
  act.db.run('UPDATE data_export SET failed_at = ? WHERE id = ?', act.now, id);
  emitExports(act);
}

/** Throws if nobody could use the exported data: an owner must be reachable in it. */
function checkUsable(db: Database, type: number): void {
  const owners = people(db).filter(isOwner).map(userSettings);
  if (type === exportTypes.full_with_consent && !owners.some((owner) => owner.allow_private_data_export)) {
    throw badRequest(
      'Make sure at least one Organization Owner is consenting to the export or contact the server’s administrator for help.',
    );
  }
  if (
    type === exportTypes.public &&
    !owners.some(({email_address_visibility}) => email_address_visibility !== nobodySeesEmail)
  ) {
    throw badRequest(
      'Make sure at least one Organization Owner allows other Administrators to see their email address or contact the server’s administrator for help',
    );
  }
}

function people(db: Database): UserRow[] {
  return db.all<UserRow & Record<string, unknown>>('SELECT * FROM user WHERE is_active = 1 AND is_bot = 0 ORDER BY id');
}

function emitExports(act: ActionContext): void {
  const admins = act.db.pluck('SELECT id FROM user WHERE role <= ? AND is_active = 1 AND is_bot = 0', Role.admin);
  act.emit({type: 'realm_export', to: admins, body: {exports: dataExports(act.db)}});
}

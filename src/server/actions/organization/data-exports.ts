import {randomBytes} from 'node:crypto';
import {basename} from 'node:path';
import {userSettings} from '#server/accounts/user-settings.ts';
import {sendPersonalNotice} from '#server/actions/messages/send-message.ts';
import type {ActionContext, ExportWriter, RequestContext, ServerContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import type {UserRow} from '#server/db/rows.ts';
import {badRequest, check, required} from '#server/errors.ts';
import {Role} from '#server/organization/permission-rules.ts';
import {type Route, route} from '#server/route.ts';
import {bytesOf} from '#server/uploads/file-store.ts';
import {exportFile, exportUrlPrefix} from '#server/uploads/upload-path.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {WireDataExport} from '#wire/objects/web-client-fields.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';

/** The names of the types. Exports of private data without consent are not allowed here. */
export const exportTypes = {public: 1, full_with_consent: 2} as const;

/** Larger organizations are exported on the server's machine. */
const maxMessages = 250_000;
const maxUploadBytes = 20 * 1024 ** 3;
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

function dataExports({db, url}: ServerContext): WireDataExport[] {
  return db.all<ExportRow>('SELECT * FROM data_export ORDER BY id').map((row) => ({
    id: row.id,
    acting_user_id: row.acting_user_id,
    export_time: row.requested_at,
    deleted_timestamp: row.deleted_at,
    failed_timestamp: row.failed_at,
    export_url: row.url === null ? null : url + row.url,
    pending: isPending(row),
    export_from_prior_server: false,
    export_type: row.type === exportTypes.public ? 'public' : 'full_with_consent',
  }));
}

export const exportRoutes: readonly Route[] = [
  route(endpoints.getExports, 'admin', ({server}) => ({exports: dataExports(server)})),
  route(endpoints.requestExport, 'admin', (call, {export_type}) => ({id: requestExport(call, export_type)})),
  route(endpoints.deleteExport, 'admin', (call, {export_id}) => deleteExport(call, export_id)),
  // Which people let exports contain their private data.
  route(otherEndpoints.getExportConsents, 'admin', ({db}) => ({
    export_consents: db
      .all<UserRow>('SELECT * FROM user WHERE is_active = 1 AND is_bot = 0 ORDER BY id')
      .map((user) => ({user_id: user.id, consented: userSettings(user).allow_private_data_export})),
  })),
];

/** Records a request, and has the export written. */
function requestExport(act: RequestContext, typeName: string): number {
  const {actor} = act;
  check(Object.hasOwn(exportTypes, typeName), 'Invalid export_type');
  const type = exportTypes[typeName as keyof typeof exportTypes];
  const recent = 'SELECT COUNT(*) FROM data_export WHERE requested_at >= ?';
  if ((act.db.value(recent, act.now - weekSeconds) ?? 0) >= maxPerWeek) throw badRequest('Exceeded rate limit.');
  const size = 'SELECT (SELECT COUNT(*) FROM message) > ? OR (SELECT COALESCE(SUM(size), 0) FROM attachment) > ?';
  check(
    act.db.value(size, maxMessages, maxUploadBytes) !== 1,
    'Please request a manual export from the server’s administrator.',
  );
  checkUsable(act.db, type);
  const id = act.db.insertRow('data_export', {type, acting_user_id: actor.id, requested_at: act.now});
  emitExports(act);
  act.afterCommit(() => {
    const {server} = act;
    if (server.writeExport === undefined) server.runAction((later) => failExport(later, id));
    // It is rejected only if the server has stopped meanwhile; the next start marks the export as failed.
    else writeExport(server, server.writeExport, {id, type, userId: actor.id}).catch(() => {});
  });
  return id;
}

function deleteExport(act: ActionContext, id: number): void {
  const row = required(act.db.find<ExportRow>('data_export', {id}), 'Invalid data export ID');
  check(row.deleted_at === null, 'Export already deleted');
  check(row.failed_at === null, 'Export failed, nothing to delete');
  check(!isPending(row), 'Export still in progress');
  act.db.updateRow('data_export', id, {deleted_at: act.now, url: null});
  emitExports(act);
  act.afterCommit(() => void act.server.files.delete(exportFile(row.url ?? '')).catch(() => {}));
}

/** Marks exports as failed whose server ended before they were written. */
export function failInterruptedExports({db, clock}: ServerContext): void {
  const isUnfinished = 'failed_at IS NULL AND deleted_at IS NULL AND url IS NULL';
  db.run(`UPDATE data_export SET failed_at = ? WHERE ${isUnfinished}`, Math.floor(clock.now() / 1000));
}

async function writeExport(
  server: ServerContext,
  write: ExportWriter,
  {id, type, userId}: {id: number; type: number; userId: number},
): Promise<void> {
  const url = await storedExport(server, write, type).catch(() => undefined);
  server.runAction((act) => {
    if (url === undefined) return failExport(act, id);
    act.db.updateRow('data_export', id, {url});
    const text = 'Your data export is complete. [View and download exports](/#organization/data-exports-admin).';
    sendPersonalNotice(act, userId, text);
    emitExports(act);
  });
}

/** Returns the path of the export's URL. */
async function storedExport({files}: ServerContext, write: ExportWriter, type: number): Promise<string> {
  const {archive, remove} = await write(type === exportTypes.public ? 'public' : 'consented');
  try {
    const received = await files.receive(bytesOf(archive), Number.POSITIVE_INFINITY);
    const url = `${exportUrlPrefix}${randomBytes(18).toString('base64url')}/${basename(archive)}`;
    await received.keep(exportFile(url));
    return url;
  } finally {
    remove();
  }
}

function isPending({failed_at, deleted_at, url}: ExportRow): boolean {
  return failed_at === null && deleted_at === null && url === null;
}

function failExport(act: ActionContext, id: number): void {
  act.db.updateRow('data_export', id, {failed_at: act.now});
  emitExports(act);
}

/** Throws if nobody could use the exported data: an owner must be reachable in it. */
function checkUsable(db: Database, type: number): void {
  const sql = 'SELECT * FROM user WHERE role = ? AND is_bot = 0';
  const owners = db.all<UserRow>(sql, Role.owner).map(userSettings);
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

function emitExports(act: ActionContext): void {
  const admins = act.db.pluck('SELECT id FROM user WHERE role <= ? AND is_active = 1 AND is_bot = 0', Role.admin);
  act.emit('realm_export', admins, {exports: dataExports(act.server)});
}

import {type Database, isDiskFull} from '#server/db/database.ts';
import type {AuditedChanges} from '#server/operator/audited-values.ts';
import {type Route, route} from '#server/route.ts';
import type {ResultOf} from '#wire/endpoint.ts';
import {type Endpoints, endpoints} from '#wire/endpoints.ts';

type WireAdministrationEntry = ResultOf<Endpoints['getAdministrationLog']>['entries'][number];

/** One change by an administrator, or by the operator. */
interface AdministrationEntry {
  /** Null for the operator. */
  readonly userId: number | null;
  /** In seconds. */
  readonly at: number;
  /** The id of the endpoint, or the command of the operator after `operator.`. */
  readonly action: string;
  /** Ids of what was changed, by the names of parameters such as `user_id`. */
  readonly target: Readonly<Record<string, number>>;
  /** The names of the parameters. Their values may be texts of people, which are not kept. */
  readonly fields: readonly string[];
  /** The old and new values that are no texts. */
  readonly changes: AuditedChanges;
}

const maxEntries = 10_000;
const pageSize = 200;

/** Adds an entry, and removes the oldest one if there are too many. */
export function recordAdministration(
  db: Database,
  {userId, at, action, target, fields, changes}: AdministrationEntry,
): void {
  const id = db.insertRow('administration_log', {
    user_id: userId,
    at,
    action,
    target: JSON.stringify(target),
    fields: JSON.stringify(fields),
    changes: JSON.stringify(changes),
  });
  db.run('DELETE FROM administration_log WHERE id <= ?', id - maxEntries);
}

/** Adds an entry about what is done already: that the disk has no space for the entry does not make it a failure. */
export function recordAfterwards(record: () => void): void {
  try {
    record();
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  }
}

/** Splits the parameters of a request into the ids in its path and the names of the others. */
export function targetAndFields(
  path: string,
  params: Readonly<Record<string, unknown>>,
): Pick<AdministrationEntry, 'target' | 'fields'> {
  const given = Object.keys(params).filter((name) => params[name] !== undefined);
  const isInPath = (name: string) => path.includes(`{${name}}`);
  const ids = given.filter((name) => isInPath(name) && Number.isSafeInteger(params[name]));
  return {
    target: Object.fromEntries(ids.map((name) => [name, Number(params[name])])),
    fields: given.filter((name) => !isInPath(name)).sort(),
  };
}

interface EntryRow {
  readonly id: number;
  readonly user_id: number | null;
  readonly at: number;
  readonly action: string;
  readonly target: string;
  readonly fields: string;
  readonly changes: string;
}

function entryView({at, target, fields, changes, ...row}: EntryRow): WireAdministrationEntry {
  return {...row, time: at, target: JSON.parse(target), fields: JSON.parse(fields), changes: JSON.parse(changes)};
}

/** Returns the changes since a time, in seconds; of one person, or with null of the operator. Oldest first. */
export function administrationEntries(db: Database, since: number, userId?: number | null): WireAdministrationEntry[] {
  const actor = userId === undefined ? '' : 'AND user_id IS ?';
  const sql = `SELECT * FROM administration_log WHERE at >= ? ${actor} ORDER BY id`;
  return db.all<EntryRow>(sql, since, ...(userId === undefined ? [] : [userId])).map(entryView);
}

export const administrationLogRoutes: readonly Route[] = [
  route(endpoints.getAdministrationLog, 'owner', ({db}, {before}) => {
    const sql = 'SELECT * FROM administration_log WHERE id < ? ORDER BY id DESC LIMIT ?';
    const rows = db.all<EntryRow>(sql, before ?? Number.MAX_SAFE_INTEGER, pageSize + 1);
    return {
      entries: rows.slice(0, pageSize).map(entryView),
      found_oldest: rows.length <= pageSize,
    };
  }),
];

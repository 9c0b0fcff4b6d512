import {statfsSync, statSync} from 'node:fs';
import {dirname} from 'node:path';
import type {ServerContext} from '#server/context.ts';
import {type Database, isDiskFull} from '#server/db/database.ts';
import {storeMeta} from '#server/db/meta.ts';
import {uploadSpaceUsed} from '#server/db/organization-items.ts';
import {mailNumbers} from '#server/mail/mail-queue.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {lastBackup} from './backup-fact.ts';

/** What the operator has to do something about. */
interface ServerWarning {
  readonly code: string;
  /** Has no secrets, names or addresses: everybody may read it at /health. */
  readonly text: string;
}

/** Below this, the disk of the data has too little space. */
const leastFreeBytes = 100 * 2 ** 20;

/** What can be wrong with a server, by the code of the warning. Each returns a sentence, or undefined if all is well. */
const checks: Readonly<Record<string, (server: ServerContext) => string | undefined>> = {
  database: writeProblem,
  space(server) {
    const {freeBytes} = diskUse(server.db);
    if (freeBytes === undefined || freeBytes >= leastFreeBytes) return undefined;
    return `The disk of the data has only ${Math.floor(freeBytes / 1e6)} MB of free space.`;
  },
  backup(server) {
    const {backup_max_age_hours: allowed} = organization({server});
    if (allowed === null) return undefined;
    const last = lastBackup(server.db);
    if (last === undefined) return 'There is no backup.';
    const hours = (server.clock.now() - Date.parse(last.taken_at)) / 3600_000;
    if (hours <= allowed) return undefined;
    return `The last good backup is ${Math.floor(hours)} hours old, and backup_max_age_hours is ${allowed}.`;
  },
  ssh: ({ssh}) =>
    ssh !== undefined && ssh.pid === undefined ? 'The SSH process has ended and is started again.' : undefined,
  mail({db, mail, program}) {
    const {waiting, failed} = mailNumbers(db);
    if (mail === undefined)
      return waiting > 0 && program ? `E-mails that wait for a start with --smtp: ${waiting}.` : undefined;
    if (mail.problem !== undefined) return 'The mail server could not be used the last time.';
    return failed > 0 ? `E-mails that could not be sent yet: ${failed}.` : undefined;
  },
};

export function serverWarnings(server: ServerContext, except = ''): readonly ServerWarning[] {
  const wanted = Object.entries(checks).filter(([code]) => code !== except);
  return wanted.flatMap(([code, check]) => {
    const text = check(server);
    return text === undefined ? [] : [{code, text}];
  });
}

const writesEveryMs = 10_000;
/** As much as a request may need, so that the check fails when requests do. */
const writtenCharacters = 2 ** 16;
const lastWrites = new WeakMap<ServerContext, {readonly at: number; readonly problem: string | undefined}>();

/** Writes to the database, at most every ten seconds, and returns why it cannot. */
function writeProblem(server: ServerContext): string | undefined {
  const {clock, databaseDamage: damage} = server;
  if (damage !== undefined) return 'The database is damaged. Restore a backup.';
  const last = lastWrites.get(server);
  const now = clock.monotonic();
  if (last !== undefined && now - last.at < writesEveryMs) return last.problem;
  const problem = tryToWrite(server);
  lastWrites.set(server, {at: now, problem});
  return problem;
}

function tryToWrite({clock, runAction}: ServerContext): string | undefined {
  try {
    runAction(({db}) => {
      storeMeta(db, 'written_at', ' '.repeat(writtenCharacters));
      storeMeta(db, 'written_at', String(clock.now()));
    });
    return undefined;
  } catch (error) {
    return `The database cannot be written${isDiskFull(error) ? ': the disk is full' : ''}.`;
  }
}

/** Returns the bytes of the database with its log, and those that are free on its disk; undefined in memory. */
export function diskUse(db: Database): {databaseBytes: number; freeBytes: number | undefined} {
  const path = db.value<string>(`SELECT file FROM pragma_database_list WHERE name = 'main'`) ?? '';
  if (path === '') return {databaseBytes: pageBytes(db), freeBytes: undefined};
  const sizes = [path, `${path}-wal`].map((file) => statSync(file, {throwIfNoEntry: false})?.size ?? 0);
  const {bavail, bsize} = statfsSync(dirname(path));
  return {databaseBytes: sizes.reduce((sum, size) => sum + size, 0), freeBytes: bavail * bsize};
}

function pageBytes(db: Database): number {
  return (db.value('PRAGMA page_count') ?? 0) * (db.value('PRAGMA page_size') ?? 0);
}

/** Returns how many people are connected, and what is kept for them. */
export function queueNumbers({queues}: ServerContext) {
  const all = [...queues.all()];
  return {
    people: new Set(all.map(({userId}) => userId)).size,
    queues: all.length,
    waiting: all.reduce((sum, {pendingCount}) => sum + pendingCount, 0),
    delivered: queues.deliveredCount,
  };
}

/** Returns where SSH is served and who is connected; null if it is not served. */
function sshStatus({ssh, connectionKeys}: ServerContext) {
  if (ssh === undefined) return null;
  const {host, port, fingerprint, pid} = ssh;
  const people = new Set(connectionKeys.values()).size;
  return {running: pid !== undefined, host, port, host_key: fingerprint, people, sessions: connectionKeys.size};
}

/** Returns what `parley serve status` shows, as JSON. */
export function serverStatus(server: ServerContext) {
  const {db, clock, program, url} = server;
  const {databaseBytes, freeBytes} = diskUse(db);
  const {people, queues, waiting} = queueNumbers(server);
  return {
    running: program !== undefined,
    version: program?.version ?? null,
    organization: organization({server}).name,
    url,
    started_at: program === undefined ? null : new Date(program.startedAt).toISOString(),
    uptime_seconds: program === undefined ? null : Math.floor((clock.now() - program.startedAt) / 1000),
    people_connected: people,
    event_queues: queues,
    events_waiting: waiting,
    ssh: sshStatus(server),
    database_bytes: databaseBytes,
    file_bytes: uploadSpaceUsed(db),
    free_bytes: freeBytes ?? null,
    last_backup: lastBackup(db) ?? null,
    mail: {configured: server.mail !== undefined, problem: server.mail?.problem ?? null, ...mailNumbers(db)},
    schema: db.schema,
    warnings: serverWarnings(server),
  };
}

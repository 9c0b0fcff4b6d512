import {readFileSync, readlinkSync} from 'node:fs';
import {hostname} from 'node:os';
import {errorText} from '#std/error-text.ts';
import {hasPid} from '#std/has-pid.ts';
import type {AccountFile} from './account-file.ts';
import type {Database} from './database.ts';
import type {AccountFileOptions} from './store-failures.ts';
import {type ProcessRecord, processRecordFromRow} from './stored-rows.ts';

/** One process; `boot` names the machine's boot and PID namespace, within which the pid is unique. */
export type ProcessIdentity = Pick<ProcessRecord, 'pid' | 'host' | 'boot' | 'started'>;

const heartbeatMs = 15_000;
/** A process on another machine counts as dead after this long without a heartbeat. */
const maxSilenceMs = 4 * heartbeatMs;
/** Where only pids are known, a pid may have been reused; and a sleeping machine sends no heartbeats. */
const maxLongSilenceMs = 40 * heartbeatMs;

/** Pids are unique per PID namespace: two containers may share a file, a host name and a pid. */
export function thisProcess(): ProcessIdentity {
  const bootId = tryRead(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))?.trim() ?? '';
  const boot = `${bootId} ${tryRead(() => readlinkSync('/proc/self/ns/pid')) ?? ''}`;
  return {pid: process.pid, host: hostname(), boot, started: startTime(process.pid) ?? ''};
}

/** Returns whether the process of a record is dead, as far as `self` can tell. */
function isProcessDead(record: ProcessRecord, self: ProcessIdentity, now: number): boolean {
  // Absolute: a clock that was set back must not keep dead processes alive.
  const age = Math.abs(now - record.heartbeat);
  if (record.host !== self.host || record.boot !== self.boot) return age > maxSilenceMs;
  if (self.started !== '') return startTime(record.pid) !== record.started;
  return !hasPid(record.pid) || age > maxLongSilenceMs;
}

/** Returns when the process started, in ticks since boot; undefined without such a process or without /proc. */
function startTime(pid: number): string | undefined {
  const stat = tryRead(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (stat === undefined) return undefined;
  // The name in parentheses may contain anything, including parentheses and spaces.
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const isDead = state === 'Z' || state === 'X';
  return isDead ? undefined : rest[18];
}

/** Returns what is read; undefined where there is nothing to read. */
function tryRead(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The owner of changes whose process ended: no process has this id, so that any may claim them. */
const releasedOwner = 'released';

/**
 * The processes that own outbox entries or pending changes. A process is registered when it first claims one,
 * so that a reading process writes nothing.
 */
export class ProcessRegistry {
  readonly id: string;
  readonly #file: AccountFile;
  readonly #options: AccountFileOptions;
  readonly #self: ProcessIdentity;
  #stopHeartbeat: (() => void) | undefined;

  constructor(file: AccountFile, options: AccountFileOptions, self: ProcessIdentity, random: () => number) {
    this.#file = file;
    this.#options = options;
    this.#self = self;
    this.id = `${self.pid}-${hexDigits(random)}${hexDigits(random)}`;
  }

  /** Call it in the transaction of a claim: a claim without a registered owner counts as orphaned. */
  register(db: Database): void {
    const {pid, host, boot, started} = this.#self;
    db.run(
      `INSERT INTO session (id, pid, host, boot, started, heartbeat) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET heartbeat = excluded.heartbeat`,
      this.id,
      pid,
      host,
      boot,
      started,
      this.#options.clock.now(),
    );
    this.#stopHeartbeat ??= this.#startHeartbeat();
  }

  /** Returns the other processes that own entries. */
  foreignOwners(db: Database): {readonly alive: readonly string[]; readonly dead: readonly string[]} {
    const owners = db.all(
      `SELECT owner FROM outbox WHERE status = 'sending' AND owner IS NOT NULL
       UNION SELECT owner FROM deed WHERE owner IS NOT NULL AND owner <> ?`,
      releasedOwner,
    );
    const foreign = owners.flatMap(({owner}) => (typeof owner === 'string' && owner !== this.id ? [owner] : []));
    const dead = foreign.filter((id) => this.isDead(db, id));
    return {alive: foreign.filter((id) => !dead.includes(id)), dead};
  }

  isDead(db: Database, id: string): boolean {
    if (id === this.id) return false;
    const row = db.first('SELECT * FROM session WHERE id = ?', id);
    const record = row === undefined ? undefined : processRecordFromRow(row);
    return record === undefined || isProcessDead(record, this.#self, this.#options.clock.now());
  }

  /** Removes the records of dead processes. */
  removeDead(db: Database): void {
    for (const {id} of db.all('SELECT id FROM session')) {
      if (typeof id === 'string' && this.isDead(db, id)) db.run('DELETE FROM session WHERE id = ?', id);
    }
  }

  /**
   * Releases the pending changes of this process, which it may have sent; outbox entries in `sending` are left for another process to adopt.
   */
  close(): void {
    if (this.#stopHeartbeat === undefined) return;
    this.#stopHeartbeat();
    this.#stopHeartbeat = undefined;
    try {
      this.#file.write((db) => {
        db.run('UPDATE deed SET owner = ? WHERE owner = ?', releasedOwner, this.id);
        db.run('DELETE FROM session WHERE id = ?', this.id);
      });
    } catch (error) {
      this.#options.log(`Unregistering this process failed: ${errorText(error)}`);
    }
  }

  #startHeartbeat(): () => void {
    let cancel = () => {};
    const next = () => {
      cancel = this.#options.clock.after(heartbeatMs, () => {
        this.#file.tryWrite('Heartbeat', (db) => this.register(db));
        if (!this.#file.isClosed) next();
      });
    };
    next();
    return () => cancel();
  }
}

function hexDigits(random: () => number): string {
  return Math.floor(random() * 0x1_0000_0000)
    .toString(16)
    .padStart(8, '0');
}

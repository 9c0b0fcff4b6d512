import type {Clock} from '#std/clock.ts';
import type {AccountFile} from './account-file.ts';
import type {AccountFileOptions} from './account-file-options.ts';
import type {Database} from './database.ts';
import {heartbeatMs, isProcessDead, type ProcessIdentity} from './process-liveness.ts';
import {processRecordFromRow} from './row-decoders.ts';
import {errorMessage} from './store-failures.ts';

/** Who holds what. A program enters the table when it first claims something: one that only reads writes nothing. */
export class ProcessRegistry {
  readonly id: string;
  readonly #file: AccountFile;
  readonly #place: AccountFileOptions;
  readonly #clock: Clock;
  readonly #self: ProcessIdentity;
  #stopHeartbeat: (() => void) | undefined;

  constructor(file: AccountFile, place: AccountFileOptions, self: ProcessIdentity, random: () => number) {
    this.#file = file;
    this.#place = place;
    this.#clock = place.clock;
    this.#self = self;
    this.id = `${self.pid}-${hexDigits(random)}${hexDigits(random)}`;
  }

  /** Within the transaction of a claim: a claim without its holder would count as orphaned. */
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
      this.#clock.now(),
    );
    this.#stopHeartbeat ??= this.#beat();
  }

  /** Of those who hold something: the ones that are no more. */
  deadOwners(db: Database): readonly string[] {
    const holders = db.all(
      `SELECT owner FROM outbox WHERE status = 'sending' AND owner IS NOT NULL
       UNION SELECT owner FROM deed WHERE owner IS NOT NULL`,
    );
    return holders.flatMap(({owner}) => (typeof owner === 'string' && this.isDead(db, owner) ? [owner] : []));
  }

  isDead(db: Database, id: string): boolean {
    if (id === this.id) return false;
    const row = db.first('SELECT * FROM session WHERE id = ?', id);
    const session = row === undefined ? undefined : processRecordFromRow(row);
    return session === undefined || isProcessDead(session, this.#self, this.#clock.now());
  }

  /** Forgets programs that are no more. */
  removeDead(db: Database): void {
    for (const {id} of db.all('SELECT id FROM session')) {
      if (typeof id === 'string' && this.isDead(db, id)) db.run('DELETE FROM session WHERE id = ?', id);
    }
  }

  /** What we held is free; what we were sending is for another to look after. */
  close(): void {
    if (this.#stopHeartbeat === undefined) return;
    this.#stopHeartbeat();
    this.#stopHeartbeat = undefined;
    try {
      this.#file.write((db) => {
        db.run('UPDATE deed SET owner = NULL WHERE owner = ?', this.id);
        db.run('DELETE FROM session WHERE id = ?', this.id);
      });
    } catch (error) {
      this.#place.log(`The others learn of this end only by themselves: ${errorMessage(error)}`);
    }
  }

  #beat(): () => void {
    let cancel = () => {};
    const next = () => {
      cancel = this.#clock.after(heartbeatMs, () => {
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

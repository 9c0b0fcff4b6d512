/** The CPU time that the searches of one transaction may take: as long, no other request is served. */
const defaultMs = 200;
/** Asking for the CPU time costs more than a step, so it is done only at every so many steps. */
const stepsPerCheck = 64;

/** The error when a search takes too long. */
export class SearchTooSlow extends Error {
  override readonly name = 'SearchTooSlow';
}

/**
 * Limits the time of searches. The SQL function `in_time()` is a condition of every query whose number of steps a caller
 * can choose: it is evaluated for each row that is read, and ends the query with an error when the transaction has used
 * up its time. Node has no other way to interrupt a query. CPU time counts, so that a busy machine refuses nothing.
 */
export class SearchBudget {
  readonly #limit: number;
  #steps = 0;
  /** The CPU time that earlier searches of this transaction took, in microseconds. */
  #used = 0;
  /** The CPU time when the running search began. */
  #start: NodeJS.CpuUsage | undefined;

  constructor(ms = defaultMs) {
    this.#limit = ms * 1000;
  }

  beginTransaction(): void {
    this.#steps = 0;
    this.#used = 0;
    this.#start = undefined;
  }

  /** Implements `in_time()`. */
  step(): number {
    this.#start ??= process.cpuUsage();
    if (this.#steps++ % stepsPerCheck === 0 && this.#used + timeSince(this.#start) >= this.#limit) {
      throw new SearchTooSlow();
    }
    return 1;
  }

  finishQuery(): void {
    if (this.#start === undefined) return;
    this.#used += timeSince(this.#start);
    this.#start = undefined;
  }
}

function timeSince(start: NodeJS.CpuUsage): number {
  const {user, system} = process.cpuUsage(start);
  return user + system;
}

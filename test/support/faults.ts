import {KilledError, KillSwitch} from '#test/state/kill-switch.ts';

/** A fault of one request: the body of the hook `fault`, and whether the server makes the change all the same. */
interface ChangeFault {
  readonly title: string;
  readonly fault: {readonly kind: string; readonly status?: number; readonly delay_ms?: number};
  /** How many changes the server has made when the fault is over. */
  readonly made: 0 | 1;
}

/** What can happen to a request that changes something. A story runs under them with `test.each(changeFaults)`. */
export const changeFaults = [
  {title: 'a lost response', fault: {kind: 'drop_after'}, made: 1},
  {title: 'a 500 after the commit', fault: {kind: 'status_after', status: 500}, made: 1},
  {title: 'a 500 without a commit', fault: {kind: 'status', status: 500}, made: 0},
  {title: 'a connection cut before the commit', fault: {kind: 'drop_before'}, made: 0},
  {title: 'a commit after the connection broke', fault: {kind: 'drop_late', delay_ms: 100}, made: 1},
] as const satisfies readonly ChangeFault[];

/** What can happen to any request. The client repeats it, or finds out what became of it. */
export const requestFaults = [
  {kind: 'html'},
  {kind: 'html', status: 200},
  {kind: 'html', status: 401},
  {kind: 'truncate'},
  {kind: 'gzip_bomb'},
  {kind: 'drop_before'},
  {kind: 'drop_after'},
  {kind: 'rate_limit', retry_after: 2},
  {kind: 'status', status: 500},
] as const;

/** What a network can do; the names are methods of `FaultyProxy`. */
export const networkFaults = [
  {what: 'resets all connections', fault: 'cut'},
  {what: 'drops all data', fault: 'silence'},
  {what: 'drops responses', fault: 'deafen'},
  {what: 'drips', fault: 'drip'},
] as const;

/**
 * Runs a story again and again, killed one step later each time, until it comes to its end. A step is a change on disk, a
 * request or a response. `check` looks at what the story left on disk. Returns the number of steps.
 */
export async function killedAtEachStep<T>(
  story: (killSwitch: KillSwitch, note: (told: T) => void) => Promise<void> | void,
  check: (told: readonly T[], step: number) => Promise<void> | void,
): Promise<number> {
  for (let step = 0; ; step++) {
    const killSwitch = new KillSwitch(step);
    const told: T[] = [];
    try {
      await Promise.race([story(killSwitch, (one) => void (killSwitch.isDead || told.push(one))), killSwitch.death]);
    } catch (error) {
      if (!(error instanceof KilledError)) throw error;
    }
    await check(told, step);
    if (!killSwitch.isDead) return step;
  }
}

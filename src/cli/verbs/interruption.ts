/** Somebody wants the program to end, or nobody reads what it prints any more. */
export class Interruption extends Error {
  override readonly name = 'Ending';
  readonly exitCode: number;

  constructor(reason: string, exitCode: number) {
    super(reason);
    this.exitCode = exitCode;
  }
}

/** As shells tell it: 128 and the signal's number. */
const signals = {SIGINT: 130, SIGTERM: 143, SIGHUP: 129} as const;

/** What does not heed the signal in time is left behind: all that must survive is on disk. */
const patienceMs = 3000;

/**
 * Aborted by the first signal, or by the end of whoever reads the output (`parley read … | head`). Output that was lost
 * is a failure, even when the verb was done by then, unless what it does must not be repeated for the lack of a line.
 */
export function interruptionSignal({isDeed = false} = {}): AbortSignal {
  const ending = new AbortController();
  const end = (reason: string, exitCode: number) => {
    if (ending.signal.aborted) process.exit(exitCode);
    ending.abort(new Interruption(reason, exitCode));
    setTimeout(() => process.exit(exitCode), patienceMs).unref();
  };
  for (const [name, code] of Object.entries(signals)) process.on(name, () => end(name, code));
  onLostOutput((exitCode) => {
    if (ending.signal.aborted) return;
    if (!isDeed) process.once('exit', () => (process.exitCode ||= exitCode));
    end('output', exitCode);
  });
  return ending.signal;
}

/** For what prints and is done: it ends when its output does. */
export function exitWhenOutputCloses(): void {
  onLostOutput((exitCode) => process.exit(exitCode));
}

/** Says once why; a reader that has enough is no failure. */
function onLostOutput(lost: (exitCode: 0 | 1) => void): void {
  let isLost = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isLost) return;
    isLost = true;
    const isClosed = error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED';
    if (!isClosed) process.stderr.write(`The output cannot be written: ${error.message}.\n`);
    lost(isClosed ? 0 : 1);
  });
  process.stderr.on('error', () => {});
}

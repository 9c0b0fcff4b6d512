/** The reason of an aborted verb: a signal, or an output that was closed. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  readonly exitCode: number;

  constructor(reason: string, exitCode: number) {
    super(reason);
    this.exitCode = exitCode;
  }
}

/** Exit codes as shells define them: 128 plus the number of the signal. */
const signals = {SIGINT: 130, SIGQUIT: 131, SIGTERM: 143, SIGHUP: 129} as const;

/** A verb that does not stop in this time is ended: everything that must survive is on disk. */
const forcedExitMs = 3000;

/**
 * Returns a signal that the first signal to the process aborts, or the end of the output's reader (`parley
 * read … | head`). Lost output is a failure even if the verb was done by then, unless `mustNotRepeat`:
 * repeating the verb because of a lost line would then do harm.
 */
export function interruptionSignal({mustNotRepeat = false} = {}): AbortSignal {
  const controller = new AbortController();
  const end = (reason: string, exitCode: number) => {
    if (controller.signal.aborted) process.exit(exitCode);
    controller.abort(new Interruption(reason, exitCode));
    setTimeout(() => process.exit(exitCode), forcedExitMs).unref();
  };
  for (const [name, code] of Object.entries(signals)) process.on(name, () => end(name, code));
  onLostOutput((exitCode) => {
    if (controller.signal.aborted) return;
    if (!mustNotRepeat) process.once('exit', () => (process.exitCode ||= exitCode));
    end('output', exitCode);
  });
  return controller.signal;
}

/** Exits when the output is closed: for verbs that only print. */
export function exitWhenOutputCloses(): void {
  onLostOutput((exitCode) => process.exit(exitCode));
}

/** Calls `lost` once when writing fails. A reader that has closed the output is no failure. */
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

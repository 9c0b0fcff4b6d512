/** Somebody wants the program to end, or nobody reads what it prints any more. */
export class Ending extends Error {
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

/** Aborted by the first signal, or by the end of whoever reads the output (`parley read … | head`). */
export function endings(): AbortSignal {
  const ending = new AbortController();
  const end = (reason: string, exitCode: number) => {
    if (ending.signal.aborted) process.exit(exitCode);
    ending.abort(new Ending(reason, exitCode));
    setTimeout(() => process.exit(exitCode), patienceMs).unref();
  };
  for (const [name, code] of Object.entries(signals)) process.on(name, () => end(name, code));
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has enough is no failure.
    if (ending.signal.aborted) return;
    const isClosed = error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED';
    if (!isClosed) process.stderr.write(`The output cannot be written: ${error.message}.\n`);
    end('output', isClosed ? 0 : 1);
  });
  process.stderr.on('error', () => {});
  return ending.signal;
}

import {appendFileSync} from 'node:fs';
import type {Writable} from 'node:stream';
import type {ServerEvent} from '#server/http/server-events.ts';
import type {Clock} from '#std/clock.ts';
import {printable} from '#std/printable.ts';

/** The log of a server: one line for each event and each failure. */
export interface ServerLog {
  /** Logs a line. It never contains credentials: only the route and the error. */
  line(text: string, error?: unknown): void;
  event(event: ServerEvent): void;
}

/** Writes a line, and calls `done` with whether it was written, now or later. Never throws. */
type LineWriter = (line: string, done: (isWritten: boolean) => void) => void;

/** Returns a log that is read by people, or as JSON by programs. Lines that cannot be written are counted. */
export function serverLog(format: 'text' | 'json', clock: Pick<Clock, 'now' | 'after'>, write: LineWriter): ServerLog {
  let lostCount = 0;
  const log = (event: string, text: string, fields: Readonly<Record<string, unknown>>, count = 1) => {
    const time = new Date(clock.now()).toISOString();
    const named = Object.entries(fields).filter(([, value]) => value !== undefined);
    const words = [time, event, text, ...named.map(([name, value]) => `${name}=${value}`)];
    const line = format === 'json' ? JSON.stringify({time, event, text, ...fields}) : words.join(' ');
    write(`${printable(line.replaceAll(/\s*\n\s*/g, ' | '))}\n`, (isWritten) => {
      if (!isWritten) lostCount += count;
      else if (lostCount > 0) logLost();
    });
  };
  const logLost = () => {
    const count = lostCount;
    lostCount = 0;
    const lines = count === 1 ? '1 line' : `${count} lines`;
    // When this line is lost too, it stands for those that it counts.
    log('notice', `${lines} of the log could not be written.`, {}, count);
  };
  return {
    line(text, error) {
      if (error === undefined) log('notice', text, {});
      else log('error', text, {error: error instanceof Error ? (error.stack ?? error.message) : String(error)});
    },
    event: summedRefusals(clock, ({event, request, ...fields}) => log(event, request, fields)),
  };
}

const summedMs = 60_000;
/** Above this number of different refusals, each has its line. */
const maxSummed = 1000;

/**
 * Returns a function that writes the first of equal refusals at once, and how many followed within a minute as one line. At the end of
 * the server it writes what it counted until then.
 */
function summedRefusals(
  clock: Pick<Clock, 'after'>,
  write: (event: ServerEvent) => void,
): (event: ServerEvent) => void {
  const open = new Map<string, {readonly close: () => void; repeated: number}>();
  return (event) => {
    if (event.event === 'end') for (const {close} of [...open.values()]) close();
    const key = JSON.stringify(event);
    const known = open.get(key);
    if (known !== undefined) {
      known.repeated += 1;
      return;
    }
    write(event);
    if (event.event !== 'refusal' || open.size >= maxSummed) return;
    const close = () => {
      cancel();
      const repeated = open.get(key)?.repeated ?? 0;
      open.delete(key);
      if (repeated > 0) write({...event, request: `${event.request} × ${repeated} in ${summedMs / 1000} s`, repeated});
    };
    const cancel = clock.after(summedMs, close);
    open.set(key, {close, repeated: 0});
  };
}

/**
 * Returns what writes lines to a file, or to standard error. The file is opened for each line, so that the system can
 * rename it at any time; on a full disk the lines go to standard error.
 */
export function logWriter(path: string | undefined, stderr: Writable): LineWriter {
  const toStderr = streamWriter(stderr);
  if (path === undefined) return toStderr;
  return (line, done) => {
    try {
      appendFileSync(path, line, {mode: 0o600});
    } catch {
      toStderr(line, done);
      return;
    }
    done(true);
  };
}

/** The characters that may wait for a slow reader of standard error; more are lost. */
const maxWaiting = 1024 * 1024;

/** Returns what writes lines to a stream that may fail and work again, such as a file on a disk that was full. */
function streamWriter(stream: Writable): LineWriter {
  stream.on('error', () => {});
  return (line, done) => {
    if (stream.writableLength > maxWaiting) done(false);
    else stream.write(line, (error) => done(error == null));
  };
}

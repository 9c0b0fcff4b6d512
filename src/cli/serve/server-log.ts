import {appendFileSync} from 'node:fs';
import type {ServerEvent} from '#server/http/server-events.ts';
import type {Clock} from '#std/clock.ts';
import {printable} from '#std/printable.ts';

/** The log of a server: one line for each event and each failure. */
export interface ServerLog {
  /** Logs a line. It never contains credentials: only the route and the error. */
  line(text: string, error?: unknown): void;
  event(event: ServerEvent): void;
}

/** Returns a log that is read by people, or as JSON by programs. */
export function serverLog(format: 'text' | 'json', clock: Clock, write: (line: string) => void): ServerLog {
  const log = (event: string, text: string, fields: Readonly<Record<string, unknown>>) => {
    const time = new Date(clock.now()).toISOString();
    const named = Object.entries(fields).filter(([, value]) => value !== undefined);
    const words = [time, event, text, ...named.map(([name, value]) => `${name}=${value}`)];
    const line = format === 'json' ? JSON.stringify({time, event, text, ...fields}) : words.join(' ');
    write(`${printable(line.replaceAll(/\s*\n\s*/g, ' | '))}\n`);
  };
  return {
    line(text, error) {
      if (error === undefined) log('notice', text, {});
      else log('error', text, {error: error instanceof Error ? (error.stack ?? error.message) : String(error)});
    },
    event: ({event, request, ...fields}) => log(event, request, fields),
  };
}

/**
 * Returns what writes lines to a file, or to standard error. The file is opened for each line, so that the system can
 * rename it at any time; on a full disk the lines go to standard error.
 */
export function logWriter(path: string | undefined, toStderr: (line: string) => void): (line: string) => void {
  if (path === undefined) return toStderr;
  return (line) => {
    try {
      appendFileSync(path, line, {mode: 0o600});
    } catch {
      toStderr(line);
    }
  };
}

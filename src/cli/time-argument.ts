import {parseMoment} from '#ui/format/parse-moment.ts';
import {UsageError} from './failures.ts';
import type {CliIo} from './io.ts';

/** Returns the time that `--at` gives, in UNIX seconds. Throws when it is missing, unknown or past. */
export function timeArgument(text: string | undefined, {clock}: Pick<CliIo, 'clock'>): number {
  if (text === undefined) throw new UsageError('Give the time with --at, such as --at "tomorrow 9:00".');
  const now = clock.now();
  const at = parseMoment(text, now, undefined);
  if (at === undefined) {
    throw new UsageError(`“${text}” is not a time. Write tomorrow 9:00, fri 14:00, in 2 hours or 2026-05-12 14:30.`);
  }
  if (at <= now) throw new UsageError(`“${text}” is in the past.`);
  return Math.ceil(at / 1000);
}

/** Returns a time of UNIX seconds such as `2026-05-12 14:30`, in the time zone of this machine. */
export function timeText(seconds: number): string {
  const at = new Date(seconds * 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

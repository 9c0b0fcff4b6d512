function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** Returns the day in the time zone of this machine: `2026-05-01`. */
export function localDay(at: Date): string {
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Returns the time of the day in the time zone of this machine: `09:30`. */
export function localClock(at: Date): string {
  return `${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** Returns an instant in local time with its offset: `2026-05-01 09:30 +02:00`. */
export function zonedTime(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  return `${localDay(at)} ${localClock(at)} ${offset}`;
}

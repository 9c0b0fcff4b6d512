/** Returns an instant in local time with its offset: `2026-05-01 09:30 +02:00`. */
export function zonedTime(time: string): string {
  const at = new Date(time);
  const minutes = -at.getTimezoneOffset();
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  return `${localDay(time)} ${two(at.getHours())}:${two(at.getMinutes())} ${offset}`;
}

/** Returns the local day of an instant: `2026-05-01`. */
export function localDay(time: string): string {
  const at = new Date(time);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

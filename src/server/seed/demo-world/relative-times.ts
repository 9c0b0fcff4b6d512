/** Parses the demo's times, which are relative to the time of seeding and local; see assets/demo/README.md. */

const unitMs: Readonly<Record<string, number>> = {s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000};

/** Returns the milliseconds of a duration such as `3m`. */
export function parseDuration(text: string): number {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const length = unitMs[unit];
  if (length === undefined) throw new Error(`“${text}” is not a duration such as 3m, 2h or 5s`);
  return Number(count) * length;
}

/** Returns a message's time in milliseconds. Times such as `+3m` are relative to `previous`. */
export function parsePastTime(text: string, now: number, previous?: number): number {
  if (text.startsWith('+')) {
    if (previous === undefined) throw new Error(`“${text}” has no earlier message to count from`);
    return previous + parseDuration(text.slice(1));
  }
  if (text.startsWith('~')) return now - parseDuration(text.slice(1));
  const [, count, unit = '', hours, minutes] = /^-(\d+)(w|d|sun|sat) ([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (count === undefined) throw new Error(`“${text}” is not a time`);
  const back = daysBack(Number(count), unit, new Date(now).getDay());
  return atDay(now, -back, Number(hours), Number(minutes));
}

function daysBack(count: number, unit: string, today: number): number {
  if (count === 0) throw new Error('the number of days must be at least 1');
  if (unit === 'w') return workingDaysBack(count, today);
  if (unit === 'd') return count;
  const lastSunday = (today === 0 ? 7 : today) + 7 * (count - 1);
  return unit === 'sun' ? lastSunday : lastSunday + 1;
}

/** Returns how many days ago the given number of working days began, Monday to Friday, without today. */
function workingDaysBack(count: number, today: number): number {
  let back = 0;
  for (let left = count; left > 0; ) {
    back++;
    const day = (((today - back) % 7) + 7) % 7;
    if (day !== 0 && day !== 6) left--;
  }
  return back;
}

/** Returns a future time in milliseconds: `+3h`, or `+1d 09:00` for tomorrow at nine. */
export function parseFutureTime(text: string, now: number): number {
  const [, days, hours, minutes] = /^\+(\d+)d ([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (days !== undefined) return atDay(now, Number(days), Number(hours), Number(minutes));
  if (!text.startsWith('+')) throw new Error(`“${text}” is not a future time`);
  return now + parseDuration(text.slice(1));
}

/** Returns the date of `+24d` or `-2d` as `2026-12-09`. */
export function formatRelativeDate(text: string, now: number): string {
  const [, sign, days] = /^([+-])(\d+)d$/.exec(text) ?? [];
  if (days === undefined) throw new Error(`“${text}” is not a number of days such as +24d`);
  const date = new Date(atDay(now, Number(days) * (sign === '-' ? -1 : 1), 12, 0));
  const two = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Returns a past or future time as `2026-11-21T14:00:00Z`. */
export function formatRelativeInstant(text: string, now: number): string {
  const at = text.startsWith('+') ? parseFutureTime(text, now) : parsePastTime(text, now);
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

function atDay(now: number, days: number, hours: number, minutes: number): number {
  const today = new Date(now);
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() + days, hours, minutes).getTime();
}

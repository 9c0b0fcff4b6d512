import {instantOf, wallTime} from '#std/parse-moment.ts';
import {parseTimeRange, type TimeRange} from '#std/time-range.ts';

/** A time of the day in which nothing notifies, on some days of the week. */
interface QuietWindow extends TimeRange {
  /** The days on which it begins, from 0 for Sunday. */
  readonly days: ReadonlySet<number>;
}

const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const hourMinutes = 60;
const weekDays = 7;
const wholeDay: TimeRange = {from: 0, to: 24 * hourMinutes};

/** Parses `22:00-08:00`, `mon-fri 22:00-7:00, sat sun`; undefined for other texts. Days without a time are quiet as a whole. */
export function parseQuietHours(text: string): readonly QuietWindow[] | undefined {
  if (text.trim() === '') return [];
  const windows = text.toLowerCase().split(',').map(parseWindow);
  return windows.every((one) => one !== undefined) ? windows : undefined;
}

function parseWindow(text: string): QuietWindow | undefined {
  const [, dayText = '', timeText] = /^([a-z\s-]*?)\s*(\d.*)?$/.exec(text.trim()) ?? [];
  const words = dayText.split(/\s+/).filter((word) => word !== '');
  const days = words.map(parseDays);
  const range = timeText === undefined ? wholeDay : parseTimeRange(timeText);
  const isEmpty = words.length === 0 && timeText === undefined;
  if (isEmpty || range === undefined || !days.every((one) => one !== undefined)) return undefined;
  return {days: new Set(words.length === 0 ? dayNames.keys() : days.flat()), ...range};
}

/** Returns the days of `sat` or `fri-mon`. */
function parseDays(word: string): readonly number[] | undefined {
  const [first = -1, last = first, ...more] = word.split('-').map((name) => dayNames.indexOf(name));
  if (first < 0 || last < 0 || more.length > 0) return undefined;
  const count = ((last - first + weekDays) % weekDays) + 1;
  return Array.from({length: count}, (_, at) => (first + at) % weekDays);
}

/** Whether a moment is in quiet hours, by the clock on the wall: a change of the clock moves their start and end with it. */
export function isInQuietHours(text: string, atMs: number, zone: string | undefined): boolean {
  return windowEnd(parseQuietHours(text) ?? [], atMs, zone) !== undefined;
}

/** Returns when the quiet hours of a moment end, `Infinity` for those that never do; undefined if the moment is in none. */
export function quietHoursEnd(text: string, atMs: number, zone: string | undefined): number | undefined {
  const windows = parseQuietHours(text) ?? [];
  let end = windowEnd(windows, atMs, zone);
  // One window may begin where another ends.
  for (let step = 0; end !== undefined && step <= weekDays * windows.length; step += 1) {
    const next = windowEnd(windows, end, zone);
    if (next === undefined) return end;
    end = next;
  }
  return end === undefined ? undefined : Number.POSITIVE_INFINITY;
}

/** Returns the last end of the windows that a moment is in. */
function windowEnd(windows: readonly QuietWindow[], atMs: number, zone: string | undefined): number | undefined {
  if (windows.length === 0) return undefined;
  const wall = wallTime(atMs, zone);
  const today = new Date(Date.UTC(wall.year, wall.month - 1, wall.day)).getUTCDay();
  const yesterday = (today + weekDays - 1) % weekDays;
  const now = wall.hour * hourMinutes + wall.minute;
  const ends = windows.flatMap(({days, from, to}) => {
    if (days.has(today) && now >= from && (from >= to || now < to)) return from < to ? [to] : [to + wholeDay.to];
    return from >= to && days.has(yesterday) && now < to ? [to] : [];
  });
  return ends.length === 0 ? undefined : instantOf({...wall, hour: 0, minute: Math.max(...ends)}, zone);
}

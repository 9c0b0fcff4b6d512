import {wallTime} from '#std/parse-moment.ts';
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
  const windows = parseQuietHours(text) ?? [];
  if (windows.length === 0) return false;
  const {year, month, day, hour, minute} = wallTime(atMs, zone);
  const today = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
  const yesterday = (today + weekDays - 1) % weekDays;
  const now = hour * hourMinutes + minute;
  return windows.some(({days, from, to}) => {
    if (from < to) return days.has(today) && now >= from && now < to;
    return (days.has(today) && now >= from) || (days.has(yesterday) && now < to);
  });
}

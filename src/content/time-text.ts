import {printableLine} from '#std/printable.ts';
import {isoInstant} from './iso-instant.ts';

export interface TimeOptions {
  /** IANA name; undefined is the machine's own. One that nobody knows counts as undefined. */
  readonly zone?: string | undefined;
  /** Undefined leaves it to the locale. */
  readonly hour12?: boolean | undefined;
  /** Undefined is plain English: `Tue 12 May, 14:30`. */
  readonly locale?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** `Tue 12 May, 14:30` for a time in UTC, with the year when it is another; what is not a time stays as it is. */
export function timeText(datetime: string, options: TimeOptions): string {
  const instant = isoInstant(datetime);
  if (instant === undefined) return printableLine(datetime);
  const at = Date.parse(instant);
  return `${dateText(at, options)}, ${clockText(at, options)}`;
}

/** `14:30` or `2:30 PM`. Times are in milliseconds; what is not one gives nothing. */
export function clockText(at: number, options: TimeOptions): string {
  if (!isTime(at)) return '';
  if (isUsual(at, options)) return usualClock(new Date(at), options.hour12 === true);
  return plain(formats(options).clock.format(at));
}

/** For headers: `today`, `yesterday`, `tomorrow`, else the date. */
export function dayText(at: number, options: TimeOptions): string {
  if (!isTime(at)) return '';
  const days = isTime(options.now) ? dayNumber(at, options) - dayNumber(options.now, options) : Number.NaN;
  if (days === 0) return 'today';
  if (days === -1) return 'yesterday';
  if (days === 1) return 'tomorrow';
  return dateText(at, options);
}

/** `Tue 12 May`, with the year when it is not this one. */
export function dateText(at: number, options: TimeOptions): string {
  if (!isTime(at)) return '';
  if (isUsual(at, options)) return usualDate(new Date(at), new Date(options.now));
  const {year: yearOf, short, long} = formats(options);
  const thisYear = isTime(options.now) && yearOf.format(at) === yearOf.format(options.now);
  const format = thisYear ? short : long;
  if (options.locale !== undefined) return plain(format.format(at));
  // Put together here, because the commas of English change from one release of the tables to the next.
  const parts = new Map(format.formatToParts(at).map(({type, value}) => [type, value]));
  const words = [parts.get('weekday'), parts.get('day'), parts.get('month'), parts.get('year')];
  return plain(words.filter((word) => word !== undefined).join(' '));
}

/** How many midnights of that zone have passed: equal for two times of one day there. */
export function dayNumber(at: number, options: TimeOptions): number {
  if (isUsual(at, options)) {
    const date = new Date(at);
    return Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / dayMs);
  }
  const parts = new Map(
    formats(options)
      .day.formatToParts(at)
      .map(({type, value}) => [type, Number(value)]),
  );
  const [year = 0, month = 1, day = 1] = [parts.get('year'), parts.get('month'), parts.get('day')];
  return Math.round(Date.UTC(year, month - 1, day) / dayMs);
}

const dayMs = 86_400_000;
/** Beyond these times calendars differ. */
const latest = Date.UTC(3000, 0);
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];

/** The machine's zone and plain English need no formatters, whose tables take 30 ms to load. */
function isUsual(at: number, {zone, locale}: TimeOptions): boolean {
  return (zone === undefined || zone === '') && locale === undefined && at >= 0 && at < latest;
}

function usualClock(date: Date, isHour12: boolean): string {
  const hours = date.getHours();
  const minutes = String(date.getMinutes()).padStart(2, '0');
  if (!isHour12) return `${String(hours).padStart(2, '0')}:${minutes}`;
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`;
}

function usualDate(date: Date, now: Date): string {
  const words = [weekdays[date.getDay()], date.getDate(), months[date.getMonth()]];
  const year = date.getFullYear();
  return (year === now.getFullYear() ? words : [...words, year]).join(' ');
}

interface Formats {
  readonly clock: Intl.DateTimeFormat;
  readonly short: Intl.DateTimeFormat;
  readonly long: Intl.DateTimeFormat;
  readonly year: Intl.DateTimeFormat;
  readonly day: Intl.DateTimeFormat;
}

/** A formatter takes a hundred times as long to make as to use. There are as many as settings have been seen. */
const made = new Map<string, Formats>();
const mostMade = 50;

function formats({zone, hour12, locale}: TimeOptions): Formats {
  const key = `${zone ?? ''}\n${hour12}\n${locale ?? ''}`;
  let known = made.get(key);
  if (known === undefined) {
    if (made.size >= mostMade) made.clear();
    known = newFormats(knownLocale(locale), knownZone(zone), hour12);
    made.set(key, known);
  }
  return known;
}

function newFormats(locale: string, timeZone: string | undefined, hour12: boolean | undefined): Formats {
  const zone = timeZone === undefined ? {} : {timeZone};
  const cycle =
    hour12 === undefined ? {} : hour12 ? ({hourCycle: 'h12'} as const) : ({hourCycle: 'h23'} as const);
  const date = {weekday: 'short', day: 'numeric', month: 'short', ...zone} as const;
  return {
    clock: new Intl.DateTimeFormat(hour12 && locale === 'en-GB' ? 'en-US' : locale, {
      hour: hour12 === false || (hour12 === undefined && locale === 'en-GB') ? '2-digit' : 'numeric',
      minute: '2-digit',
      ...cycle,
      ...zone,
    }),
    short: new Intl.DateTimeFormat(locale, date),
    long: new Intl.DateTimeFormat(locale, {...date, year: 'numeric'}),
    year: new Intl.DateTimeFormat('en-GB', {year: 'numeric', ...zone}),
    day: new Intl.DateTimeFormat('en-GB', {year: 'numeric', month: 'numeric', day: 'numeric', ...zone}),
  };
}

function knownZone(zone: string | undefined): string | undefined {
  if (zone === undefined || zone === '') return undefined;
  try {
    new Intl.DateTimeFormat('en-GB', {timeZone: zone});
    return zone;
  } catch {
    return undefined;
  }
}

function knownLocale(locale: string | undefined): string {
  if (locale === undefined) return 'en-GB';
  try {
    return new Intl.DateTimeFormat(locale).resolvedOptions().locale;
  } catch {
    return 'en-GB';
  }
}

function isTime(at: number): boolean {
  return Math.abs(at) <= 8.64e15;
}

/** Locales put narrow spaces and direction marks into times. */
function plain(text: string): string {
  return printableLine(text.replaceAll(/\p{Zs}/gu, ' '));
}

/** Dates and times as the user sees them. */

import type {LocaleFormat} from '#std/locale-format.ts';
import {LruCache} from '#std/lru-cache.ts';
import {wallTime} from '#std/parse-moment.ts';
import {printableLine} from '#std/printable.ts';
import {isoInstant} from './iso-instant.ts';

export interface TimeOptions {
  /** The IANA name of a time zone; the machine's own when undefined or unknown. */
  readonly zone?: string | undefined;
  /** When undefined, the locale decides. */
  readonly hour12?: boolean | undefined;
  /** The order of day, month and year in plain English dates; the day first when undefined. */
  readonly dateOrder?: LocaleFormat['dateOrder'] | undefined;
  /** When undefined, dates are plain English: `Tue 12 May, 14:30`. */
  readonly locale?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Returns `Tue 12 May, 14:30` for a UTC time, with the year when it is not this year. Other text is returned as it is. */
export function timeText(datetime: string, options: TimeOptions): string {
  const instant = isoInstant(datetime);
  if (instant === undefined) return printableLine(datetime);
  const at = Date.parse(instant);
  return `${dateText(at, options)}, ${clockText(at, options)}`;
}

/** Returns `14:30` or `2:30 PM` for a time in milliseconds; an empty text for an invalid time. */
export function clockText(at: number, options: TimeOptions): string {
  if (!isTime(at)) return '';
  if (needsNoFormatter(at, options)) return plainClock(new Date(at), options.hour12 === true);
  return withoutSpecialSpaces(formats(options).clock.format(at));
}

/** Returns `today`, `yesterday`, `tomorrow` or the date, for headers. */
export function dayText(at: number, options: TimeOptions): string {
  if (!isTime(at)) return '';
  const days = isTime(options.now) ? dayNumber(at, options) - dayNumber(options.now, options) : Number.NaN;
  if (days === 0) return 'today';
  if (days === -1) return 'yesterday';
  if (days === 1) return 'tomorrow';
  return dateText(at, options);
}

/** Returns `Tue 12 May`, with the year when it is not this year. */
export function dateText(at: number, options: TimeOptions): string {
  if (!isTime(at)) return '';
  if (needsNoFormatter(at, options)) return plainDate(new Date(at), new Date(options.now), options.dateOrder);
  const {year: yearOf, short, long} = formats(options);
  const thisYear = isTime(options.now) && yearOf.format(at) === yearOf.format(options.now);
  const format = thisYear ? short : long;
  if (options.locale !== undefined) return withoutSpecialSpaces(format.format(at));
  // The parts are joined here, because the commas of English dates differ between ICU versions.
  const parts = new Map(format.formatToParts(at).map(({type, value}) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  return withoutSpecialSpaces(
    dateWords(options.dateOrder, {d: part('day'), m: part('month'), y: part('year')}, part('weekday')),
  );
}

/** Returns the number of a calendar day in the zone: equal for two times of one day there. */
export function dayNumber(at: number, options: TimeOptions): number {
  if (needsNoFormatter(at, options)) {
    const date = new Date(at);
    return Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / dayMs);
  }
  const {year, month, day} = wallTime(at, options.zone);
  return Math.round(Date.UTC(year, month - 1, day) / dayMs);
}

const dayMs = 86_400_000;
/** Later times use the formatters. */
const latest = Date.UTC(3000, 0);
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];

/** Returns whether no formatters are needed: in the machine's zone and plain English. Their tables take 30 ms to load. */
function needsNoFormatter(at: number, {zone, locale}: TimeOptions): boolean {
  return (zone === undefined || zone === '') && locale === undefined && at >= 0 && at < latest;
}

function plainClock(date: Date, isHour12: boolean): string {
  const hours = date.getHours();
  const minutes = String(date.getMinutes()).padStart(2, '0');
  if (!isHour12) return `${String(hours).padStart(2, '0')}:${minutes}`;
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`;
}

function plainDate(date: Date, now: Date, order: TimeOptions['dateOrder']): string {
  const year = date.getFullYear();
  const parts = {
    d: String(date.getDate()),
    m: months[date.getMonth()] ?? '',
    y: year === now.getFullYear() ? '' : String(year),
  };
  return dateWords(order, parts, weekdays[date.getDay()] ?? '');
}

/** Returns `Tue 12 May 2026`, `Tue May 12 2026` or `Tue 2026 May 12`; an empty part is left out. */
function dateWords(
  order: TimeOptions['dateOrder'] = 'dmy',
  parts: Readonly<Record<'d' | 'm' | 'y', string>>,
  weekday: string,
): string {
  const words = {dmy: [parts.d, parts.m, parts.y], mdy: [parts.m, parts.d, parts.y], ymd: [parts.y, parts.m, parts.d]};
  return [weekday, ...words[order]].filter((word) => word !== '').join(' ');
}

interface Formats {
  readonly clock: Intl.DateTimeFormat;
  readonly short: Intl.DateTimeFormat;
  readonly long: Intl.DateTimeFormat;
  readonly year: Intl.DateTimeFormat;
}

/** The formatters by settings: creating one takes a hundred times as long as using it, and it has tens of kilobytes. */
const formatsBySettings = new LruCache<string, Formats>(8);

function formats({zone, hour12, locale}: TimeOptions): Formats {
  const key = `${zone ?? ''}\n${hour12}\n${locale ?? ''}`;
  return formatsBySettings.getOrCompute(key, () => newFormats(knownLocale(locale), knownZone(zone), hour12));
}

function newFormats(locale: string, timeZone: string | undefined, hour12: boolean | undefined): Formats {
  const zone = timeZone === undefined ? {} : {timeZone};
  const hourCycle = hour12 ? 'h12' : 'h23';
  const cycle = hour12 === undefined ? {} : ({hourCycle} as const);
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

/** Removes the narrow spaces and direction marks that locales put into times. */
function withoutSpecialSpaces(text: string): string {
  return printableLine(text.replaceAll(/\p{Zs}/gu, ' '));
}

import {type LocaleFormat, plainFormat} from './locale-format.ts';
import {LruCache} from './lru-cache.ts';

/** A date and time of day in some zone. */
interface WallTime {
  readonly year: number;
  /** 1 is January. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

const minuteMs = 60_000;
const formats = new LruCache<string, Intl.DateTimeFormat>(4);

function formatFor(zone: string | undefined): Intl.DateTimeFormat {
  return formats.getOrCompute(zone ?? '', () => newFormat(zone));
}

/** An unknown zone counts as the machine's. */
function newFormat(zone: string | undefined): Intl.DateTimeFormat {
  const fields = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  } as const;
  try {
    return new Intl.DateTimeFormat('en-US', {
      ...fields,
      ...(zone !== undefined && zone !== '' && {timeZone: zone}),
    });
  } catch {
    return new Intl.DateTimeFormat('en-US', fields);
  }
}

export function wallTime(atMs: number, zone: string | undefined): WallTime {
  const parts = new Map(
    formatFor(zone)
      .formatToParts(atMs)
      .map(({type, value}) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
  };
}

function asUtc({year, month, day, hour, minute}: WallTime): number {
  return Date.UTC(year, month - 1, day, hour, minute);
}

/** Returns the zone's offset from UTC in minutes at that moment. */
function zoneOffset(atMs: number, zone: string | undefined): number {
  const whole = Math.floor(atMs / minuteMs) * minuteMs;
  return Math.round((asUtc(wallTime(whole, zone)) - whole) / minuteMs);
}

/** Returns the instant of a wall time. Fields may overflow: the 32nd is the first of the next month. */
export function instantOf(wall: WallTime, zone: string | undefined): number {
  const naive = asUtc(wall);
  const guess = naive - zoneOffset(naive, zone) * minuteMs;
  return naive - zoneOffset(guess, zone) * minuteMs;
}

/** Returns a time such as `2026-05-12T14:30:00+02:00`. */
export function isoWithOffset(atMs: number, zone: string | undefined): string {
  const offset = zoneOffset(atMs, zone);
  const local = new Date(Math.floor(atMs / minuteMs) * minuteMs + offset * minuteMs).toISOString().slice(0, 19);
  const hours = Math.floor(Math.abs(offset) / 60);
  const minutes = Math.abs(offset) % 60;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${local}${offset < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`;
}

/** The part of a locale that says when weeks begin. */
type Week = Pick<LocaleFormat, 'firstDay' | 'firstWorkday'>;

/** Returns a suggested time such as `monday 9:00` with the day on which work begins in the locale. */
export function withWorkday(text: string, {firstWorkday}: Week = plainFormat): string {
  return text.replace('monday', weekdays[firstWorkday] ?? 'monday');
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
const units: Readonly<Record<string, number>> = {
  minute: 1,
  min: 1,
  m: 1,
  hour: 60,
  hr: 60,
  h: 60,
  day: 1440,
  d: 1440,
  week: 10_080,
};

/**
 * Parses `tomorrow 14:00`, `mon at 9`, `next week`, `in 2 hours`, `20 min`, `5:30 pm`, `2026-05-12 14:30`; undefined for other texts.
 */
export function parseMoment(
  written: string,
  nowMs: number,
  zone: string | undefined,
  week: Week = plainFormat,
): number | undefined {
  const text = written.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  return distance(text, nowMs) ?? date(text, zone) ?? dayAndTime(text, nowMs, zone, week);
}

function distance(text: string, nowMs: number): number | undefined {
  if (text === 'now') return nowMs;
  const [, count, unit = ''] = /^(?:in )?(\d{1,4}|an?) ?([a-z]+?)s?$/.exec(text) ?? [];
  const minutes = units[unit];
  if (count === undefined || minutes === undefined) return undefined;
  return nowMs + (Number(count) || 1) * minutes * minuteMs;
}

function date(text: string, zone: string | undefined): number | undefined {
  const match = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[t ]+(\d{1,2})(?::(\d{2}))? ?(am|pm)?)?$/.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 1, day = 1, typedHour = 9, minute = 0] = match
    .slice(1, 6)
    .map((field) => (field === undefined ? undefined : Number(field)));
  const hour = hourOf(typedHour, match[6]);
  const isReal = month >= 1 && month <= 12 && day >= 1 && day <= 31 && typedHour < 24 && minute < 60;
  return isReal ? instantOf({year, month, day, hour, minute}, zone) : undefined;
}

function hourOf(typed: number, half: string | undefined): number {
  return (typed % (half === undefined ? 24 : 12)) + (half === 'pm' ? 12 : 0);
}

function dayAndTime(text: string, nowMs: number, zone: string | undefined, week: Week): number | undefined {
  const [, word, hourText, minuteText, half] =
    /^(today|tomorrow|next week|[a-z]{3,9})?,? ?(?:(?:at )?(\d{1,2})(?::(\d{2}))? ?(am|pm)?)?$/.exec(text) ?? [];
  if (word === undefined && (hourText === undefined || (minuteText === undefined && half === undefined))) {
    return undefined;
  }
  const now = wallTime(nowMs, zone);
  const days = word === undefined ? undefined : daysUntil(word, now, week);
  if (word !== undefined && days === undefined) return undefined;
  const hour = hourOf(Number(hourText ?? 9), half);
  if (Number(hourText ?? 0) > 23 || Number(minuteText ?? 0) > 59) return undefined;
  const at = (later: number) => instantOf({...now, day: now.day + later, hour, minute: Number(minuteText ?? 0)}, zone);
  // A time without a day is the next occurrence.
  if (days === undefined) return at(0) > nowMs ? at(0) : at(1);
  return at(days);
}

/** Returns the days until a weekday's next occurrence, never today; until the first day of work of the next week. */
function daysUntil(word: string, now: WallTime, {firstDay, firstWorkday}: Week): number | undefined {
  if (word === 'today') return 0;
  if (word === 'tomorrow') return 1;
  const today = new Date(asUtc(now)).getUTCDay();
  const until = (weekday: number) => (weekday - today + 7) % 7 || 7;
  if (word === 'next week') return until(firstDay) + ((firstWorkday - firstDay + 7) % 7);
  const weekday = weekdays.findIndex((name) => name.startsWith(word));
  return weekday < 0 ? undefined : until(weekday);
}

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** A time of day after the day, or alone: `14:30`, `at 2:30 pm`, `9am`. A number alone is part of a date. */
const timeOfDay = /(?:^| |(?<=\d)t)(?:at )?(\d{1,2})(?::(\d{2}))?(?::\d{2})? ?([ap]m)?$/;

/**
 * Returns the start of a past day, or a time of it: `yesterday`, `3 weeks ago`, `this week`, `last friday`, `12 May`, `in march`,
 * `May 2025`, `2025-05-12`, `yesterday 14:30`; undefined for other texts. A day without a year is the latest one.
 */
export function parsePastDay(
  written: string,
  nowMs: number,
  zone: string | undefined,
  week: Week = plainFormat,
): number | undefined {
  const text = written
    .trim()
    .toLowerCase()
    .replaceAll(/[\s,]+/g, ' ');
  const now = wallTime(nowMs, zone);
  const {day, hour, minute} = withoutTime(text);
  const wall = relativeDay(day, now, week) ?? isoDay(day) ?? namedDay(day.replace(/^in /, ''), now);
  return wall === undefined || hour > 23 || minute > 59 ? undefined : instantOf({...wall, hour, minute}, zone);
}

const shortUnits: Readonly<Record<string, string>> = {m: 'min', h: 'hours', d: 'days', w: 'weeks'};

/**
 * Parses a time before now: `30m`, `2 hours`, `yesterday 14:00`, `mon`, `9:30`, or a date with or without a time, which
 * are local unless they name a zone. A date may be in the future. Returns milliseconds since the epoch.
 */
export function parsePastMoment(written: string, now: number): number | undefined {
  const text = written.trim().replace(/ ago$/, '');
  const distance = text.replace(/^(\d+) ?([mhdw])$/, (_all, count, unit) => `${count} ${shortUnits[unit]}`);
  const ahead = /^(\d+|an?) [a-z]+$/.test(distance) ? parseMoment(distance, now, undefined) : undefined;
  if (ahead !== undefined) return now - (ahead - now);
  if (/^\d{4}-\d{2}-\d{2}t[\d:.]+(?:z|[+-]\d{2}:?\d{2})$/i.test(text)) return Date.parse(text) || undefined;
  const day = parsePastDay(text, now, undefined);
  // A time alone that is still to come today was yesterday.
  return day !== undefined && day > now && !/[a-z]{3}|-/.test(text) ? day - 86_400_000 : day;
}

function withoutTime(text: string): {readonly day: string; readonly hour: number; readonly minute: number} {
  const [all = '', hour, minute, half] = timeOfDay.exec(text) ?? [];
  if (minute === undefined && half === undefined) return {day: text, hour: 0, minute: 0};
  return {
    day: text.slice(0, text.length - all.length) || 'today',
    hour: half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'pm' ? 12 : 0),
    minute: Number(minute ?? 0),
  };
}

function relativeDay(text: string, now: WallTime, {firstDay}: Week): WallTime | undefined {
  if (text === 'today') return now;
  if (text === 'yesterday') return {...now, day: now.day - 1};
  const today = new Date(Date.UTC(now.year, now.month - 1, now.day)).getUTCDay();
  if (text === 'this week') return {...now, day: now.day - ((today - firstDay + 7) % 7)};
  const [, count, unit] = /^(\d{1,4}|an?|last) (day|week|month|year)s?(?: ago)?$/.exec(text) ?? [];
  if (count !== undefined) {
    const by = Number(count) || 1;
    if (unit === 'day') return {...now, day: now.day - by};
    if (unit === 'week') return {...now, day: now.day - 7 * by};
    return unit === 'month' ? {...now, month: now.month - by} : {...now, year: now.year - by};
  }
  const name = text.replace(/^last /, '');
  const weekday = name.length < 3 ? -1 : weekdays.findIndex((day) => day.startsWith(name));
  if (weekday < 0) return undefined;
  return {...now, day: now.day - ((today - weekday + 7) % 7 || 7)};
}

function isoDay(text: string): WallTime | undefined {
  const match = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 1, day = 1] = match.slice(1).map((part) => (part === undefined ? undefined : Number(part)));
  return realDay(year, month, day);
}

function namedDay(text: string, now: WallTime): WallTime | undefined {
  const [, before, name = '', after, written] =
    /^(?:(\d{1,2}) )?([a-z]{3,9})(?: (\d{1,2}))?(?: (\d{4}))?$/.exec(text) ?? [];
  const month = name === '' ? 0 : months.findIndex((one) => one.startsWith(name)) + 1;
  if (month === 0 || (before !== undefined && after !== undefined)) return undefined;
  const day = Number(before ?? after ?? 1);
  if (written !== undefined) return realDay(Number(written), month, day);
  const isPast = month < now.month || (month === now.month && day <= now.day);
  return realDay(isPast ? now.year : now.year - 1, month, day);
}

function realDay(year: number, month: number, day: number): WallTime | undefined {
  const isReal = month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
  return isReal ? {year, month, day, hour: 0, minute: 0} : undefined;
}

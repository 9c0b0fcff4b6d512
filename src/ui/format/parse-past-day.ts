import {instantOf, type WallTime, wallTime} from './parse-moment.ts';

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
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
 * Returns the start of a past day, or a time of it: `yesterday`, `3 weeks ago`, `last friday`, `12 May`, `in march`,
 * `May 2025`, `2025-05-12`, `yesterday 14:30`; undefined for other texts. A day without a year is the latest one.
 */
export function parsePastDay(written: string, nowMs: number, zone: string | undefined): number | undefined {
  const text = written
    .trim()
    .toLowerCase()
    .replaceAll(/[\s,]+/g, ' ');
  const now = wallTime(nowMs, zone);
  const {day, hour, minute} = withoutTime(text);
  const wall = relativeDay(day, now) ?? isoDay(day) ?? namedDay(day.replace(/^in /, ''), now);
  return wall === undefined || hour > 23 || minute > 59 ? undefined : instantOf({...wall, hour, minute}, zone);
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

function relativeDay(text: string, now: WallTime): WallTime | undefined {
  if (text === 'today') return now;
  if (text === 'yesterday') return {...now, day: now.day - 1};
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
  const today = new Date(Date.UTC(now.year, now.month - 1, now.day)).getUTCDay();
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

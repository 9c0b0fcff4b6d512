import {LruCache} from '#std/lru-cache.ts';

/** A date and time of day in some zone. */
export interface WallTime {
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
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return `${local}${offset < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`;
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

/** Parses `tomorrow 14:00`, `mon at 9`, `in 2 hours`, `20 min`, `5:30 pm`, `2026-05-12 14:30`; undefined for other texts. */
export function parseMoment(written: string, nowMs: number, zone: string | undefined): number | undefined {
  const text = written.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  return distance(text, nowMs) ?? date(text, zone) ?? dayAndTime(text, nowMs, zone);
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

function dayAndTime(text: string, nowMs: number, zone: string | undefined): number | undefined {
  const [, word, hourText, minuteText, half] =
    /^(today|tomorrow|[a-z]{3,9})?,? ?(?:(?:at )?(\d{1,2})(?::(\d{2}))? ?(am|pm)?)?$/.exec(text) ?? [];
  if (word === undefined && (hourText === undefined || (minuteText === undefined && half === undefined))) {
    return undefined;
  }
  const now = wallTime(nowMs, zone);
  const days = word === undefined ? undefined : daysUntil(word, now);
  if (word !== undefined && days === undefined) return undefined;
  const hour = hourOf(Number(hourText ?? 9), half);
  if (Number(hourText ?? 0) > 23 || Number(minuteText ?? 0) > 59) return undefined;
  const at = (later: number) => instantOf({...now, day: now.day + later, hour, minute: Number(minuteText ?? 0)}, zone);
  // A time without a day is the next occurrence.
  if (days === undefined) return at(0) > nowMs ? at(0) : at(1);
  return at(days);
}

/** Returns the days until a weekday's next occurrence, never today. */
function daysUntil(word: string, now: WallTime): number | undefined {
  if (word === 'today') return 0;
  if (word === 'tomorrow') return 1;
  const weekday = weekdays.findIndex((name) => name.startsWith(word));
  if (weekday < 0) return undefined;
  const today = new Date(asUtc(now)).getUTCDay();
  return (weekday - today + 7) % 7 || 7;
}

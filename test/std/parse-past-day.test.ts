import {expect, test} from 'vitest';
import {localeFormat} from '#std/locale-format.ts';
import {parseMoment, parsePastDay, withWorkday} from '#std/parse-moment.ts';

// A Thursday.
const now = Date.UTC(2026, 0, 1, 12);
const day = (text: string, zone = 'UTC') => {
  const at = parsePastDay(text, now, zone);
  return at === undefined ? undefined : new Date(at).toISOString();
};

test('parsePastDay: understands relative, named and ISO days', () => {
  expect(day('today')).toBe('2026-01-01T00:00:00.000Z');
  expect(day('Yesterday')).toBe('2025-12-31T00:00:00.000Z');
  expect(day('3 days ago')).toBe('2025-12-29T00:00:00.000Z');
  expect(day('a week ago')).toBe('2025-12-25T00:00:00.000Z');
  expect(day('2 months ago')).toBe('2025-11-01T00:00:00.000Z');
  expect(day('thursday')).toBe('2025-12-25T00:00:00.000Z');
  expect(day('wed')).toBe('2025-12-31T00:00:00.000Z');
  expect(day('12 May')).toBe('2025-05-12T00:00:00.000Z');
  expect(day('may 12, 2024')).toBe('2024-05-12T00:00:00.000Z');
  expect(day('May 2024')).toBe('2024-05-01T00:00:00.000Z');
  expect(day('1 January')).toBe('2026-01-01T00:00:00.000Z');
  expect(day('2025-02')).toBe('2025-02-01T00:00:00.000Z');
  expect(day('2025-02-03')).toBe('2025-02-03T00:00:00.000Z');
  expect(day('last monday')).toBe('2025-12-29T00:00:00.000Z');
  expect(day('in march')).toBe('2025-03-01T00:00:00.000Z');
  expect(day('last week')).toBe('2025-12-25T00:00:00.000Z');
});

test('parsePastDay: a time may follow the day, or stand alone', () => {
  expect(day('yesterday 14:30')).toBe('2025-12-31T14:30:00.000Z');
  expect(day('last monday at 9am')).toBe('2025-12-29T09:00:00.000Z');
  expect(day('12 May 12:05 am')).toBe('2025-05-12T00:05:00.000Z');
  expect(day('2025-02-03T23:10')).toBe('2025-02-03T23:10:00.000Z');
  expect(day('8:15')).toBe('2026-01-01T08:15:00.000Z');
});

test('parsePastDay: days begin in the given zone', () => {
  expect(day('today', 'America/New_York')).toBe('2026-01-01T05:00:00.000Z');
});

test('parsePastDay: other texts are undefined', () => {
  for (const text of [
    '',
    'soon',
    '31 February',
    '2025-13-01',
    '12 May 13',
    'th',
    'in',
    'yesterday 25:00',
    'monday 9:75',
    'noon 9:00',
  ])
    expect(day(text)).toBeUndefined();
});

test('weeks begin on the first day of the locale, and work on the first day that is not of the weekend', () => {
  const [german, american, israeli, iranian] = ['de_DE', 'en_US', 'he_IL', 'fa_IR'].map(localeFormat);
  const starts = (week: typeof german) =>
    new Date(parsePastDay('this week', now, 'UTC', week) ?? 0).toISOString().slice(0, 10);
  expect([german, american, israeli, iranian].map(starts)).toEqual([
    '2025-12-29',
    '2025-12-28',
    '2025-12-28',
    '2025-12-27',
  ]);
  const next = (week: typeof german) =>
    new Date(parseMoment('next week', now, 'UTC', week) ?? 0).toISOString().slice(0, 13);
  expect([german, american, israeli, iranian].map(next)).toEqual([
    '2026-01-05T09',
    '2026-01-05T09',
    '2026-01-04T09',
    '2026-01-03T09',
  ]);
  expect(new Date(parseMoment('next week at 14:30', now, 'UTC') ?? 0).toISOString()).toBe('2026-01-05T14:30:00.000Z');
  expect(withWorkday('monday 9:00', israeli)).toBe('sunday 9:00');
  expect(withWorkday('monday 9:00')).toBe('monday 9:00');
});

import {expect, test} from 'vitest';
import {localeFormat} from '#std/locale-format.ts';
import {parseMoment, parsePastMoment} from '#std/parse-moment.ts';

// A Thursday.
const now = Date.UTC(2026, 0, 1, 12);

function moment(text: string, from = now, zone = 'UTC', week = localeFormat('')): string | undefined {
  const at = parseMoment(text, from, zone, week);
  return at === undefined ? undefined : new Date(at).toISOString().slice(0, 16);
}

test.each([
  ['now', '2026-01-01T12:00'],
  ['in 2 hours', '2026-01-01T14:00'],
  ['20 min', '2026-01-01T12:20'],
  ['an hour', '2026-01-01T13:00'],
  ['a week', '2026-01-08T12:00'],
  ['3d', '2026-01-04T12:00'],
  ['today at 5 pm', '2026-01-01T17:00'],
  ['Tomorrow 14:00', '2026-01-02T14:00'],
  ['tomorrow', '2026-01-02T09:00'],
  ['mon at 9', '2026-01-05T09:00'],
  // A weekday is never today, and a time without a day the next one.
  ['thu 23:00', '2026-01-08T23:00'],
  ['14:30', '2026-01-01T14:30'],
  ['12:00', '2026-01-02T12:00'],
  ['9:00', '2026-01-02T09:00'],
  ['5:30 pm', '2026-01-01T17:30'],
  ['12 am', '2026-01-02T00:00'],
  ['12:30 pm', '2026-01-01T12:30'],
  ['12:30 am', '2026-01-02T00:30'],
  ['2026-05-12', '2026-05-12T09:00'],
  ['2026-05-12 14:30', '2026-05-12T14:30'],
  ['2026-05-12T2 pm', '2026-05-12T14:00'],
])('moment: %j is %s', (text, expected) => {
  expect(moment(text)).toBe(expected);
});

test.each([
  '',
  '9',
  'at 9',
  'soon',
  '24:00',
  '23:60',
  'tomorrow 24:00',
  '2026-13-01',
  '2026-01-32',
  '2026-01-01 23:60',
])('moment: %j is none', (text) => {
  expect(moment(text)).toBeUndefined();
});

test('moment: a time of day is that of the zone, also right after the clock was changed', () => {
  expect(moment('2026-03-08 3:30', now, 'America/New_York')).toBe('2026-03-08T07:30');
  expect(moment('2026-03-08 1:30', now, 'America/New_York')).toBe('2026-03-08T06:30');
  expect(moment('tomorrow 9:00', now, 'Asia/Tokyo')).toBe('2026-01-02T00:00');
});

test('moment: next week begins with its first day of work, also on the first day of a week', () => {
  const sunday = Date.UTC(2026, 0, 4, 12);
  const nextWeek = (locale: string) => moment('next week', sunday, 'UTC', localeFormat(locale))?.slice(0, 10);
  expect([nextWeek('de_DE'), nextWeek('en_US'), nextWeek('he_IL')]).toEqual(['2026-01-05', '2026-01-12', '2026-01-11']);
});

test('past moment: a distance or a time before now; a time that is still to come today was yesterday', () => {
  const noon = new Date(2026, 0, 1, 12).getTime();
  const past = (text: string) => new Date(parsePastMoment(text, noon) ?? Number.NaN);
  expect([past('30m'), past('2 hours ago'), past('an hour')]).toEqual(
    [11.5, 10, 11].map((hours) => new Date(noon - (12 - hours) * 3_600_000)),
  );
  expect(past('9:30')).toEqual(new Date(2026, 0, 1, 9, 30));
  expect(past('14:00')).toEqual(new Date(2025, 11, 31, 14));
  expect(past('yesterday 14:00')).toEqual(new Date(2025, 11, 31, 14));
  expect(past('2026-05-12 14:00')).toEqual(new Date(2026, 4, 12, 14));
  expect(past('2026-05-12T14:00:00Z')).toEqual(new Date('2026-05-12T14:00:00Z'));
});

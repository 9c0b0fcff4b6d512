import {expect, test} from 'vitest';
import {isInQuietHours, parseQuietHours, quietHoursEnd} from '#config/quiet-hours.ts';

test.each([
  ['', true],
  ['22:00-08:00', true],
  ['0:00-24:00', true],
  ['mon-fri 22:00-7:30, sat sun', true],
  ['Fri-Mon 12:00-13:00', true],
  ['22-8', false],
  ['10:00-10:00', false],
  ['24:00-08:00', false],
  ['22:00-24:01', false],
  ['22:60-23:00', false],
  ['monday 22:00-08:00', false],
  ['mon-tue-wed', false],
  ['22:00-08:00,', false],
  ['22:00-08:00 mon', false],
])('quiet hours: the setting “%s” is accepted: %s', (text, isAccepted) => {
  expect(parseQuietHours(text) !== undefined).toBe(isAccepted);
});

/** 2026-03-27 is a Friday. */
test.each([
  ['22:00-08:00', '2026-03-27T21:59Z', false],
  ['22:00-08:00', '2026-03-27T22:00Z', true],
  ['22:00-08:00', '2026-03-28T07:59Z', true],
  ['22:00-08:00', '2026-03-28T08:00Z', false],
  ['12:00-13:00', '2026-03-27T12:30Z', true],
  ['12:00-13:00', '2026-03-27T13:00Z', false],
  // A night belongs to the day on which it begins.
  ['mon-fri 22:00-08:00', '2026-03-28T03:00Z', true],
  ['mon-fri 22:00-08:00', '2026-03-28T23:00Z', false],
  ['mon-fri 22:00-08:00', '2026-03-30T03:00Z', false],
  ['mon-fri 22:00-08:00', '2026-03-30T22:30Z', true],
  ['mon-fri 22:00-08:00, sat sun', '2026-03-29T12:00Z', true],
  ['fri-sun', '2026-03-28T12:00Z', true],
  ['sat-mon', '2026-03-30T23:59Z', true],
  ['sat-mon', '2026-03-31T00:00Z', false],
  ['', '2026-03-27T03:00Z', false],
])('quiet hours: “%s” at %s is quiet: %s', (text, at, isQuiet) => {
  expect(isInQuietHours(text, Date.parse(at), 'UTC')).toBe(isQuiet);
});

test('quiet hours: they follow the clock of the zone, also on the day when it is changed', () => {
  const isQuiet = (at: string) => isInQuietHours('22:00-08:00', Date.parse(at), 'Europe/Berlin');
  // UTC+1 before 29 March 2026, UTC+2 from then on.
  expect([isQuiet('2026-03-28T20:59Z'), isQuiet('2026-03-28T21:00Z')]).toEqual([false, true]);
  expect([isQuiet('2026-03-29T05:59Z'), isQuiet('2026-03-29T06:00Z')]).toEqual([true, false]);
  expect([isQuiet('2026-03-29T19:59Z'), isQuiet('2026-03-29T20:00Z')]).toEqual([false, true]);
});

/** 2026-03-27 is a Friday. Clocks in Berlin are set ahead on 2026-03-29. */
test.each([
  ['22:00-08:00', '2026-03-27T20:59Z', undefined],
  ['22:00-08:00', '2026-03-27T22:00Z', '2026-03-28T07:00Z'],
  ['22:00-08:00', '2026-03-28T05:00Z', '2026-03-28T07:00Z'],
  ['22:00-08:00', '2026-03-28T22:00Z', '2026-03-29T06:00Z'],
  ['12:00-14:00, 13:30-15:00', '2026-03-27T11:30Z', '2026-03-27T14:00Z'],
  ['mon-fri 22:00-08:00, sat sun', '2026-03-27T22:00Z', '2026-03-29T22:00Z'],
  ['mon-sun', '2026-03-27T22:00Z', 'never'],
])('quiet hours: those of “%s” at %s end at %s', (text, at, end) => {
  const expected = end === 'never' ? Number.POSITIVE_INFINITY : end === undefined ? undefined : Date.parse(end);
  expect(quietHoursEnd(text, Date.parse(at), 'Europe/Berlin')).toBe(expected);
});

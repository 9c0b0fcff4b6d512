import {describe, expect, test} from 'vitest';
import {
  formatRelativeDate,
  formatRelativeInstant,
  parseFutureTime,
  parsePastTime,
} from '#server/seed/demo-world/plan-messages.ts';

/** Returns a local time in milliseconds; months count from 1. */
const local = (year: number, month: number, day: number, hours = 0, minutes = 0) =>
  new Date(year, month - 1, day, hours, minutes).getTime();

// 2026-11-11 is a Wednesday.
const wednesday = local(2026, 11, 11, 9, 30);
const sunday = local(2026, 11, 15, 0, 1);
const monday = local(2026, 11, 16, 23, 55);

describe('parsePastTime', () => {
  test.each([
    ['~35m', wednesday, wednesday - 35 * 60_000],
    ['~2h', wednesday, wednesday - 2 * 3_600_000],
    ['-1w 10:15', wednesday, local(2026, 11, 10, 10, 15)],
    ['-3w 10:15', wednesday, local(2026, 11, 6, 10, 15)],
    ['-1w 18:00', monday, local(2026, 11, 13, 18)],
    ['-5w 18:00', monday, local(2026, 11, 9, 18)],
    ['-6w 18:00', monday, local(2026, 11, 6, 18)],
    ['-1w 07:00', sunday, local(2026, 11, 13, 7)],
    ['-9d 10:15', wednesday, local(2026, 11, 2, 10, 15)],
    ['-1sun 09:40', wednesday, local(2026, 11, 8, 9, 40)],
    ['-1sun 09:40', sunday, local(2026, 11, 8, 9, 40)],
    ['-2sun 09:40', monday, local(2026, 11, 8, 9, 40)],
    ['-1sat 10:05', monday, local(2026, 11, 14, 10, 5)],
    ['-1sat 10:05', sunday, local(2026, 11, 7, 10, 5)],
  ])('%s', (text, now, expected) => {
    expect(new Date(parsePastTime(text, now)).toString()).toBe(new Date(expected).toString());
  });

  test('+3m counts from the previous message, and fails without one', () => {
    expect(parsePastTime('+3m', wednesday, 1000)).toBe(1000 + 180_000);
    expect(() => parsePastTime('+3m', wednesday)).toThrow('has no earlier message to count from');
  });

  test.each(['', '3m', '-4w', '-4w 9:12', '-4w 24:00', '-0w 09:00', '~3x', '+-3m'])('rejects “%s”', (text) => {
    expect(() => parsePastTime(text, wednesday, 0)).toThrow();
  });
});

test('parseFutureTime: a duration from now, or a time on a later day', () => {
  expect(parseFutureTime('+3h', wednesday)).toBe(wednesday + 3 * 3_600_000);
  expect(parseFutureTime('+1d 09:00', wednesday)).toBe(local(2026, 11, 12, 9));
  expect(() => parseFutureTime('-1d 09:00', wednesday)).toThrow('is not a future time');
});

test('formatRelativeDate and formatRelativeInstant: days from now as a date, and as a UTC time', () => {
  expect(formatRelativeDate('+24d', wednesday)).toBe('2026-12-05');
  expect(formatRelativeDate('-2d', wednesday)).toBe('2026-11-09');
  expect(formatRelativeInstant('+6d 14:00', wednesday)).toBe(
    `${new Date(local(2026, 11, 17, 14)).toISOString().slice(0, 19)}Z`,
  );
});

import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {clockText, dateText, dayNumber, dayText, timeText} from '#content/time-text.ts';
import {expectHarmless, hostileText} from './hostile-text.ts';

const now = Date.UTC(2026, 4, 12, 12, 0);
const berlin = {zone: 'Europe/Berlin', hour12: false, now};

describe('a time in a message', () => {
  test.each([
    ['2026-05-12T12:30:00Z', {}, 'Tue 12 May, 14:30'],
    ['2026-12-31T23:30:00Z', {}, 'Fri 1 Jan 2027, 00:30'],
    ['2017-06-05T22:30:00Z', {}, 'Tue 6 Jun 2017, 00:30'],
    ['2017-06-05T22:30:00.123456Z', {}, 'Tue 6 Jun 2017, 00:30'],
    ['2026-05-12T12:30:00Z', {hour12: true}, 'Tue 12 May, 2:30 PM'],
    ['2026-05-12T22:05:00Z', {hour12: true}, 'Wed 13 May, 12:05 AM'],
    ['2026-05-12T12:30:00Z', {dateOrder: 'mdy'} as const, 'Tue May 12, 14:30'],
    ['2017-06-05T22:30:00Z', {dateOrder: 'mdy'} as const, 'Tue Jun 6 2017, 00:30'],
    ['2017-06-05T22:30:00Z', {dateOrder: 'ymd'} as const, 'Tue 2017 Jun 6, 00:30'],
    ['2026-05-12T12:30:00Z', {zone: 'Asia/Kolkata'}, 'Tue 12 May, 18:00'],
    ['2026-05-12T12:30:00Z', {zone: 'America/New_York', hour12: undefined}, 'Tue 12 May, 08:30'],
    ['2026-05-12T12:30:00Z', {zone: 'UTC', locale: 'de'}, 'Di., 12. Mai, 12:30'],
    ['2026-05-12T12:30:00Z', {zone: 'UTC', locale: 'not a locale'}, 'Tue 12 May, 12:30'],
  ])('%s with %o is %s', (datetime, options, text) => {
    expect(timeText(datetime, {...berlin, ...options})).toBe(text);
  });

  test('the year is shown when it differs in the time zone of the user', () => {
    const silvester = Date.UTC(2026, 11, 31, 23, 30);
    expect(timeText('2027-01-01T05:00:00Z', {...berlin, now: silvester})).toBe('Fri 1 Jan, 06:00');
    expect(timeText('2027-01-01T05:00:00Z', {...berlin, zone: 'UTC', now: silvester})).toBe('Fri 1 Jan 2027, 05:00');
  });

  test('text that is not a time stays, without control characters', () => {
    expect(timeText('tomorrow\u001b[2J noon', berlin)).toBe('tomorrow[2J noon');
    expect(timeText('2026-13-01T00:00:00Z', berlin)).toBe('2026-13-01T00:00:00Z');
  });

  test('the machine’s zone gives the same text as its name', () => {
    const {timeZone: zone} = Intl.DateTimeFormat().resolvedOptions();
    const moment = fc.integer({min: 0, max: Date.UTC(2200, 0)});
    fc.assert(
      fc.property(moment, moment, fc.constantFrom(true, false, undefined), (at, from, hour12) => {
        const named = {zone, hour12, now: from};
        const own = {hour12, now: from};
        expect(clockText(at, own)).toBe(clockText(at, named));
        expect(dateText(at, own)).toBe(dateText(at, named));
        expect(dayNumber(at, own)).toBe(dayNumber(at, named));
      }),
    );
  });

  test('an unknown zone falls back to the machine’s zone', () => {
    const own = {...berlin, zone: undefined};
    expect(timeText('2026-05-12T12:30:00Z', {...berlin, zone: 'Mars/Olympus'})).toBe(
      timeText('2026-05-12T12:30:00Z', own),
    );
  });
});

describe('headers', () => {
  const hour = 3_600_000;

  test('days near today have names, by midnight in the time zone', () => {
    expect(dayText(now, berlin)).toBe('today');
    expect(dayText(Date.UTC(2026, 4, 11, 22, 0), berlin)).toBe('today');
    expect(dayText(Date.UTC(2026, 4, 11, 21, 59), berlin)).toBe('yesterday');
    expect(dayText(now + 24 * hour, berlin)).toBe('tomorrow');
    expect(dayText(now - 48 * hour, berlin)).toBe('Sun 10 May');
    expect(dayText(Date.UTC(2025, 4, 12), berlin)).toBe('Mon 12 May 2025');
  });

  test('a day of 23 or 25 hours is one day', () => {
    const noonAfter = Date.UTC(2026, 2, 29, 10);
    expect(dayText(noonAfter - 23 * hour, {...berlin, now: noonAfter})).toBe('yesterday');
    const noonAutumn = Date.UTC(2026, 9, 25, 11);
    expect(dayText(noonAutumn - 25 * hour, {...berlin, now: noonAutumn})).toBe('yesterday');
  });

  test('midnight is 00:00, never 24:00', () => {
    expect(clockText(Date.UTC(2026, 4, 11, 22, 0), berlin)).toBe('00:00');
  });

  test('an invalid time gives an empty text', () => {
    for (const at of [Number.NaN, Number.POSITIVE_INFINITY, 9e15]) {
      expect([clockText(at, berlin), dayText(at, berlin), dateText(at, berlin)]).toEqual(['', '', '']);
    }
    expect(dayText(now, {...berlin, now: Number.NaN})).toBe('Tue 12 May 2026');
  });
});

test('dayNumber: the number matches the calendar day', () => {
  const utc = {zone: 'UTC', now};
  fc.assert(
    fc.property(fc.integer({min: 0, max: 4e12}), (at) => {
      expect(dayNumber(at, utc)).toBe(Math.floor(at / 86_400_000));
    }),
  );
});

test('time texts: hostile text, zones and locales give no control characters', () => {
  fc.assert(
    fc.property(hostileText(['2026', '-05-12', 'T12:30Z']), hostileText(), hostileText(), (text, zone, locale) => {
      expectHarmless(timeText(text, {zone, locale, now}));
      expectHarmless(clockText(now, {zone, locale, now}));
      expectHarmless(dayText(0, {zone, locale, now}));
    }),
    {numRuns: 30}, // Creating formatters is slow.
  );
});

test.each(['ar', 'he', 'fa', 'ja', 'th', 'hi', 'zh', 'de', 'en-US'])('in %s nothing turns text around', (locale) => {
  for (const hour12 of [true, false, undefined]) {
    const options = {zone: 'UTC', locale, hour12, now};
    expectHarmless(timeText('2017-05-12T12:30:00Z', options));
    expect(timeText('2017-05-12T12:30:00Z', options)).not.toMatch(/[^\S ]/);
  }
});

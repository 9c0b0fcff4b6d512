import {expect, test} from 'vitest';
import {localeFormat} from '#std/locale-format.ts';
import {egFrame} from '#test/support/frame-fixture.ts';
import * as eg from '#test/support/state-builders.ts';
import {ageText, momentText, suggestedTimes} from '#wording/moment-text.ts';

const at = Date.UTC(2026, 4, 12, 14, 30);

function moment(locale: string, twentyFourHourTime: boolean | null): string {
  const state = eg.state();
  const account = {...state, settings: {...state.settings, twentyFourHourTime}};
  return momentText(egFrame({account, display: {locale: localeFormat(locale)}}), at);
}

test('dates have the order of the locale, and the clock is that of the account', () => {
  expect(moment('de_DE.UTF-8', true)).toBe('Tue 12 May, 14:30');
  expect(moment('en_US.UTF-8', true)).toBe('Tue May 12, 14:30');
  expect(moment('en_US.UTF-8', false)).toBe('Tue May 12, 2:30 PM');
});

test('an account that leaves the clock open has that of the locale', () => {
  expect(moment('en_US.UTF-8', null)).toBe('Tue May 12, 2:30 PM');
  expect(moment('sv_SE.UTF-8', null)).toBe('Tue May 12, 14:30');
  expect(moment('C.UTF-8', null)).toBe('Tue 12 May, 14:30');
  const settings = {...eg.state().settings, twentyFourHourTime: null};
  expect(suggestedTimes({settings}, 'mon 14:00', localeFormat('en_US'))).toBe('mon 2:00 PM');
  expect(suggestedTimes({settings}, 'mon 14:00')).toBe('mon 14:00');
  expect(suggestedTimes({settings}, '0:15 or 12:00', localeFormat('en_US'))).toBe('12:15 AM or 12:00 PM');
});

test('ages: each unit begins when the one before is full, and what comes from a clock ahead is now', () => {
  const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
  const past = [
    -day,
    minute - 1,
    minute,
    hour - 1,
    hour,
    day - 1,
    day,
    14 * day - 1,
    14 * day,
    365 * day - 1,
    365 * day,
  ];
  expect(past.map((ms) => ageText(at, at + ms))).toEqual([
    'now',
    'now',
    '1m',
    '59m',
    '1h',
    '23h',
    '1d',
    '13d',
    '2w',
    '52w',
    '1y',
  ]);
});

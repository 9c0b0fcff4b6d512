import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {logFile} from '#cli/screen/log-file.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

const clock = new ManualClock(Date.UTC(2026, 0, 2, 3, 4, 5));

test('log file: an entry is one line with the time, and an error has its trace below', () => {
  const log = logFile({state: scratchDirectory()}, clock);
  log.write('Something\u001b[2J happened');
  log.write('And went wrong', new Error('because'));
  const [first, second, third] = readFileSync(log.path, 'utf8').split('\n');
  expect(first).toMatch(/^2026-01-02T03:04:05\.000Z Something.*happened$/);
  expect(first).not.toContain('\u001b');
  expect(second).toBe('2026-01-02T03:04:05.000Z And went wrong');
  expect(third).toBe('Error: because');
  expect(statSync(log.path).mode & 0o077).toBe(0);
});

test('log file: a full file is moved aside, so the size is limited', () => {
  const state = scratchDirectory();
  const log = logFile({state}, clock);
  writeFileSync(log.path, 'x'.repeat(600 * 1024));
  log.write('new');
  expect(readFileSync(log.path, 'utf8')).toMatch(/new\n$/);
  expect(statSync(log.path).size).toBeLessThan(1000);
  expect(existsSync(join(state, 'parley.log.1'))).toBe(true);
});

test('log file: a crash is reported once, at the next start', () => {
  const state = scratchDirectory();
  logFile({state}, clock).markCrash(new Error('the tide\nwas out'));
  const next = logFile({state}, clock);
  expect(next.takeCrash()).toMatch(/^the tide.was out$/);
  expect(next.takeCrash()).toBeUndefined();
});

test('log file: an unwritable disk is ignored', () => {
  const log = logFile({state: '/dev/null/nowhere'}, clock);
  expect(() => log.write('lost')).not.toThrow();
  expect(log.takeCrash()).toBeUndefined();
});

import {expect, test} from 'vitest';
import {triageFixture} from '#test/app/inbox/triage-fixture.ts';

test('key hints: for a row, they are the first of all hints, and enough to fill it', () => {
  const {app} = triageFixture({size: '200x40'});
  const {keys} = app.info;
  const all = keys?.hints(app.frame) ?? [];
  expect(all.length).toBeGreaterThan(8);
  for (const columns of [30, 60, 80, 120, 2000]) {
    const fitting = keys?.hints(app.frame, columns) ?? [];
    const length = fitting.reduce((sum, {key, label}) => sum + key.length + label.length, 0);
    expect(fitting, `${columns} columns`).toEqual(all.slice(0, fitting.length));
    expect(length > columns || fitting.length === all.length, `${columns} columns`).toBe(true);
  }
  expect(keys?.hints(app.frame, 30).length).toBeLessThan(all.length);
});

test('key hints: in the middle of a key sequence, no hint names a key that would not run its command', () => {
  const {app, press} = triageFixture({size: '200x40'});
  const {keys} = app.info;
  expect(keys?.moreHints(app.frame)).not.toEqual([]);
  press('g');
  expect([keys?.hints(app.frame), keys?.moreHints(app.frame)]).toEqual([[], []]);
  expect(keys?.workingKey(app.frame, ['palette.open'])).toBeUndefined();
  press('Esc');
  expect(keys?.workingKey(app.frame, ['palette.open'])).toBe(';');
});

import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {openTides, smallSize, twoUserFixture} from './two-user-fixture.ts';

test('a server that is busy is said to be, and is tried again when somebody presses Enter there', async () => {
  const stage = await twoUserFixture();
  const terminal = await openTides(stage, {cols: 120, rows: 40});
  await terminal.waitFor('●');
  await stage.hook('fault', {method: 'GET', path: '/events', kind: 'html', times: 100_000});
  await stage.hook('heartbeat');
  await terminal.waitFor(/server busy, retrying in \d+ s/);
  terminal.keys('Tab');
  await terminal.waitFor('Enter reconnects');
  await stage.hook('clear-faults');
  terminal.keys('Enter');
  await terminal.waitFor('▌●');
  terminal.keys('Esc');
  await stage.say(stage.otto, 'tides', 'All is well again.');
  await terminal.waitFor('All is well again.');
});

test.each([smallSize])('whoever reads stays with a topic that is renamed, at $cols x $rows', async (size) => {
  const stage = await twoUserFixture();
  const terminal = await openTides(stage, size);
  const id = await stage.say(stage.otto, 'tides', 'One more thing.');
  await terminal.waitFor('One more thing.');
  const params = {topic: 'spring tides', propagate_mode: 'change_all'};
  await stage.server.as(stage.otto).patch(`/messages/${id}`, params);
  await terminal.waitFor('#harbour › spring tides');
  await terminal.waitFor('The spring tide is at four.');
  await terminal.waitFor('Otto Other renamed this topic');
  await stage.say(stage.otto, 'spring tides', 'Here we go on.');
  await terminal.waitFor('Here we go on.');
});

test('a setting that is changed on the screen is so at the next start', async () => {
  const stage = await twoUserFixture();
  const home = scratchDirectory();
  const size = {cols: 80, rows: 24};
  const first = await openTides(stage, size, {home});
  first.keys('g', ',');
  await first.waitFor('find a setting');
  first.type('space at');
  await first.waitFor(/Space at the end +marks read and opens the next/);
  first.keys('Enter');
  await first.waitFor('Space at the end: only pages · saved');
  first.kill('SIGTERM');
  await first.waitForExit();
  expect(readFileSync(join(home, '.config', 'parley', 'config.toml'), 'utf8')).toBe('read_on = "page"\n');
  const again = await openTides(stage, size, {home});
  again.keys('g', ',');
  await again.waitFor(/Space at the end +only pages/);
});

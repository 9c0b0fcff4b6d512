import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from 'vitest';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {slowTest} from '#test/support/tier.ts';
import {openTides, smallSize, twoUserFixture} from './two-user-fixture.ts';

slowTest('connection: a busy server is shown in the header, and Enter there reconnects', async () => {
  const chat = await twoUserFixture();
  const terminal = await openTides(chat, {cols: 120, rows: 40});
  await terminal.waitFor('●');
  await chat.hook('fault', {method: 'GET', path: '/events', kind: 'html', times: 100_000});
  await chat.hook('heartbeat');
  await terminal.waitFor(/server busy, retrying in \d+ s/);
  terminal.keys('Tab');
  await terminal.waitFor('Enter reconnects');
  await chat.hook('clear-faults');
  terminal.keys('Enter');
  await terminal.waitFor('▌●');
  terminal.keys('Esc');
  await chat.sendToTopic(chat.otto, 'tides', 'All is well again.');
  await terminal.waitFor('All is well again.');
});

slowTest.each([smallSize])(
  'messages: the view follows a topic that another user renames, at $cols x $rows',
  async (size) => {
    const chat = await twoUserFixture();
    const terminal = await openTides(chat, size);
    const id = await chat.sendToTopic(chat.otto, 'tides', 'One more thing.');
    await terminal.waitFor('One more thing.');
    const params = {topic: 'spring tides', propagate_mode: 'change_all'};
    await chat.server.as(chat.otto).patch(`/messages/${id}`, params);
    await terminal.waitFor('#harbour › spring tides');
    await terminal.waitFor('The spring tide is at four.');
    await terminal.waitFor('Otto Other renamed this topic');
    await chat.sendToTopic(chat.otto, 'spring tides', 'Here we go on.');
    await terminal.waitFor('unread below');
    terminal.keys('G');
    await terminal.waitFor('Here we go on.');
  },
);

slowTest('settings: a setting changed on the screen is saved and applies at the next start', async () => {
  const chat = await twoUserFixture();
  const home = scratchDirectory();
  const size = {cols: 80, rows: 24};
  const first = await openTides(chat, size, {home});
  first.keys('g', ',');
  await first.waitFor('find a setting');
  first.type('space at');
  await first.waitFor(/Space at the end +marks read and opens the next/);
  first.keys('Enter');
  await first.waitFor('Enter chooses');
  first.keys('Down', 'Enter');
  await first.waitFor('Space at the end: only pages · saved');
  first.kill('SIGTERM');
  await first.waitForExit();
  expect(readFileSync(join(home, '.config', 'parley', 'config.toml'), 'utf8')).toBe('read_on = "page"\n');
  const again = await openTides(chat, size, {home});
  again.keys('g', ',');
  await again.waitFor('find a setting');
  again.type('space at');
  await again.waitFor(/Space at the end +only pages/);
});

import {expect, test} from 'vitest';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';
import {openParley} from '#test/support/terminal/parley.ts';
import {quit, sizes, tides, twoUserFixture} from './two-user-fixture.ts';

const question = 'What should Enter do';

test('the next start shows what is on disk while nobody answers, at any size', async () => {
  const stage = await twoUserFixture();
  const home = scratchDirectory();
  const first = stage.open(stage.meg, {home, args: [tides]});
  await first.waitFor('see you at the quay');
  await quit(first);
  await stage.hook('fault', {kind: 'drop_before', times: 1_000_000});
  for (const size of sizes) {
    const next = stage.open(stage.meg, {size, home, args: [tides]});
    await next.waitFor('see you at the quay');
    await next.close();
  }
});

test('an account that begins a line with Enter is asked about it, once', async () => {
  const server = await testServer();
  const person = server.people.member();
  server.people.channel('harbour', [person]);
  const home = scratchDirectory();
  const first = openParley({server, person, home});
  await first.waitFor(question);
  first.keys('1');
  await first.waitFor(({text}) => !text.includes(question), 'no question');
  await quit(first);
  const second = openParley({server, person, home});
  await second.waitFor('●');
  expect(second.screen().text).not.toContain(question);
});

test('who said it in the settings is not asked', async () => {
  const server = await testServer();
  const person = server.people.member();
  const terminal = openParley({server, person, env: {PARLEY_ENTER_SENDS: 'yes'}});
  await terminal.waitFor('●');
  expect(terminal.transcript()).not.toContain(question);
});

test.each([
  ['a channel', '#harbour', /All messages|rope is worn/],
  ['words to look for', 'is worn', /rope is worn/],
])('it opens at %s', async (_, place, shown) => {
  const stage = await twoUserFixture();
  const terminal = stage.open(stage.meg, {args: [place]});
  await terminal.waitFor(shown);
});

test.each([
  ['@Otto Other', 'Are you coming along'],
  ['is:mentioned', 'a hand with the sails'],
])('parley %s opens there, from the network and again from the disk', async (place, shown) => {
  const stage = await twoUserFixture();
  await stage.say(stage.otto, 'sails', '@**Meg Member** a hand with the sails?');
  const home = scratchDirectory();
  for (const _round of [1, 2]) {
    const terminal = stage.open(stage.meg, {home, args: [place]});
    await terminal.waitFor(shown);
    expect(await quit(terminal)).toMatchObject({code: 0});
  }
});

test('a name that nobody has says so, and opens all the same', async () => {
  const stage = await twoUserFixture();
  const terminal = stage.open(stage.meg, {size: {cols: 120, rows: 30}, args: ['#nowhere']});
  await terminal.waitFor('There is no channel');
  await terminal.waitFor('Are you coming along?');
});

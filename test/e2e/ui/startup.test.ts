import {expect, test} from 'vitest';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';
import {openParley} from '#test/support/terminal/parley.ts';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import {fewOf, slowTest} from '#test/support/tier.ts';
import {extremeSizes, quit, tides, twoUserFixture, waitForAllUnread} from './two-user-fixture.ts';

const enterQuestion = 'What should Enter do';

slowTest(
  'startup: shows saved messages while the server does not respond, at the largest and the smallest size',
  async () => {
    const chat = await twoUserFixture();
    const home = scratchDirectory();
    const first = chat.open(chat.meg, {home, args: [tides]});
    await first.waitFor('see you at the quay');
    await quit(first);
    await chat.hook('fault', {kind: 'drop_before', times: 1_000_000});
    for (const size of fewOf(extremeSizes)) {
      const next = chat.open(chat.meg, {size, home, args: [tides]});
      await next.waitFor('see you at the quay');
      await next.close();
    }
  },
);

test('startup: takes at most six requests besides the long poll; the next one shows the inbox before the program is loaded, and handles keys that were pressed then', async () => {
  const requests: string[] = [];
  const onRequest = (method: string, path: string) => void requests.push(`${method} ${path}`);
  const chat = await twoUserFixture({onRequest});
  const home = scratchDirectory();
  const finish = async (terminal: Terminal) => {
    await terminal.waitFor('●');
    // No frame claims this before the server has answered.
    expect(terminal.transcript()).not.toContain('Nothing');
    await quit(terminal);
    const counted = requests.splice(0).filter((request) => request.includes('/api/') && !request.endsWith('/events'));
    expect(counted.length, counted.join('\n')).toBeLessThanOrEqual(6);
  };
  requests.length = 0;
  const first = chat.open(chat.meg, {home});
  await waitForAllUnread(first);
  await finish(first);
  const second = chat.open(chat.meg, {home});
  const shown: string[] = [];
  second.onFrame(() => shown.push(second.screen().text));
  await waitForAllUnread(second);
  second.keys('?');
  await second.waitFor('Type an action or a key');
  await second.waitFor('●');
  const painted = shown.slice(shown.findIndex((text) => text.includes('DIRECT')));
  const withoutHeader = (text = '') => text.split('\n').slice(1).join('\n');
  expect(withoutHeader(painted[1])).toBe(withoutHeader(painted[0]));
  expect(painted.filter((text) => text.trim() === '')).toEqual([]);
  second.keys('Esc');
  await second.waitFor(({cursor}) => !cursor.visible, 'the keys closed');
  await finish(second);
});

slowTest('startup: an account whose Enter inserts a line is asked about it once', async () => {
  const server = await testServer();
  const person = server.people.member();
  server.people.channel('harbour', [person]);
  const home = scratchDirectory();
  const first = openParley({server, person, home});
  await first.waitFor(enterQuestion);
  first.keys('1');
  await first.waitFor(({text}) => !text.includes(enterQuestion), 'no question');
  await quit(first);
  const second = openParley({server, person, home});
  await second.waitFor('●');
  expect(second.screen().text).not.toContain(enterQuestion);
});

slowTest('startup: a user with the Enter setting is not asked', async () => {
  const server = await testServer();
  const person = server.people.member();
  const terminal = openParley({server, person, env: {PARLEY_ENTER_SENDS: 'yes'}});
  await terminal.waitFor('●');
  expect(terminal.transcript()).not.toContain(enterQuestion);
});

test.each(
  fewOf([
    ['a channel', '#harbour', /All messages|rope is worn/],
    ['search words', 'is worn', /rope is worn/],
  ]),
)('startup: opens %s', async (_, argument, shown) => {
  const chat = await twoUserFixture();
  const terminal = chat.open(chat.meg, {args: [argument]});
  await terminal.waitFor(shown);
});

test.each(
  fewOf([
    ['@Otto Other', 'Are you coming along'],
    ['is:mentioned', 'a hand with the sails'],
  ]),
)('startup: parley %s opens there, from the network and again from disk', async (argument, shown) => {
  const chat = await twoUserFixture();
  await chat.sendToTopic(chat.otto, 'sails', '@**Meg Member** a hand with the sails?');
  const home = scratchDirectory();
  for (const _round of [1, 2]) {
    const terminal = chat.open(chat.meg, {home, args: [argument]});
    await terminal.waitFor(shown);
    expect(await quit(terminal)).toMatchObject({code: 0});
  }
});

slowTest('startup: an unknown channel shows a message and the inbox', async () => {
  const chat = await twoUserFixture();
  const terminal = chat.open(chat.meg, {size: {cols: 120, rows: 30}, args: ['#nowhere']});
  await terminal.waitFor('There is no channel');
  await terminal.waitFor('Are you coming along?');
});

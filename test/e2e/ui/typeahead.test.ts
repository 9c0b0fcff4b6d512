import {expect, test} from 'vitest';
import type {Reply} from '#test/support/api-client.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import {slowTest} from '#test/support/tier.ts';
import {readState, startWriting, type TwoUserFixture, twoUserFixture, waitForAllUnread} from './two-user-fixture.ts';

const size = {cols: 120, rows: 30};
/** A reply typed before the first paint: most letters are also commands, and Enter opens the row under the cursor. */
const earlyReply = 'rMeet EM at XS: e + Fe\r';

/** Returns everything on the server that the letters could have changed as commands. */
async function changeableState({server, meg, topicMessages}: TwoUserFixture) {
  return {
    ...(await readState(server.as(meg))),
    messages: [await topicMessages('tides'), await topicMessages('ropes')],
  };
}

/** Checks that keys work now and that the early text is neither in the composer nor in drafts and has changed nothing. */
async function expectNothingChanged(chat: TwoUserFixture, terminal: Terminal, before: object): Promise<void> {
  // Until then, Esc and the next key arrive as one.
  await terminal.waitUntil(({modes}) => modes.kittyDepth > 0, 'keyboard protocol');
  terminal.keys('Esc');
  await startWriting(terminal);
  terminal.type('now');
  await terminal.waitFor(({lines}) => lines.some((line) => /› now\s*$/.test(line)), 'the new text');
  expect(await changeableState(chat)).toEqual(before);
  const {drafts} = await chat.server.as(chat.meg).get('/drafts');
  expect(drafts.filter(({content}: Reply) => content !== 'now')).toEqual([]);
}

test('typeahead: text typed before the first server response does nothing, and a toast says so', async () => {
  const chat = await twoUserFixture();
  const before = await changeableState(chat);
  await chat.hook('fault', {kind: 'drop_before', path: '/register', times: 1_000_000});
  const terminal = chat.open(chat.meg, {size});
  terminal.type(earlyReply);
  await terminal.waitFor('too early were ignored');
  terminal.type('eM');
  await chat.hook('clear-faults');
  await waitForAllUnread(terminal);
  await expectNothingChanged(chat, terminal, before);
});

slowTest('typeahead: text typed before saved data is painted does nothing', async () => {
  const chat = await twoUserFixture();
  const before = await changeableState(chat);
  const home = scratchDirectory();
  const first = chat.open(chat.meg, {size, home});
  await waitForAllUnread(first);
  first.keys('Ctrl-C', 'Ctrl-C');
  await first.waitForExit();
  const second = chat.open(chat.meg, {size, home});
  second.type(earlyReply);
  await second.waitFor('too early were ignored');
  await waitForAllUnread(second);
  await expectNothingChanged(chat, second, before);
});

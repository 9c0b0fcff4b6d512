import {expect, test} from 'vitest';
import type {Reply} from '#test/support/api-client.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import {allUnread, readState, startWriting, type TwoUserFixture, twoUserFixture} from './two-user-fixture.ts';

const size = {cols: 120, rows: 30};
/** A reply that was begun blindly; most of its letters are commands, and Enter opens what is under the cursor. */
const reply = 'rMeet EM at XS: e + Fe\r';

/** What letters could have changed. */
async function traces({server, meg, said}: TwoUserFixture) {
  return {...(await readState(server.as(meg))), said: [await said('tides'), await said('ropes')]};
}

/** Keys work, and what was typed before is nowhere: not in the composer, not among drafts, not in what is read or muted. */
async function expectUntouched(stage: TwoUserFixture, terminal: Terminal, before: object): Promise<void> {
  terminal.keys('Esc');
  await startWriting(terminal);
  terminal.type('now');
  await terminal.waitFor(({lines}) => lines.some((line) => /› now\s*$/.test(line)), 'what is typed now');
  expect(await traces(stage)).toEqual(before);
  const {drafts} = await stage.server.as(stage.meg).get('/drafts');
  expect(drafts.filter(({content}: Reply) => content !== 'now')).toEqual([]);
}

test('what is typed while nothing is known yet does nothing, and that is said', async () => {
  const stage = await twoUserFixture();
  const before = await traces(stage);
  await stage.hook('fault', {kind: 'drop_before', path: '/register', times: 1_000_000});
  const terminal = stage.open(stage.meg, {size});
  terminal.type(reply);
  await terminal.waitFor('too early were ignored');
  terminal.type('eM');
  await stage.hook('clear-faults');
  await allUnread(terminal);
  await expectUntouched(stage, terminal, before);
});

test('what is typed before the picture of what is on disk does nothing either', async () => {
  const stage = await twoUserFixture();
  const before = await traces(stage);
  const home = scratchDirectory();
  const first = stage.open(stage.meg, {size, home});
  await allUnread(first);
  first.keys('Ctrl-C', 'Ctrl-C');
  await first.waitForExit();
  const second = stage.open(stage.meg, {size, home});
  second.type(reply);
  await second.waitFor('too early were ignored');
  await allUnread(second);
  await expectUntouched(stage, second, before);
});

import {expect, test} from 'vitest';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {openParley} from '#test/support/terminal/parley.ts';
import {
  crowdedInbox,
  killableServer,
  waitForCursorOn,
  waitForInboxCount,
  waitForUnread,
  wideSize,
} from './triage-fixture.ts';
import {quit, readState, type TwoUserFixture, usualSize} from './two-user-fixture.ts';

const byId = (a: number, b: number) => a - b;

test('the server is killed and comes back: what was done meanwhile arrives', async () => {
  const {server, meg, ids, unread} = await killableServer(6);
  const terminal = openParley({server, person: meg, size: wideSize});
  await waitForInboxCount(terminal, 6);
  terminal.keys('e');
  await server.kill();
  terminal.keys('e', 'e');
  await terminal.waitFor(/triage 3\/\d/);
  await server.start();
  await expect.poll(unread).toEqual(ids.slice(3).toSorted(byId));
  terminal.keys('z', 'z', 'z');
  await expect.poll(unread).toEqual(ids.toSorted(byId));
});

test('without a server ten are done, three are not after all, and a restart and its return change nothing of that', async () => {
  const {server, meg, ids, unread} = await killableServer(12);
  const home = scratchDirectory();
  const terminal = openParley({server, person: meg, size: usualSize, home});
  await waitForInboxCount(terminal, 12);
  await server.kill();
  terminal.type('e'.repeat(10));
  await waitForInboxCount(terminal, 2);
  terminal.keys('z', 'z', 'z');
  await waitForInboxCount(terminal, 5);
  await quit(terminal);
  const again = openParley({server, person: meg, size: usualSize, home});
  await waitForInboxCount(again, 5);
  again.keys('z');
  await waitForInboxCount(again, 6);
  await server.start();
  await expect.poll(unread).toEqual(ids.slice(6).toSorted(byId));
  await waitForInboxCount(again, 6);
});

test('two programs go through one inbox at once: nothing is left of it, and what came meanwhile is unread', async () => {
  const {stage, terminal, before} = await crowdedInbox(12);
  const other = stage.open(stage.meg, {size: usualSize, home: scratchDirectory()});
  await waitForInboxCount(other, 15);
  const came: number[] = [];
  await terminal.held(() =>
    other.held(async () => {
      came.push(await stage.say(stage.otto, 'topic 3', 'You have not seen this.'));
      came.push(await stage.say(stage.otto, 'news', 'Nor that.'));
      terminal.type('e'.repeat(15));
      other.type('e'.repeat(15));
    }),
  );
  await waitForUnread(stage, came);
  await waitForInboxCount(terminal, 2);
  await waitForInboxCount(other, 2);
  // Each takes back its own; together that is everything.
  terminal.type('z'.repeat(15));
  other.type('z'.repeat(15));
  await waitForUnread(stage, [...before, ...came]);
});

test('two programs meet in the middle, and both say that nothing is left', async () => {
  const {stage, terminal, before} = await crowdedInbox(9);
  const other = stage.open(stage.meg, {size: usualSize, home: scratchDirectory()});
  await waitForInboxCount(other, 12);
  other.keys('G');
  await waitForCursorOn(other, 'tides');
  for (let at = 0; at < 12; at++) {
    terminal.keys('e');
    other.keys('e', 'k');
  }
  await waitForUnread(stage, []);
  for (const one of [terminal, other]) await one.waitFor('Inbox zero');
  terminal.type('z'.repeat(12));
  other.type('z'.repeat(12));
  await waitForUnread(stage, before);
});

/** What is done to one row after the other, and whether the cursor has to be moved on after it. */
const verbs: readonly {readonly keys: readonly string[]; readonly stays: boolean}[] = [
  {keys: ['e'], stays: false},
  {keys: ['M'], stays: false},
  {keys: ['F'], stays: true},
  {keys: ['b', 'm'], stays: false},
  {keys: ['S'], stays: true},
  {keys: ['+'], stays: true},
  {keys: ['b', '1'], stays: false},
];

test('fifty actions of every kind, a kill, and fifty undos: everything is as it was', async () => {
  const count = 50;
  const {stage, terminal, home} = await crowdedInbox(count);
  const mine = stage.server.as(stage.meg);
  const before = await readState(mine);
  terminal.keys('j');
  for (let at = 0; at < count; at++) {
    const topic = `topic ${count - 1 - at}`;
    await waitForCursorOn(terminal, topic);
    await terminal.waitFor(({text}) => text.includes(`•word ${count - 1 - at}`), `what ${topic} says`);
    const {keys, stays} = verbs[at % verbs.length] ?? {keys: [], stays: true};
    terminal.keys(...keys, ...(stays ? ['n'] : []));
  }
  const thumbs = () => reactionCount(stage, before.unread);
  await expect.poll(async () => (await readState(mine)).unread).toHaveLength(46);
  await expect.poll(thumbs).toBe(7);
  const after = await readState(mine);
  expect(after.starred).toHaveLength(7);
  expect(Object.keys(after.policies)).toHaveLength(14);
  terminal.kill('SIGKILL');
  await terminal.waitForExit();
  const again = stage.open(stage.meg, {size: wideSize, home});
  await again.waitFor(/Inbox · \d+ conversations/);
  again.type('z'.repeat(count));
  await expect.poll(() => readState(mine)).toEqual(before);
  await expect.poll(thumbs).toBe(0);
  await waitForInboxCount(again, count + 3);
});

async function reactionCount({server, meg}: TwoUserFixture, ids: readonly number[]): Promise<number> {
  const {messages} = await server.as(meg).get('/messages', {message_ids: ids});
  return messages.flatMap(({reactions}: {reactions: readonly unknown[]}) => reactions).length;
}

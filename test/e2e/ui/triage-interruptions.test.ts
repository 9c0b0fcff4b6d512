import {expect, test} from 'vitest';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {openParley} from '#test/support/terminal/parley.ts';
import {crowded, cursorOn, inboxOf, pier, unreadBecomes, wide} from './triage-fixture.ts';
import {type Harbour, quit, standing, usual} from './two-user-fixture.ts';

const byId = (a: number, b: number) => a - b;

test('the server is killed and comes back: what was done meanwhile arrives', async () => {
  const {server, meg, ids, unread} = await pier(6);
  const terminal = openParley({server, person: meg, size: wide});
  await inboxOf(terminal, 6);
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
  const {server, meg, ids, unread} = await pier(12);
  const home = scratchDirectory();
  const terminal = openParley({server, person: meg, size: usual, home});
  await inboxOf(terminal, 12);
  await server.kill();
  terminal.type('e'.repeat(10));
  await inboxOf(terminal, 2);
  terminal.keys('z', 'z', 'z');
  await inboxOf(terminal, 5);
  await quit(terminal);
  const again = openParley({server, person: meg, size: usual, home});
  await inboxOf(again, 5);
  again.keys('z');
  await inboxOf(again, 6);
  await server.start();
  await expect.poll(unread).toEqual(ids.slice(6).toSorted(byId));
  await inboxOf(again, 6);
});

test('two programs go through one inbox at once: nothing is left of it, and what came meanwhile is unread', async () => {
  const {stage, terminal, before} = await crowded(12);
  const other = stage.open(stage.meg, {size: usual, home: scratchDirectory()});
  await inboxOf(other, 15);
  const came: number[] = [];
  await terminal.held(() =>
    other.held(async () => {
      came.push(await stage.say(stage.otto, 'topic 3', 'You have not seen this.'));
      came.push(await stage.say(stage.otto, 'news', 'Nor that.'));
      terminal.type('e'.repeat(15));
      other.type('e'.repeat(15));
    }),
  );
  await unreadBecomes(stage, came);
  await inboxOf(terminal, 2);
  await inboxOf(other, 2);
  // Each takes back its own; together that is everything.
  terminal.type('z'.repeat(15));
  other.type('z'.repeat(15));
  await unreadBecomes(stage, [...before, ...came]);
});

test('two programs meet in the middle, and both say that nothing is left', async () => {
  const {stage, terminal, before} = await crowded(9);
  const other = stage.open(stage.meg, {size: usual, home: scratchDirectory()});
  await inboxOf(other, 12);
  other.keys('G');
  await cursorOn(other, 'tides');
  for (let at = 0; at < 12; at++) {
    terminal.keys('e');
    other.keys('e', 'k');
  }
  await unreadBecomes(stage, []);
  for (const one of [terminal, other]) await one.waitFor('Inbox zero');
  terminal.type('z'.repeat(12));
  other.type('z'.repeat(12));
  await unreadBecomes(stage, before);
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
  const {stage, terminal, home} = await crowded(count);
  const mine = stage.server.as(stage.meg);
  const before = await standing(mine);
  terminal.keys('j');
  for (let at = 0; at < count; at++) {
    const topic = `topic ${count - 1 - at}`;
    await cursorOn(terminal, topic);
    await terminal.waitFor(({text}) => text.includes(`•word ${count - 1 - at}`), `what ${topic} says`);
    const {keys, stays} = verbs[at % verbs.length] ?? {keys: [], stays: true};
    terminal.keys(...keys, ...(stays ? ['n'] : []));
  }
  const thumbs = () => reactionCount(stage, before.unread);
  await expect.poll(async () => (await standing(mine)).unread).toHaveLength(46);
  await expect.poll(thumbs).toBe(7);
  const after = await standing(mine);
  expect(after.starred).toHaveLength(7);
  expect(Object.keys(after.policies)).toHaveLength(14);
  terminal.kill('SIGKILL');
  await terminal.waitForExit();
  const again = stage.open(stage.meg, {size: wide, home});
  await again.waitFor(/Inbox · \d+ conversations/);
  again.type('z'.repeat(count));
  await expect.poll(() => standing(mine)).toEqual(before);
  await expect.poll(thumbs).toBe(0);
  await inboxOf(again, count + 3);
});

async function reactionCount({server, meg}: Harbour, ids: readonly number[]): Promise<number> {
  const {messages} = await server.as(meg).get('/messages', {message_ids: ids});
  return messages.flatMap(({reactions}: {reactions: readonly unknown[]}) => reactions).length;
}

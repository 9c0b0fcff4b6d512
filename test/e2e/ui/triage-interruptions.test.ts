import {expect} from 'vitest';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {openParley} from '#test/support/terminal/parley.ts';
import {slowTest} from '#test/support/tier.ts';
import {
  crowdedInbox,
  killableServer,
  rarely,
  waitForCursorOn,
  waitForInboxCount,
  waitForUnread,
  wideSize,
} from './triage-fixture.ts';
import {quit, readState, type TwoUserFixture, usualSize} from './two-user-fixture.ts';

const byId = (a: number, b: number) => a - b;

slowTest('server restart: actions done while it was down are sent afterwards', async () => {
  const {server, meg, ids, unread} = await killableServer(6);
  const terminal = openParley({server, person: meg, size: wideSize});
  await waitForInboxCount(terminal, 6);
  terminal.keys('e');
  await server.kill();
  terminal.keys('e', 'e');
  await terminal.waitFor(/triage 3\/\d/);
  await server.start();
  await expect.poll(unread, rarely).toEqual(ids.slice(3).toSorted(byId));
  terminal.keys('z', 'z', 'z');
  await expect.poll(unread, rarely).toEqual(ids.toSorted(byId));
});

slowTest('server down: ten rows done and three undone survive a restart and are sent later', async () => {
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
  await expect.poll(unread, rarely).toEqual(ids.slice(6).toSorted(byId));
  await waitForInboxCount(again, 6);
});

slowTest('two programs: both mark the whole inbox read, and messages that arrive meanwhile stay unread', async () => {
  const {chat, terminal, before} = await crowdedInbox(12);
  const other = chat.open(chat.meg, {size: usualSize, home: scratchDirectory()});
  await waitForInboxCount(other, 15);
  const arrived: number[] = [];
  await terminal.held(() =>
    other.held(async () => {
      arrived.push(await chat.sendToTopic(chat.otto, 'topic 3', 'You have not seen this.'));
      arrived.push(await chat.sendToTopic(chat.otto, 'news', 'Nor that.'));
      terminal.type('e'.repeat(15));
      other.type('e'.repeat(15));
    }),
  );
  await waitForUnread(chat, arrived);
  await waitForInboxCount(terminal, 2);
  await waitForInboxCount(other, 2);
  // Each program undoes its own actions; together these are all.
  terminal.type('z'.repeat(15));
  other.type('z'.repeat(15));
  await waitForUnread(chat, [...before, ...arrived]);
});

slowTest('two programs: work through the inbox from both ends, and both show inbox zero', async () => {
  const {chat, terminal, before} = await crowdedInbox(9);
  const other = chat.open(chat.meg, {size: usualSize, home: scratchDirectory()});
  await waitForInboxCount(other, 12);
  other.keys('G');
  await waitForCursorOn(other, 'tides');
  for (let nth = 0; nth < 12; nth++) {
    terminal.keys('e');
    other.keys('e', 'k');
  }
  await waitForUnread(chat, []);
  for (const one of [terminal, other]) await one.waitFor('Inbox zero');
  terminal.type('z'.repeat(12));
  other.type('z'.repeat(12));
  await waitForUnread(chat, before);
});

/** The actions on one row after the other, and whether the cursor stays on the row. */
const rowActions: readonly {readonly keys: readonly string[]; readonly stays: boolean}[] = [
  {keys: ['e'], stays: false},
  {keys: ['M'], stays: false},
  {keys: ['F'], stays: true},
  {keys: ['b', 'n'], stays: false},
  {keys: ['S'], stays: true},
  {keys: ['+'], stays: true},
  {keys: ['b', 'h'], stays: false},
];

slowTest('undo: three actions of every kind, SIGKILL and as many undos restore the first state', async () => {
  const count = 3 * rowActions.length;
  const {chat, terminal, home} = await crowdedInbox(count);
  const mine = chat.server.as(chat.meg);
  const before = await readState(mine);
  terminal.keys('j');
  for (let nth = 0; nth < count; nth++) {
    const topic = `topic ${count - 1 - nth}`;
    await waitForCursorOn(terminal, topic);
    await terminal.waitFor(new RegExp(`• ?word ${count - 1 - nth}\\b`), `the preview of ${topic}`);
    const {keys, stays} = rowActions[nth % rowActions.length] ?? {keys: [], stays: true};
    terminal.keys(...keys, ...(stays ? ['n'] : []));
  }
  const thumbs = () => reactionCount(chat, before.unread);
  await expect.poll(async () => (await readState(mine)).unread).toHaveLength(before.unread.length - 3);
  await expect.poll(thumbs).toBe(3);
  await expect.poll(async () => (await readState(mine)).starred).toHaveLength(3);
  await expect.poll(async () => Object.keys((await readState(mine)).policies)).toHaveLength(6);
  terminal.kill('SIGKILL');
  await terminal.waitForExit();
  const again = chat.open(chat.meg, {size: wideSize, home});
  await again.waitFor(/Inbox · .* in \d+ conversations/);
  again.type('z'.repeat(count));
  await expect.poll(() => readState(mine)).toEqual(before);
  await expect.poll(thumbs).toBe(0);
  await waitForInboxCount(again, count + 3);
});

async function reactionCount({server, meg}: TwoUserFixture, ids: readonly number[]): Promise<number> {
  const {messages} = await server.as(meg).get('/messages', {message_ids: ids});
  return messages.flatMap(({reactions}: {reactions: readonly unknown[]}) => reactions).length;
}

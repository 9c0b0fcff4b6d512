import {expect, test} from 'vitest';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {crowdedInbox, waitForInboxCount, waitForUnread, wideSize} from './triage-fixture.ts';
import {tellFocus} from './two-user-fixture.ts';

test('a hundred conversations are done with a hundred keys, and a hundred more bring back exactly what was unread', async () => {
  const {stage, terminal, before} = await crowdedInbox(100);
  expect(before.length).toBeGreaterThan(100);
  for (let at = 0; at < 100; at++) terminal.keys('e');
  await waitForInboxCount(terminal, 3);
  await expect.poll(async () => (await stage.unread(stage.meg)).length).toBeLessThan(10);
  for (let at = 0; at < 100; at++) terminal.keys('z');
  await waitForInboxCount(terminal, 103);
  await waitForUnread(stage, before);
});

test('everything is done with one write, key by key', async () => {
  const {stage, terminal} = await crowdedInbox(20);
  terminal.write('e'.repeat(23));
  await terminal.waitFor('Inbox zero');
  await waitForUnread(stage, []);
});

test('what was done is done after a kill, and can still be undone', async () => {
  const {stage, terminal, home, before} = await crowdedInbox(10);
  terminal.keys('e', 'e', 'e', 'e');
  await waitForInboxCount(terminal, 9);
  await expect.poll(async () => (await stage.unread(stage.meg)).length).toBeLessThan(before.length);
  terminal.kill('SIGKILL');
  const again = stage.open(stage.meg, {size: wideSize, home});
  await waitForInboxCount(again, 9);
  again.keys('z', 'z', 'z', 'z');
  await waitForInboxCount(again, 13);
  await waitForUnread(stage, before);
});

test("two programs on one account do not get into each other's way", async () => {
  const {stage, terminal, before} = await crowdedInbox(12);
  const other = stage.open(stage.meg, {size: wideSize, home: scratchDirectory()});
  await waitForInboxCount(other, 15);
  terminal.keys('e', 'e', 'e', 'e', 'e');
  other.keys('G', 'k', 'k', 'e', 'e');
  for (const one of [terminal, other]) {
    await one.waitFor(
      ({text}) => /\b[89] conversations|\b10 conversations/.test(text),
      'fewer conversations',
    );
  }
  await expect.poll(async () => (await stage.unread(stage.meg)).length).toBeLessThan(before.length - 5);
  terminal.keys('z', 'z', 'z', 'z', 'z');
  other.keys('z', 'z');
  await waitForUnread(stage, before);
});

test('a message that arrives while one looks elsewhere stays unread', async () => {
  const {stage, terminal} = await crowdedInbox(3);
  terminal.keys('j', 'j');
  await terminal.waitFor('word 1');
  await tellFocus(terminal, false);
  const id = await stage.say(stage.otto, 'topic 1', 'you have not seen this');
  await terminal.waitFor('you have not seen this');
  expect(await stage.unread(stage.meg)).toContain(id);
});

import {expect, test} from 'vitest';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {crowdedInbox, waitForInboxCount, waitForUnread, wideSize} from './triage-fixture.ts';
import {reportFocus} from './two-user-fixture.ts';

test('inbox: a hundred e mark a hundred conversations read, and a hundred z restore exactly their messages', async () => {
  const {chat, terminal, before} = await crowdedInbox(100);
  expect(before.length).toBeGreaterThan(100);
  for (let nth = 0; nth < 100; nth++) terminal.keys('e');
  await waitForInboxCount(terminal, 3);
  await expect.poll(async () => (await chat.unread(chat.meg)).length).toBeLessThan(10);
  for (let nth = 0; nth < 100; nth++) terminal.keys('z');
  await waitForInboxCount(terminal, 103);
  await waitForUnread(chat, before);
});

test('inbox: all keys of one write apply, one row each', async () => {
  const {chat, terminal} = await crowdedInbox(20);
  terminal.write('e'.repeat(23));
  await terminal.waitFor('Inbox zero');
  await waitForUnread(chat, []);
});

test('inbox: actions survive SIGKILL and can still be undone', async () => {
  const {chat, terminal, home, before} = await crowdedInbox(10);
  terminal.keys('e', 'e', 'e', 'e');
  await waitForInboxCount(terminal, 9);
  await expect.poll(async () => (await chat.unread(chat.meg)).length).toBeLessThan(before.length);
  terminal.kill('SIGKILL');
  const again = chat.open(chat.meg, {size: wideSize, home});
  await waitForInboxCount(again, 9);
  again.keys('z', 'z', 'z', 'z');
  await waitForInboxCount(again, 13);
  await waitForUnread(chat, before);
});

test('two programs: actions and undos on one account do not interfere', async () => {
  const {chat, terminal, before} = await crowdedInbox(12);
  const other = chat.open(chat.meg, {size: wideSize, home: scratchDirectory()});
  await waitForInboxCount(other, 15);
  terminal.keys('e', 'e', 'e', 'e', 'e');
  other.keys('G', 'k', 'k', 'e', 'e');
  for (const one of [terminal, other]) {
    await one.waitFor(({text}) => /\b[89] conversations|\b10 conversations/.test(text), 'fewer conversations');
  }
  await expect.poll(async () => (await chat.unread(chat.meg)).length).toBeLessThan(before.length - 5);
  terminal.keys('z', 'z', 'z', 'z', 'z');
  other.keys('z', 'z');
  await waitForUnread(chat, before);
});

test('inbox: a message that arrives while the window has no focus stays unread', async () => {
  const {chat, terminal} = await crowdedInbox(3);
  terminal.keys('j', 'j');
  await terminal.waitFor('word 1');
  await reportFocus(terminal, false);
  const id = await chat.sendToTopic(chat.otto, 'topic 1', 'you have not seen this');
  await terminal.waitFor('you have not seen this');
  expect(await chat.unread(chat.meg)).toContain(id);
});

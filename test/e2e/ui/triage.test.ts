import {expect, test} from 'vitest';
import {crowdedInbox, waitForInboxCount, waitForUnread} from './triage-fixture.ts';
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

test('inbox: a message that arrives while the window has no focus stays unread', async () => {
  const {chat, terminal} = await crowdedInbox(3);
  terminal.keys('j', 'j');
  await terminal.waitFor('word 1');
  await reportFocus(terminal, false);
  const id = await chat.sendToTopic(chat.otto, 'topic 1', 'you have not seen this');
  await terminal.waitFor('you have not seen this');
  expect(await chat.unread(chat.meg)).toContain(id);
});

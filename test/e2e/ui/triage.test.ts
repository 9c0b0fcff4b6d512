import {expect} from 'vitest';
import {fewOrAll, slowTest} from '#test/support/tier.ts';
import {crowdedInbox, waitForInboxCount, waitForUnread} from './triage-fixture.ts';
import {reportFocus} from './two-user-fixture.ts';

const count = fewOrAll(20, 100);

slowTest('inbox: many e mark as many conversations read, and as many z restore exactly their messages', async () => {
  const {chat, terminal, before} = await crowdedInbox(count);
  expect(before.length).toBeGreaterThan(count);
  for (let nth = 0; nth < count; nth++) terminal.keys('e');
  await waitForInboxCount(terminal, 3);
  await expect.poll(async () => (await chat.unread(chat.meg)).length).toBeLessThan(10);
  for (let nth = 0; nth < count; nth++) terminal.keys('z');
  await waitForInboxCount(terminal, count + 3);
  await waitForUnread(chat, before);
});

slowTest('inbox: a message that arrives while the window has no focus stays unread', async () => {
  const {chat, terminal} = await crowdedInbox(3);
  terminal.keys('j', 'j');
  await terminal.waitFor('word 1');
  await reportFocus(terminal, false);
  const id = await chat.sendToTopic(chat.otto, 'topic 1', 'you have not seen this');
  await terminal.waitFor('you have not seen this');
  expect(await chat.unread(chat.meg)).toContain(id);
});

import {expect} from 'vitest';
import {clockAhead} from '#test/support/terminal/clock-ahead.ts';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import {slowTest} from '#test/support/tier.ts';
import {type CrowdedInbox, crowdedInbox, waitForCursorOn, waitForInboxCount, waitForUnread} from './triage-fixture.ts';
import {quit, smallSize, usualSize} from './two-user-fixture.ts';

const minuteMs = 60_000;

/** Starts the program again for the same user and home directory. */
function reopened({chat, home}: CrowdedInbox, aheadMs = 0): Terminal {
  return chat.open(chat.meg, {size: usualSize, home, env: clockAhead(aheadMs)});
}

/** Snoozes the first topic with the keys of the snooze menu. */
async function snoozeFirstTopic({terminal}: CrowdedInbox, ...keys: readonly string[]): Promise<void> {
  terminal.keys('j');
  await waitForCursorOn(terminal, 'topic 1');
  terminal.keys('b', ...keys);
  await waitForCursorOn(terminal, 'topic 0');
  await waitForInboxCount(terminal, 4);
}

slowTest('snooze: a typed time is listed by g z, and the topic comes back then, after a restart', async () => {
  const inbox = await crowdedInbox(2, {size: usualSize});
  await snoozeFirstTopic(inbox, 'i', 'n', 'Space', '6', '0', 'Space', 'm', 'i', 'n', 'Enter');
  inbox.terminal.keys('g', 'z');
  await inbox.terminal.waitFor(/Snoozed conversations.*#harbour › topic 1 +\S.*1 unread message/s);
  inbox.terminal.keys('Esc');
  await quit(inbox.terminal);
  const late = reopened(inbox, 61 * minuteMs);
  await waitForInboxCount(late, 5);
  await late.waitFor(({lines}) => lines.some((line) => /topic 1/.test(line) && /◷/.test(line)), 'topic 1 again');
  expect(await inbox.chat.unread(inbox.chat.meg)).toEqual(inbox.before);
});

slowTest('snooze: to the end comes back when nothing else is left, even after SIGKILL', async () => {
  const inbox = await crowdedInbox(2, {size: usualSize});
  const {chat, terminal, topics} = inbox;
  await snoozeFirstTopic(inbox, 'Enter');
  terminal.kill('SIGKILL');
  await terminal.waitForExit();
  const again = reopened(inbox);
  await again.waitFor('topic 0');
  again.keys('Home', 'e');
  await waitForCursorOn(again, 'topic 0');
  again.keys('e', 'e', 'e');
  await waitForCursorOn(again, 'topic 1', '◷');
  await waitForUnread(chat, topics.slice(1));
  again.keys('e');
  await again.waitFor('Inbox zero');
  await waitForUnread(chat, []);
});

slowTest('snooze: until the next message comes back with it, or by undo', async () => {
  const inbox = await crowdedInbox(2, {size: usualSize});
  const {chat, terminal, before} = inbox;
  await snoozeFirstTopic(inbox, 'n');
  terminal.keys('z');
  await waitForInboxCount(terminal, 5);
  await waitForCursorOn(terminal, 'topic 1');
  terminal.keys('b', 'n');
  await waitForInboxCount(terminal, 4);
  await quit(terminal);
  const again = reopened(inbox);
  await waitForInboxCount(again, 4);
  const id = await chat.sendToTopic(chat.otto, 'topic 1', 'one more word');
  await waitForInboxCount(again, 5);
  await again.waitFor(/2 #harbour › topic 1/);
  await waitForUnread(chat, [...before, id]);
});

slowTest('snooze: the menu shows all choices on the smallest screen', async () => {
  const {terminal} = await crowdedInbox(2, {size: smallSize});
  terminal.keys('b');
  const {text} = await terminal.waitFor('Snooze: Otto Other');
  for (const word of ['Until the rest is done', 'For 1 hour', 'Until tomorrow', 'Until the next message']) {
    expect(text).toContain(word);
  }
  terminal.keys('Esc');
  await terminal.waitFor(({text: shown}) => !shown.includes('For 1 hour'), 'no menu');
  await waitForCursorOn(terminal, 'Otto Other');
});

import {expect, test} from 'vitest';
import {clockAhead} from '#test/support/terminal/clock-ahead.ts';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import {
  type CrowdedInbox,
  crowdedInbox,
  waitForCursorOn,
  waitForInboxCount,
  waitForUnread,
} from './triage-fixture.ts';
import {quit, smallSize, usualSize} from './two-user-fixture.ts';

const minuteMs = 60_000;

/** The same person at the same machine, once more. */
function reopened({stage, home}: CrowdedInbox, aheadMs = 0): Terminal {
  return stage.open(stage.meg, {size: usualSize, home, env: clockAhead(aheadMs)});
}

/** The topic at the top is put off. */
async function putOff({terminal}: CrowdedInbox, ...keys: readonly string[]): Promise<void> {
  terminal.keys('j');
  await waitForCursorOn(terminal, 'topic 1');
  terminal.keys('b', ...keys);
  await waitForCursorOn(terminal, 'topic 0');
  await waitForInboxCount(terminal, 4);
}

test('what is put off for an hour is away over a restart, and back when the hour is over', async () => {
  const crowd = await crowdedInbox(2, {size: usualSize});
  await putOff(crowd, '1');
  await quit(crowd.terminal);
  const soon = reopened(crowd, 50 * minuteMs);
  await waitForInboxCount(soon, 4);
  expect(soon.screen().text).not.toContain('topic 1');
  await quit(soon);
  const late = reopened(crowd, 61 * minuteMs);
  await waitForInboxCount(late, 5);
  await late.waitFor(
    ({lines}) => lines.some((line) => /topic 1/.test(line) && /◷/.test(line)),
    'topic 1, back',
  );
  expect(await crowd.stage.unread(crowd.stage.meg)).toEqual(crowd.before);
});

test('what is put off to the end is offered when nothing else is left, also after a kill', async () => {
  const crowd = await crowdedInbox(2, {size: usualSize});
  const {stage, terminal, topics} = crowd;
  await putOff(crowd, 'Enter');
  terminal.kill('SIGKILL');
  await terminal.waitForExit();
  const again = reopened(crowd);
  await again.waitFor('topic 0');
  again.keys('Home', 'e');
  await waitForCursorOn(again, 'topic 0');
  again.keys('e', 'e', 'e');
  await waitForCursorOn(again, 'topic 1', '◷');
  await waitForUnread(stage, topics.slice(1));
  again.keys('e');
  await again.waitFor('Inbox zero');
  await waitForUnread(stage, []);
});

test('what is put off to the next message comes with it, and undo brings it back without', async () => {
  const crowd = await crowdedInbox(2, {size: usualSize});
  const {stage, terminal, before} = crowd;
  await putOff(crowd, 'm');
  terminal.keys('z');
  await waitForInboxCount(terminal, 5);
  await waitForCursorOn(terminal, 'topic 1');
  terminal.keys('b', 'm');
  await waitForInboxCount(terminal, 4);
  await quit(terminal);
  const again = reopened(crowd);
  await waitForInboxCount(again, 4);
  const id = await stage.say(stage.otto, 'topic 1', 'one more word');
  await waitForInboxCount(again, 5);
  await again.waitFor(/2 #harbour › topic 1/);
  expect(await stage.unread(stage.meg)).toEqual([...before, id]);
});

test('on the smallest screen, too, the menu says what each key does', async () => {
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

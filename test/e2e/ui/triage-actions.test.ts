import {expect} from 'vitest';
import type {Screen} from '#test/support/terminal/screen.ts';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import {slowTest} from '#test/support/tier.ts';
import {crowdedInbox, waitForCursorOn, waitForInboxCount, waitForUnread, without} from './triage-fixture.ts';
import {firstEvent, readState, smallSize, usualSize} from './two-user-fixture.ts';

const [muted, followed] = [1, 3];

slowTest('inbox: X marks a whole channel read, and z restores it', async () => {
  const {chat, terminal, before, direct} = await crowdedInbox(6, {size: usualSize});
  const {server, otto} = chat;
  const content = 'Oil is low.';
  const {id} = await server.as(otto).post('/messages', {type: 'stream', to: 'engines', topic: 'oil', content});
  await waitForInboxCount(terminal, 10);
  terminal.keys('j', 'j');
  await waitForCursorOn(terminal, '#harbour');
  terminal.keys('X');
  await terminal.waitFor('Mark #harbour read: 8 conversations?');
  terminal.keys('y');
  await waitForInboxCount(terminal, 2);
  await waitForUnread(chat, [direct, id]);
  terminal.keys('z');
  await waitForInboxCount(terminal, 10);
  await waitForUnread(chat, [...before, id]);
});

slowTest('inbox: e applies to all selected rows, M moves on, F stays, and z undoes each of them', async () => {
  const {chat, terminal, before, topics} = await crowdedInbox(5, {size: smallSize});
  const mine = chat.server.as(chat.meg);
  terminal.keys('j', 'v', 'j', 'v', 'j', 'v', 'j');
  await waitForCursorOn(terminal, 'topic 1');
  terminal.keys('e');
  await waitForCursorOn(terminal, 'topic 1');
  await waitForUnread(chat, without(before, topics[4], topics[3], topics[2]));
  terminal.keys('z');
  await waitForUnread(chat, before);
  await waitForCursorOn(terminal, 'topic 4');

  const policies = async () => (await readState(mine)).policies;
  terminal.keys('M');
  await waitForCursorOn(terminal, 'topic 3');
  terminal.keys('F');
  await waitForCursorOn(terminal, 'topic 3', '◎');
  await expect.poll(policies).toEqual({'1 topic 4': muted, '1 topic 3': followed});
  expect(await chat.unread(chat.meg)).toEqual(before);
  terminal.keys('z');
  await expect.poll(policies).toEqual({'1 topic 4': muted});
  terminal.keys('z');
  await expect.poll(policies).toEqual({});
  await waitForCursorOn(terminal, 'topic 4');
  expect(await chat.unread(chat.meg)).toEqual(before);
});

slowTest('inbox zero: shows a summary; the undo history lists every action and undoes any of them', async () => {
  const {chat, terminal, topics} = await crowdedInbox(4);
  terminal.keys('e');
  await waitForCursorOn(terminal, 'topic 3');
  terminal.keys('M');
  await waitForCursorOn(terminal, 'topic 2');
  terminal.keys('b', 'n');
  await waitForCursorOn(terminal, 'topic 1');
  await terminal.waitFor(/• ?word 1/);
  terminal.keys('F', 'S', '+', 'e', 'e', 'e', 'e');
  const {text} = await terminal.waitFor('Inbox zero');
  expect(text).toContain('7 conversations: 5 done · 1 muted · 1 snoozed');
  expect(text).toContain('with the next message');
  await waitForUnread(chat, topics.slice(2));
  terminal.keys('l');
  const history = await terminal.waitFor('Undo history');
  const labels = [
    'Marked #harbour › tides read (2)',
    'Marked #harbour › ropes read (1)',
    'Marked #harbour › topic 0 read (1)',
    'Marked #harbour › topic 1 read (1)',
    'Reacted with',
    'Starred the',
    'Followed #harbour › topic 1',
    'Snoozed #harbour › topic 2',
    'Muted #harbour › topic 3',
    'Marked Otto Other read (1)',
  ];
  const rows = labels.map((label) => history.lines.findIndex((line) => line.includes(label)));
  expect(rows).toEqual(rows.map((_, index) => (rows[0] ?? -1) + index));
  expect(rows[0]).toBeGreaterThan(0);
  terminal.keys('j', 'j', 'j', 'Enter');
  await waitForUnread(chat, topics.slice(1));
  await terminal.waitFor(/│ Undone [\s\S]*│ Marked #harbour › topic 1/);
  terminal.keys('Esc');
  await waitForInboxCount(terminal, 1);
  await waitForCursorOn(terminal, 'topic 1');
});

function logLines({text}: Screen): readonly string[] {
  return text.match(/Line \d+ of the log/g) ?? [];
}

/** Returns the shown conversation and its first line: the last one also changes when earlier messages are loaded. */
function pageOf(screen: Screen): string {
  if (screen.text.includes('Inbox zero')) return 'zero';
  const [label] = /Otto Other|#harbour › (?:topic )?\w+/.exec(screen.lines[1] ?? '') ?? [];
  return `${label} ${logLines(screen)[0]}`;
}

/** Waits until the page has loaded, so that Space has an effect. */
function waitForLoadedPage(terminal: Terminal): Promise<Screen> {
  return terminal.waitFor(
    ({text}) => text.includes('Inbox zero') || (/── end|↓ more/.test(text) && !/loading/i.test(text)),
    'a loaded page',
  );
}

slowTest('triage: Space pages to the end of a conversation before it goes to the next', async () => {
  const {chat, terminal} = await crowdedInbox(2, {size: usualSize});
  const lines = Array.from({length: 90}, (_, index) => `Line ${index + 1} of the log.`);
  const long = await chat.sendToTopic(chat.otto, 'logbook', lines.join('\n'));
  await waitForInboxCount(terminal, 6);
  terminal.keys('g', 't');
  // The list of the inbox may contain the same words.
  await terminal.waitFor((screen) => pageOf(screen).startsWith('Otto Other'), 'triage of the direct message');
  const seen = new Set<string>();
  const stop = terminal.onFrame(() => {
    for (const line of logLines(terminal.screen())) seen.add(line);
  });
  for (
    let page = pageOf(await waitForLoadedPage(terminal));
    page !== 'zero';
    page = pageOf(await waitForLoadedPage(terminal))
  ) {
    const isUnread = (await chat.unread(chat.meg)).includes(long);
    // The message is read only after all of its lines were on screen.
    if (!isUnread) expect(seen.size).toBe(lines.length);
    terminal.keys('Space');
    const before = page;
    await terminal.waitFor((screen) => pageOf(screen) !== before, 'another page');
  }
  stop();
  await terminal.waitFor('Inbox zero');
  expect(seen.size).toBe(lines.length);
  await waitForUnread(chat, []);
});

slowTest('--explore: no key of the inbox marks anything read, and a toast says so', async () => {
  const {chat, terminal, before} = await crowdedInbox(2, {args: ['--explore'], size: usualSize});
  const listener = await chat.server.as(chat.meg).listen({event_types: ['update_message_flags']});
  await terminal.waitFor('EXPLORE');
  for (const key of ['e', 'X']) {
    terminal.keys('Home', 'j', key);
    await terminal.waitFor('nothing is marked read', `a toast for ${key}`);
    terminal.keys('?');
    await terminal.waitFor(({text}) => !text.includes('nothing is marked read'), 'the keys');
    terminal.keys('Esc');
    await terminal.waitFor('EXPLORE');
  }
  terminal.keys('Home', 'Space', 'Space', 'g', 't', 'Space', 'Space');
  await terminal.waitFor(/^ ?Triage.*EXPLORE/m);
  terminal.keys('Enter');
  await terminal.waitFor('r writes to');
  terminal.keys('Space', 'Space', 'e', 'e');
  terminal.keys('g', 'i', 'Home', 'j');
  await waitForCursorOn(terminal, 'topic 1');
  await terminal.waitFor(/── #harbour › topic 1 .*── 1 unread/s, 'its preview');
  // The server receives this after all requests before.
  terminal.keys('S');
  expect(await firstEvent(listener, ({type}) => type === 'update_message_flags')).toMatchObject({
    op: 'add',
    flag: 'starred',
  });
  expect(await chat.unread(chat.meg)).toEqual(before);
});

import {expect} from 'vitest';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {openParley} from '#test/support/terminal/parley.ts';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import {slowTest} from '#test/support/tier.ts';
import {
  crowdedInbox,
  killableServer,
  rarely,
  waitForCursorOn,
  waitForInboxCount,
  waitForUnread,
  wideSize,
  without,
} from './triage-fixture.ts';
import {
  firstEvent,
  openTides,
  smallSize,
  startWriting,
  type TwoUserFixture,
  twoUserFixture,
  usualSize,
} from './two-user-fixture.ts';

/** Returns the contents of the direct conversation of the two users, oldest first. */
async function directMessages({server, meg, otto}: TwoUserFixture): Promise<readonly string[]> {
  const narrow = [{operator: 'dm', operand: [otto.id]}];
  const params = {narrow, anchor: 'oldest', num_before: 0, num_after: 100, apply_markdown: false};
  const {messages} = await server.as(meg).get('/messages', params);
  return messages.map(({content}: {content: string}) => content);
}

async function sendReply(terminal: Terminal, text: string): Promise<void> {
  await startWriting(terminal);
  terminal.type(text);
  await terminal.waitFor(text);
  terminal.keys('Enter');
}

slowTest('inbox: a reply is sent, marks its conversation read and moves to the next row', async () => {
  const {chat, terminal, before, direct} = await crowdedInbox(2, {size: smallSize});
  await waitForCursorOn(terminal, 'Otto Other');
  await sendReply(terminal, 'I am on my way.');
  await waitForCursorOn(terminal, 'topic 1');
  await waitForUnread(chat, without(before, direct));
  // Marking read does not wait for the send.
  await expect.poll(() => directMessages(chat)).toEqual(['Are you coming along?', 'I am on my way.']);
  // Undo marks the conversation unread; the reply stays sent.
  terminal.keys('z');
  await waitForUnread(chat, before);
  expect(await directMessages(chat)).toHaveLength(2);
});

slowTest('SIGKILL between sending a reply and marking read: both happen once', async () => {
  const {chat, terminal, home, before, direct} = await crowdedInbox(2);
  const listener = await chat.server.as(chat.otto).listen({event_types: ['message']});
  await chat.hook('fault', {path: '/messages/flags', kind: 'drop_before', times: 10_000});
  await sendReply(terminal, 'I am on my way.');
  await firstEvent(listener, ({message}) => message?.content.includes('on my way'));
  expect(await chat.unread(chat.meg)).toEqual(before);
  terminal.kill('SIGKILL');
  await terminal.waitForExit();
  await chat.hook('clear-faults');
  const again = chat.open(chat.meg, {size: wideSize, home});
  await waitForInboxCount(again, 4);
  await waitForUnread(chat, without(before, direct));
  expect(await directMessages(chat)).toEqual(['Are you coming along?', 'I am on my way.']);
  again.keys('z');
  await waitForUnread(chat, before);
});

slowTest('SIGKILL after a lost response: the reply is not sent again', async () => {
  const {chat, terminal, home, before, direct} = await crowdedInbox(2);
  await chat.hook('fault', {method: 'POST', path: '/messages', kind: 'drop_after', times: 10_000});
  await sendReply(terminal, 'I am on my way.');
  await expect.poll(() => directMessages(chat)).toHaveLength(2);
  terminal.kill('SIGKILL');
  await terminal.waitForExit();
  await chat.hook('clear-faults');
  const again = chat.open(chat.meg, {size: wideSize, home});
  await waitForInboxCount(again, 4);
  await waitForUnread(chat, without(before, direct));
  // A new message is sent only after the state of the last one is known.
  again.keys('Home', 'e');
  await sendReply(again, 'And I bring a rope.');
  await expect.poll(() => chat.topicMessages('topic 0')).toContain('And I bring a rope.');
  expect(await directMessages(chat)).toEqual(['Are you coming along?', 'I am on my way.']);
});

slowTest('server down: a reply survives SIGKILL and is sent when the server is back', async () => {
  const {server, meg, ids, unread} = await killableServer(3);
  const home = scratchDirectory();
  const terminal = openParley({server, person: meg, size: usualSize, home});
  await waitForInboxCount(terminal, 3);
  await server.kill();
  await terminal.waitFor(/reconnecting|offline/);
  await sendReply(terminal, 'I am on my way.');
  await waitForCursorOn(terminal, 'topic 1');
  terminal.kill('SIGKILL');
  await terminal.waitForExit();
  await server.start();
  const again = openParley({server, person: meg, size: usualSize, home});
  await waitForInboxCount(again, 2);
  await expect.poll(unread, rarely).toEqual(ids.slice(1).toReversed());
  const sentMessages = async () => {
    const narrow = [{operator: 'sender', operand: meg.id}];
    const {messages} = await server.as(meg).get('/messages', {narrow, anchor: 'newest', num_before: 9});
    return messages.map(({subject, content}: {subject: string; content: string}) => `${subject}: ${content}`);
  };
  await expect.poll(sentMessages).toEqual(['topic 2: <p>I am on my way.</p>']);
});

slowTest('Alt-a: text in the composer is saved during the walk and restored at its end', async () => {
  const chat = await twoUserFixture();
  const home = scratchDirectory();
  const terminal = await openTides(chat, usualSize, {home});
  await startWriting(terminal);
  terminal.type('Half a sentence about');
  await terminal.waitFor('Half a sentence about');
  terminal.keys('Alt-a');
  await terminal.waitFor('Are you coming along?');
  expect(terminal.screen().text).not.toContain('Half a sentence');
  terminal.keys('Alt-a');
  await terminal.waitFor('rope is worn');
  await waitForUnread(chat, []);
  terminal.keys('Alt-a');
  await terminal.waitFor(
    ({lines, text}) =>
      (lines[0] ?? '').includes('tides') &&
      ['see you at the quay', 'Half a sentence about'].every((part) => text.includes(part)),
    'the conversation and its text',
  );
  // The composer has the focus again.
  await terminal.waitFor(({cursor}) => cursor.visible, 'cursor in the composer');
  terminal.type(' the tide.');
  terminal.keys('Enter');
  await expect.poll(() => chat.topicMessages('tides')).toContain('Half a sentence about the tide.');
});

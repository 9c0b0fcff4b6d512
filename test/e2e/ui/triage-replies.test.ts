import {expect, test} from 'vitest';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {openParley} from '#test/support/terminal/parley.ts';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import {
  crowdedInbox,
  killableServer,
  triageSizes,
  waitForCursorOn,
  waitForInboxCount,
  waitForUnread,
  wideSize,
  without,
} from './triage-fixture.ts';
import {
  firstEvent,
  openTides,
  startWriting,
  type TwoUserFixture,
  twoUserFixture,
  usualSize,
} from './two-user-fixture.ts';

/** What is in the conversation of the two, first to last. */
async function toldTo({server, meg, otto}: TwoUserFixture): Promise<readonly string[]> {
  const narrow = [{operator: 'dm', operand: [otto.id]}];
  const params = {narrow, anchor: 'oldest', num_before: 0, num_after: 100, apply_markdown: false};
  const {messages} = await server.as(meg).get('/messages', params);
  return messages.map(({content}: {content: string}) => content);
}

async function answer(terminal: Terminal, text: string): Promise<void> {
  await startWriting(terminal);
  terminal.type(text);
  await terminal.waitFor(text);
  terminal.keys('Enter');
}

test.each(triageSizes)(
  'a reply is sent, what it answers is read, and the next row is looked at, at $cols x $rows',
  async (size) => {
    const {stage, terminal, before, direct} = await crowdedInbox(2, {size});
    await waitForCursorOn(terminal, 'Otto Other');
    await answer(terminal, 'I am on my way.');
    await waitForCursorOn(terminal, 'topic 1');
    await waitForUnread(stage, without(before, direct));
    expect(await toldTo(stage)).toEqual(['Are you coming along?', 'I am on my way.']);
    // Undone is that it was read; what was sent stays sent.
    terminal.keys('z');
    await waitForUnread(stage, before);
    expect(await toldTo(stage)).toHaveLength(2);
  },
);

test('a kill between the reply and the mark loses neither, and repeats nothing', async () => {
  const {stage, terminal, home, before, direct} = await crowdedInbox(2);
  const listener = await stage.server.as(stage.otto).listen({event_types: ['message']});
  await stage.hook('fault', {path: '/messages/flags', kind: 'drop_before', times: 10_000});
  await answer(terminal, 'I am on my way.');
  await firstEvent(listener, ({message}) => message?.content.includes('on my way'));
  expect(await stage.unread(stage.meg)).toEqual(before);
  terminal.kill('SIGKILL');
  await terminal.waitForExit();
  await stage.hook('clear-faults');
  const again = stage.open(stage.meg, {size: wideSize, home});
  await waitForInboxCount(again, 4);
  await waitForUnread(stage, without(before, direct));
  expect(await toldTo(stage)).toEqual(['Are you coming along?', 'I am on my way.']);
  again.keys('z');
  await waitForUnread(stage, before);
});

test('a kill while the answer of the server is lost does not send the reply again', async () => {
  const {stage, terminal, home, before, direct} = await crowdedInbox(2);
  await stage.hook('fault', {method: 'POST', path: '/messages', kind: 'drop_after', times: 10_000});
  await answer(terminal, 'I am on my way.');
  await expect.poll(() => toldTo(stage)).toHaveLength(2);
  terminal.kill('SIGKILL');
  await terminal.waitForExit();
  await stage.hook('clear-faults');
  const again = stage.open(stage.meg, {size: wideSize, home});
  await waitForInboxCount(again, 4);
  await waitForUnread(stage, without(before, direct));
  // Nothing is sent before it is known what became of the last one.
  again.keys('Home', 'e');
  await answer(again, 'And I bring a rope.');
  await expect.poll(() => stage.said('topic 0')).toContain('And I bring a rope.');
  expect(await toldTo(stage)).toEqual(['Are you coming along?', 'I am on my way.']);
});

test('a reply without a server is sent once there is one, though the program was killed before', async () => {
  const {server, meg, ids, unread} = await killableServer(3);
  const home = scratchDirectory();
  const terminal = openParley({server, person: meg, size: usualSize, home});
  await waitForInboxCount(terminal, 3);
  await server.kill();
  await terminal.waitFor(/reconnecting|offline/);
  await answer(terminal, 'I am on my way.');
  await waitForCursorOn(terminal, 'topic 1');
  terminal.kill('SIGKILL');
  await terminal.waitForExit();
  await server.start();
  const again = openParley({server, person: meg, size: usualSize, home});
  await waitForInboxCount(again, 2);
  await expect.poll(unread).toEqual(ids.slice(1).toReversed());
  const said = async () => {
    const narrow = [{operator: 'sender', operand: meg.id}];
    const {messages} = await server.as(meg).get('/messages', {narrow, anchor: 'newest', num_before: 9});
    return messages.map(({subject, content}: {subject: string; content: string}) => `${subject}: ${content}`);
  };
  await expect.poll(said).toEqual(['topic 2: <p>I am on my way.</p>']);
});

test('what was begun is kept while one walks through what is unread, and is there again at the end of it', async () => {
  const stage = await twoUserFixture();
  const home = scratchDirectory();
  const terminal = await openTides(stage, usualSize, {home});
  await startWriting(terminal);
  terminal.type('Half a sentence about');
  await terminal.waitFor('Half a sentence about');
  terminal.keys('Alt-a');
  await terminal.waitFor('Are you coming along?');
  expect(terminal.screen().text).not.toContain('Half a sentence');
  terminal.keys('Alt-a');
  await terminal.waitFor('rope is worn');
  await waitForUnread(stage, []);
  terminal.keys('Alt-a');
  const back = await terminal.waitFor('see you at the quay');
  expect(back.text).toContain('Half a sentence about');
  expect(back.lines[0]).toContain('tides');
  // The keys are where they were, too: one goes on writing.
  await terminal.waitFor(({cursor}) => cursor.visible, 'cursor in the composer');
  terminal.type(' the tide.');
  terminal.keys('Enter');
  await expect.poll(() => stage.said('tides')).toContain('Half a sentence about the tide.');
});

import {expect, test} from 'vitest';
import {fewOf, slowTest} from '#test/support/tier.ts';
import {
  extremeSizes,
  firstEvent,
  quit,
  reportFocus,
  smallSize,
  tides,
  twoUserFixture,
  usualSize,
  waitForAllUnread,
} from './two-user-fixture.ts';

test.each(fewOf(extremeSizes))(
  'inbox: lists unread conversations, and is empty after they are read, at $cols x $rows',
  async (size) => {
    const chat = await twoUserFixture();
    const {server, meg} = chat;
    const listener = await server.as(meg).listen({event_types: ['update_message_flags']});
    const terminal = chat.open(meg, {size});
    await waitForAllUnread(terminal);
    expect(await chat.unread(meg)).toHaveLength(4);
    terminal.keys('n', 'Enter');
    await terminal.waitFor(({lines}) => /ropes|tides/.test(lines[0] ?? ''), 'an unread topic');
    await firstEvent(listener, ({flag, op}) => flag === 'read' && op === 'add');
    terminal.keys('n');
    await firstEvent(listener, ({flag, op}) => flag === 'read' && op === 'add');
    terminal.keys('p');
    await terminal.waitFor('Are you coming along?');
    await expect.poll(() => chat.unread(meg)).toEqual([]);
    terminal.keys('I');
    await terminal.waitFor(/Nothing unread|All caught up|caught up|all read/i);
  },
);

slowTest.each([smallSize])(
  'inbox: e marks one conversation read, z restores exactly its messages, and Z marks them read again, at $cols x $rows',
  async (size) => {
    const chat = await twoUserFixture();
    const {server, meg} = chat;
    const before = await chat.unread(meg);
    const listener = await server.as(meg).listen({event_types: ['update_message_flags']});
    const terminal = chat.open(meg, {size});
    await waitForAllUnread(terminal);
    const readIds = new Set<number>();
    for (let nth = 0; nth < 3; nth++) {
      terminal.keys('e');
      const {messages} = await firstEvent(listener, ({flag, op}) => flag === 'read' && op === 'add');
      for (const id of messages) readIds.add(id);
    }
    expect([...readIds].sort((a, b) => a - b)).toEqual(before);
    for (let nth = 0; nth < 3; nth++) {
      terminal.keys('z');
      await firstEvent(listener, ({flag, op}) => flag === 'read' && op === 'remove');
    }
    await expect.poll(() => chat.unread(meg)).toEqual(before);
    await waitForAllUnread(terminal);
    for (let nth = 0; nth < 3; nth++) {
      terminal.keys('Z');
      await firstEvent(listener, ({flag, op}) => flag === 'read' && op === 'add');
    }
    await expect.poll(() => chat.unread(meg)).toEqual([]);
  },
);

slowTest('inbox: previews mark nothing read', async () => {
  const chat = await twoUserFixture();
  const before = await chat.unread(chat.meg);
  const terminal = chat.open(chat.meg, {size: {cols: 200, rows: 50}});
  await terminal.waitFor('Are you coming along?');
  terminal.keys('j');
  await terminal.waitFor('rope is worn');
  terminal.keys('j');
  await terminal.waitFor('see you at the quay');
  terminal.keys('t');
  await terminal.waitFor(({lines}) => (lines[0] ?? '').includes('Recent'), 'recent conversations');
  expect(await chat.unread(chat.meg)).toEqual(before);
});

test('messages: nothing becomes read while the terminal window has no focus', async () => {
  const chat = await twoUserFixture();
  const {server, meg, otto} = chat;
  const listener = await server.as(meg).listen({event_types: ['update_message_flags']});
  const terminal = chat.open(meg, {size: usualSize, args: [tides]});
  await terminal.waitFor('see you at the quay');
  await firstEvent(listener, ({flag, op}) => flag === 'read' && op === 'add');
  await reportFocus(terminal, false);
  const id = await chat.sendToTopic(otto, 'tides', 'The fog is coming in.');
  await terminal.waitFor('The fog is coming in.');
  // A later event of the same queue: a read flag set before would have arrived by then.
  await server.as(meg).post('/messages/flags', {messages: [id], op: 'add', flag: 'starred'});
  await terminal.waitFor(/fog is coming in\. +★/);
  expect(await chat.unread(meg)).toContain(id);
  await reportFocus(terminal, true);
  const {messages} = await firstEvent(listener, ({flag, op}) => flag === 'read' && op === 'add');
  expect(messages).toEqual([id]);
});

slowTest('--explore: marks nothing read', async () => {
  const chat = await twoUserFixture();
  const before = await chat.unread(chat.meg);
  const terminal = chat.open(chat.meg, {size: usualSize, args: ['--explore', tides]});
  await terminal.waitFor('see you at the quay');
  terminal.keys('G', 'n');
  await terminal.waitFor('rope is worn');
  await quit(terminal);
  expect(await chat.unread(chat.meg)).toEqual(before);
});

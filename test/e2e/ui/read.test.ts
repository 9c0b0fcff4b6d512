import {expect, test} from 'vitest';
import {
  allUnread,
  firstEvent,
  quit,
  sizes,
  smallSize,
  tellFocus,
  tides,
  twoUserFixture,
  usualSize,
} from './two-user-fixture.ts';

test.each(sizes)(
  'the inbox lists what is unread, and reading it empties it, at $cols x $rows',
  async (size) => {
    const stage = await twoUserFixture();
    const {server, meg} = stage;
    const listener = await server.as(meg).listen({event_types: ['update_message_flags']});
    const terminal = stage.open(meg, {size});
    await allUnread(terminal);
    expect(await stage.unread(meg)).toHaveLength(4);
    terminal.keys('n', 'Enter');
    await terminal.waitFor(({lines}) => /ropes|tides/.test(lines[0] ?? ''), 'an unread topic');
    await firstEvent(listener, ({flag, op}) => flag === 'read' && op === 'add');
    terminal.keys('n');
    await firstEvent(listener, ({flag, op}) => flag === 'read' && op === 'add');
    terminal.keys('p');
    await terminal.waitFor('Are you coming along?');
    await firstEvent(listener, ({flag, op}) => flag === 'read' && op === 'add');
    expect(await stage.unread(meg)).toEqual([]);
    terminal.keys('I');
    await terminal.waitFor(/Nothing unread|All caught up|caught up|all read/i);
  },
);

test.each([smallSize])(
  'triage is one key a conversation, and undo gives exactly that back, at $cols x $rows',
  async (size) => {
    const stage = await twoUserFixture();
    const {server, meg} = stage;
    const before = await stage.unread(meg);
    const listener = await server.as(meg).listen({event_types: ['update_message_flags']});
    const terminal = stage.open(meg, {size});
    await allUnread(terminal);
    const seen = new Set<number>();
    for (let at = 0; at < 3; at++) {
      terminal.keys('e');
      const {messages} = await firstEvent(listener, ({flag, op}) => flag === 'read' && op === 'add');
      for (const id of messages) seen.add(id);
    }
    expect([...seen].sort((a, b) => a - b)).toEqual(before);
    for (let at = 0; at < 3; at++) {
      terminal.keys('z');
      await firstEvent(listener, ({flag, op}) => flag === 'read' && op === 'remove');
    }
    expect(await stage.unread(meg)).toEqual(before);
    await allUnread(terminal);
  },
);

test('looking at the inbox marks nothing as read, whatever is looked at there', async () => {
  const stage = await twoUserFixture();
  const before = await stage.unread(stage.meg);
  const terminal = stage.open(stage.meg, {size: {cols: 200, rows: 50}});
  await terminal.waitFor('Are you coming along?');
  terminal.keys('j');
  await terminal.waitFor('rope is worn');
  terminal.keys('j');
  await terminal.waitFor('see you at the quay');
  terminal.keys('t');
  await terminal.waitFor(({lines}) => (lines[0] ?? '').includes('Recent'), 'recent conversations');
  expect(await stage.unread(stage.meg)).toEqual(before);
});

test('nothing becomes read while the window is not looked at', async () => {
  const stage = await twoUserFixture();
  const {server, meg, otto} = stage;
  const listener = await server.as(meg).listen({event_types: ['update_message_flags']});
  const terminal = stage.open(meg, {size: usualSize, args: [tides]});
  await terminal.waitFor('see you at the quay');
  await firstEvent(listener, ({flag, op}) => flag === 'read' && op === 'add');
  await tellFocus(terminal, false);
  const id = await stage.say(otto, 'tides', 'The fog is coming in.');
  await terminal.waitFor('The fog is coming in.');
  // A change that goes the same way after it: had the message been marked, it would have been by now.
  await server.as(meg).post('/messages/flags', {messages: [id], op: 'add', flag: 'starred'});
  await terminal.waitFor(/fog is coming in\. +✦/);
  expect(await stage.unread(meg)).toContain(id);
  await tellFocus(terminal, true);
  const {messages} = await firstEvent(listener, ({flag, op}) => flag === 'read' && op === 'add');
  expect(messages).toEqual([id]);
});

test('exploring marks nothing as read', async () => {
  const stage = await twoUserFixture();
  const before = await stage.unread(stage.meg);
  const terminal = stage.open(stage.meg, {size: usualSize, args: ['--explore', tides]});
  await terminal.waitFor('see you at the quay');
  terminal.keys('G', 'n');
  await terminal.waitFor('rope is worn');
  await quit(terminal);
  expect(await stage.unread(stage.meg)).toEqual(before);
});

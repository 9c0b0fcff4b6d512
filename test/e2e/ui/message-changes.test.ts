import {expect} from 'vitest';
import {slowTest} from '#test/support/tier.ts';
import {firstEvent, openTides, smallSize, twoUserFixture, usualSize} from './two-user-fixture.ts';

slowTest.each([smallSize])(
  'messages: an own message is edited, starred, listed in starred messages and moved to another topic, at $cols x $rows',
  async (size) => {
    const chat = await twoUserFixture();
    const {server, meg, otto} = chat;
    const id = await chat.sendToTopic(meg, 'tides', 'We need three ropes.');
    const changes = await server.as(otto).listen({event_types: ['update_message']});
    const stars = await server.as(meg).listen({event_types: ['update_message_flags']});
    const terminal = await openTides(chat, size);
    await terminal.waitFor('three ropes.');
    terminal.keys('G', 'E');
    await terminal.waitFor(({cursor}) => cursor.visible, 'cursor in the text');
    terminal.keys('Ctrl-A', 'Ctrl-K');
    terminal.type('We need four ropes.');
    terminal.keys('Enter');
    await terminal.waitFor(({text}) => text.includes('four ropes.') && text.includes('edited'), 'the edited mark');
    await firstEvent(changes, ({message_id}) => message_id === id);
    expect(await chat.message(id)).toMatchObject({content: 'We need four ropes.'});

    terminal.keys('S');
    await terminal.waitFor(/four ropes\..*★/);
    await firstEvent(stars, ({flag, op}) => flag === 'starred' && op === 'add');
    terminal.keys('*');
    await terminal.waitFor(
      ({lines, text}) =>
        (lines[0] ?? '').includes('Starred') && text.includes('four ropes.') && !text.includes('at three'),
      'starred messages',
    );

    terminal.keys('Alt-Left');
    await terminal.waitFor(({text}) => text.includes('see you at the quay'), 'the conversation');
    terminal.keys('G', 'm');
    await terminal.waitFor('Move from');
    terminal.keys('Ctrl-U');
    terminal.type('ropes');
    await terminal.waitFor('▌ropes');
    terminal.keys('Enter');
    await terminal.waitFor(/only this|Only this|This message/);
    terminal.keys('Enter');
    await firstEvent(changes, ({message_ids, subject}) => message_ids?.includes(id) && subject === 'ropes');
    expect(await chat.message(id)).toMatchObject({subject: 'ropes'});
  },
);

slowTest.each([smallSize])(
  'messages: Up in an empty composer edits the last own message; a reaction is chosen by name, at $cols x $rows',
  async (size) => {
    const chat = await twoUserFixture();
    const listener = await chat.server.as(chat.otto).listen({event_types: ['reaction']});
    const terminal = await openTides(chat, size);
    terminal.keys('r', 'Up');
    await terminal.waitFor(({text}) => text.split('Then we leave at three.').length > 2, 'text to edit');
    terminal.keys('Esc');
    await terminal.waitFor(({cursor}) => !cursor.visible, 'composer closed');
    expect(await chat.topicMessages('tides')).toContain('Then we leave at three.');

    terminal.keys('G', ':');
    await terminal.waitFor('React');
    terminal.type('octo');
    await terminal.waitFor('▌🐙');
    terminal.keys('Enter');
    await terminal.waitFor('[🐙');
    expect(await firstEvent(listener, ({op}) => op === 'add')).toMatchObject({emoji_name: 'octopus'});
  },
);

slowTest.each([usualSize])('messages: + adds a thumbs up and z removes it, at $cols x $rows', async (size) => {
  const chat = await twoUserFixture();
  const {server, otto} = chat;
  const listener = await server.as(otto).listen({event_types: ['reaction']});
  const terminal = await openTides(chat, size);
  terminal.keys('G', '+');
  await terminal.waitFor(/see you at the quay\. +\[👍 You\]/);
  expect(await firstEvent(listener, ({op}) => op === 'add')).toMatchObject({emoji_name: '+1'});
  terminal.keys('z');
  await terminal.waitFor(({text}) => !text.includes('[👍'), 'no reaction');
  expect(await firstEvent(listener, ({op}) => op === 'remove')).toMatchObject({emoji_name: '+1'});
});

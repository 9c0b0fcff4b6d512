import {expect, test} from 'vitest';
import {firstEvent, openTides, sizes, smallSize, twoUserFixture, usualSize} from './two-user-fixture.ts';

test.each(sizes)(
  'a message of one’s own is edited, starred, found among the starred, and moved to another topic, at $cols x $rows',
  async (size) => {
    const stage = await twoUserFixture();
    const {server, meg, otto} = stage;
    const id = await stage.say(meg, 'tides', 'We need three ropes.');
    const changes = await server.as(otto).listen({event_types: ['update_message']});
    const stars = await server.as(meg).listen({event_types: ['update_message_flags']});
    const terminal = await openTides(stage, size);
    await terminal.waitFor('three ropes.');
    terminal.keys('G', 'e');
    await terminal.waitFor(({cursor}) => cursor.visible, 'cursor in the text');
    terminal.keys('Ctrl-A', 'Ctrl-K');
    terminal.type('We need four ropes.');
    terminal.keys('Enter');
    await terminal.waitFor(
      ({text}) => text.includes('four ropes.') && text.includes('edited'),
      'the edited mark',
    );
    await firstEvent(changes, ({message_id}) => message_id === id);
    expect(await stage.message(id)).toMatchObject({content: 'We need four ropes.'});

    terminal.keys('S');
    await terminal.waitFor(/four ropes\..*✦/);
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
    expect(await stage.message(id)).toMatchObject({subject: 'ropes'});
  },
);

test.each([smallSize])(
  'Up in an empty box edits the last message of one’s own; a reaction is picked by its name, at $cols x $rows',
  async (size) => {
    const stage = await twoUserFixture();
    const listener = await stage.server.as(stage.otto).listen({event_types: ['reaction']});
    const terminal = await openTides(stage, size);
    terminal.keys('r', 'Up');
    await terminal.waitFor(({text}) => text.split('Then we leave at three.').length > 2, 'text to edit');
    terminal.keys('Esc');
    await terminal.waitFor(({cursor}) => !cursor.visible, 'composer closed');
    expect(await stage.said('tides')).toContain('Then we leave at three.');

    terminal.keys('G', ':');
    await terminal.waitFor('React');
    terminal.type('octo');
    await terminal.waitFor('▌🐙');
    terminal.keys('Enter');
    await terminal.waitFor('[🐙');
    expect(await firstEvent(listener, ({op}) => op === 'add')).toMatchObject({emoji_name: 'octopus'});
  },
);

test.each([usualSize])('a thumb is one key, and so is taking it back, at $cols x $rows', async (size) => {
  const stage = await twoUserFixture();
  const {server, otto} = stage;
  const listener = await server.as(otto).listen({event_types: ['reaction']});
  const terminal = await openTides(stage, size);
  terminal.keys('G', '+');
  await terminal.waitFor(/see you at the quay\. +\[👍 ?1\]/);
  expect(await firstEvent(listener, ({op}) => op === 'add')).toMatchObject({emoji_name: '+1'});
  terminal.keys('Z');
  await terminal.waitFor(({text}) => !text.includes('[👍'), 'no reaction');
  expect(await firstEvent(listener, ({op}) => op === 'remove')).toMatchObject({emoji_name: '+1'});
});

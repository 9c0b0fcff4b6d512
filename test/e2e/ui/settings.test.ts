import {expect} from 'vitest';
import {slowTest} from '#test/support/tier.ts';
import {firstEvent, smallSize, tides, twoUserFixture} from './two-user-fixture.ts';

slowTest.each([smallSize])(
  'settings: found by a word, changed for all clients, undone, and an alert word is added, at $cols x $rows',
  async (size) => {
    const chat = await twoUserFixture();
    const listener = await chat.server.as(chat.meg).listen({event_types: ['user_settings', 'alert_words']});
    const terminal = chat.open(chat.meg, {size, args: [tides]});
    await terminal.waitFor('quay');
    terminal.keys('g', ',');
    await terminal.waitFor('find a setting');
    terminal.type('read receipts');
    await terminal.waitFor(/Send read receipts +on/);
    terminal.keys('Enter');
    await terminal.waitFor(/Send read receipts +off/);
    await firstEvent(listener, ({property, value}) => property === 'send_read_receipts' && value === false);
    terminal.keys('Esc', 'z');
    await firstEvent(listener, ({property, value}) => property === 'send_read_receipts' && value === true);
    terminal.keys('g', ',');
    terminal.type('alert words');
    terminal.keys('Enter');
    await terminal.waitFor('Add words…');
    terminal.keys('Enter');
    await terminal.waitFor('Add alert words');
    terminal.type('tide, rope');
    terminal.keys('Ctrl-D');
    const event = await firstEvent(listener, ({alert_words: words}) => words?.length === 2);
    expect(event.alert_words).toEqual(['rope', 'tide']);
    await terminal.waitFor(/rope[\s\S]*tide/);
  },
);

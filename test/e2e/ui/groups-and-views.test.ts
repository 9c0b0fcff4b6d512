import {expect} from 'vitest';
import {slowTest} from '#test/support/tier.ts';
import {twoUserFixture, usualSize, waitForAllUnread} from './two-user-fixture.ts';

slowTest(
  'groups and views: a group is created, a view is hidden from the sidebar, and everything is read and unread again',
  async () => {
    const chat = await twoUserFixture();
    const {server, meg, otto} = chat;
    const before = await chat.unread(meg);
    const others = await server.as(otto).listen({event_types: ['user_group']});
    const own = await server.as(meg).listen({event_types: ['navigation_view']});
    const terminal = chat.open(meg, {size: usualSize});
    await waitForAllUnread(terminal);

    terminal.keys('g', 'm');
    await terminal.waitFor('New group…');
    terminal.keys('Ctrl-A');
    await terminal.waitFor('Create the group');
    terminal.type('pilots');
    terminal.keys('Ctrl-D');
    await terminal.waitFor('Created the group pilots');
    expect(await others.first(({op}) => op === 'add')).toMatchObject({group: {name: 'pilots', members: [meg.id]}});
    terminal.keys('Esc');

    terminal.keys(';');
    await terminal.waitFor('Commands');
    terminal.type('sidebar views');
    terminal.keys('Enter');
    await terminal.waitFor('Combined feed');
    terminal.keys('Down', 'Down', 'Ctrl-T');
    await own.first(({navigation_view: view}) => view?.fragment === 'recent' && view.is_pinned === false);
    terminal.keys('Esc');

    terminal.keys(';');
    await terminal.waitFor('Commands');
    terminal.type('mark all as read');
    terminal.keys('Enter');
    await terminal.waitFor('Mark all messages as read?');
    terminal.keys('y');
    await expect.poll(() => chat.unread(meg)).toEqual([]);
    terminal.keys('z');
    await expect.poll(() => chat.unread(meg)).toEqual(before);
  },
);

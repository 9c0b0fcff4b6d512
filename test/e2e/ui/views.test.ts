import {expect} from 'vitest';
import {slowTest} from '#test/support/tier.ts';
import {twoUserFixture, waitForAllUnread} from './two-user-fixture.ts';

slowTest('views: a joined search becomes a view with a number, and another terminal has it too', async () => {
  const chat = await twoUserFixture();
  const {server, meg, otto} = chat;
  const terminal = chat.open(meg, {size: {cols: 120, rows: 40}});
  await waitForAllUnread(terminal);
  terminal.keys('/');
  await terminal.waitFor('Search messages');
  terminal.type('channel:harbour topic:ropes OR is:dm');
  terminal.keys('Enter');
  await terminal.waitFor('The blue rope is worn.');
  await terminal.waitFor('Are you coming along?');
  terminal.keys(';');
  await terminal.waitFor('Commands');
  terminal.type('save search');
  terminal.keys('Enter');
  await terminal.waitFor('Add a view to the sidebar');
  terminal.keys('Ctrl-U');
  terminal.type('Ropes');
  terminal.keys('Ctrl-D');
  await terminal.waitFor('Added Ropes to the sidebar');
  await expect
    .poll(async () => (await server.as(meg).get('/navigation_views')).navigation_views)
    .toMatchObject([{name: 'Ropes', is_pinned: true}]);
  terminal.keys('g', 'i');
  await terminal.waitFor(/INBOX|Inbox/);
  await chat.sendToTopic(otto, 'ropes', 'The red one too.');
  await terminal.waitFor(/Ropes +\d/);
  const again = chat.open(meg, {size: {cols: 120, rows: 40}});
  await again.waitFor('Ropes');
});

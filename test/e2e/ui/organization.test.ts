import {expect} from 'vitest';
import {slowTest} from '#test/support/tier.ts';
import {firstEvent, openTides, smallSize, startWriting, twoUserFixture} from './two-user-fixture.ts';

slowTest(
  'organization: an owner adds a linkifier, sends a pasted URL in its short form, and changes a setting',
  async () => {
    const chat = await twoUserFixture();
    const {server, meg, otto} = chat;
    await server.as(server.people.owner()).patch(`/users/${meg.id}`, {role: 100});
    const changes = await server.as(otto).listen({event_types: ['realm_linkifiers', 'realm', 'message']});
    const terminal = await openTides(chat, smallSize);
    terminal.keys(';');
    await terminal.waitFor('Commands');
    terminal.type('linkifiers');
    await terminal.waitFor('▌Linkifiers');
    terminal.keys('Enter');
    await terminal.waitFor('New linkifier…');
    terminal.keys('Enter');
    await terminal.waitFor('Pattern');
    terminal.type('#(?P<id>[0-9]+)');
    terminal.keys('Tab');
    terminal.type('https://t.example/{id}');
    terminal.keys('Tab');
    terminal.type('#7');
    await terminal.waitFor(/→ https:\/\/t.example\/7/);
    terminal.keys('Tab');
    terminal.type('#{id}');
    await terminal.waitFor(/t.example\/7 → #7/);
    terminal.keys('Ctrl-D');
    await firstEvent(changes, ({realm_linkifiers: list}) => list?.[0]?.reverse_template === '#{id}');
    await terminal.waitFor('Enter adds');
    terminal.keys('Esc');
    await terminal.waitFor('see you at the quay');

    await startWriting(terminal);
    terminal.paste('https://t.example/12');
    await terminal.waitFor('The short form is #12');
    terminal.keys('Ctrl-X', 'y', 'Enter');
    await firstEvent(changes, ({message}) => message?.content.includes('#12'));
    expect(await chat.topicMessages('tides')).toContain('#12');

    terminal.keys('Esc');
    await terminal.waitFor(({cursor}) => !cursor.visible, 'the composer closed');
    terminal.keys(';');
    await terminal.waitFor('Commands');
    terminal.type('organization settings');
    await terminal.waitFor('▌Organization settings');
    terminal.keys('Enter');
    await terminal.waitFor('find a setting');
    terminal.type('time limit for editing');
    await terminal.waitFor('▌Time limit for editing');
    terminal.keys('Enter');
    await terminal.waitFor('< 10 minutes >');
    terminal.keys('Right', 'Ctrl-D');
    await firstEvent(changes, ({data}) => data?.message_content_edit_limit_seconds === 3600);
    await terminal.waitFor('Changed settings');
  },
);

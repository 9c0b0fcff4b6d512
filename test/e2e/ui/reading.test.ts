import {expect} from 'vitest';
import {fewOf, slowTest} from '#test/support/tier.ts';
import {firstEvent, openTides, twoUserFixture, usualSize} from './two-user-fixture.ts';

slowTest.each(fewOf([{cols: 120, rows: 40}, usualSize]))(
  'reading: grouped messages are marked, reactions name people, Enter votes in a poll, ? ? is the legend, at $cols x $rows',
  async (size) => {
    const chat = await twoUserFixture();
    const {server, meg, otto} = chat;
    const id = await chat.sendToTopic(otto, 'tides', 'Bring the chart.');
    await server.as(meg).post(`/messages/${id}/reactions`, {emoji_name: 'octopus'});
    await server.as(otto).post(`/messages/${id}/reactions`, {emoji_name: 'octopus'});
    await chat.sendToTopic(otto, 'ropes', '@**Meg Member** which one?');
    await chat.sendToTopic(otto, 'tides', '/poll Which boat?\nHeron\nGannet');
    const votes = await server.as(otto).listen({event_types: ['submessage']});
    const terminal = await openTides(chat, size);
    await terminal.waitFor(/· +Bring the chart\..*\[.* You, Otto Other\]/);
    if (size.cols >= 100) await terminal.waitFor(/#harbour +@1 \d/);
    terminal.keys('G');
    await terminal.waitFor('Enter vote');
    terminal.keys('Enter');
    await terminal.waitFor('[ ] Heron');
    terminal.keys('Enter');
    const {content} = await firstEvent(votes, ({msg_type}) => msg_type === 'widget');
    expect(JSON.parse(content)).toMatchObject({type: 'vote', vote: 1});
    await terminal.waitFor('[✓] Heron');
    terminal.keys('Esc', '?');
    await terminal.waitFor('? marks and colours');
    terminal.keys('?');
    await terminal.waitFor(/Marks and colours.*◎ +followed topic/s);
  },
);

import {expect} from 'vitest';
import {slowTest} from '#test/support/tier.ts';
import {firstEvent, openTides, readState, startWriting, twoUserFixture, usualSize} from './two-user-fixture.ts';

slowTest(
  'undo: a delivered message is deleted after a question, an edit gets its text back and is redone, and the place is named',
  async () => {
    const chat = await twoUserFixture();
    const listener = await chat.server.as(chat.otto).listen({event_types: ['message', 'delete_message']});
    const terminal = await openTides(chat, usualSize);
    await startWriting(terminal);
    terminal.type('The chart is wet.');
    terminal.keys('Enter');
    await firstEvent(listener, ({message}) => message?.content.includes('chart'));
    await terminal.waitFor((screen) => {
      const place = screen.find('The chart is wet.');
      return place !== undefined && !screen.cell(place.x, place.y).italic;
    }, 'the message as delivered');
    terminal.keys('Esc', 'z');
    await terminal.waitFor('Delete your message?');
    terminal.keys('y');
    await firstEvent(listener, ({type}) => type === 'delete_message');
    await terminal.waitFor('Undone: Sent to #harbour › tides');
    // The draft is the only one that is left of the text.
    await terminal.waitFor(({text}) => text.split('The chart is wet.').length === 2, 'the message deleted');

    const [, before] = await chat.topicMessages('tides');
    terminal.keys('k', 'E');
    await terminal.waitFor(({cursor}) => cursor.visible, 'the message in the composer');
    terminal.type(' Maybe.');
    terminal.keys('Enter');
    await terminal.waitFor('Edited · z undo');
    const text = async () => (await chat.topicMessages('tides'))[1];
    await expect.poll(text).toBe(`${before} Maybe.`);
    terminal.keys('z');
    await terminal.waitFor('Undone: Edited your message · #harbour › tides');
    await expect.poll(text).toBe(before);
    await terminal.waitFor('Z redo');
    terminal.keys('Z');
    await terminal.waitFor('Redone: Edited your message · #harbour › tides');
    await expect.poll(text).toBe(`${before} Maybe.`);
  },
);

slowTest(
  'undo: a deleted message offers its text, and the history undoes the star before it, at 120 x 40',
  async () => {
    const chat = await twoUserFixture();
    const starred = async () => (await readState(chat.server.as(chat.meg))).starred;
    const terminal = await openTides(chat, {cols: 120, rows: 40});
    terminal.keys('S');
    await terminal.waitFor('Starred');
    await expect.poll(starred).toHaveLength(1);
    terminal.keys('j', 'Delete');
    await terminal.waitFor('Delete your message?');
    terminal.keys('y');
    await terminal.waitFor('Deleted the message · z keeps its text as a draft');
    terminal.keys('g', 'Z');
    const {text} = await terminal.waitFor('Undo history');
    expect(text).toMatch(/Deleted the message +#harbour › tides.*now/);
    expect(text).toMatch(/Starred +#harbour › tides.*now/);
    terminal.keys('Down', 'Enter');
    await terminal.waitFor('Undone: Starred · #harbour › tides');
    await expect.poll(starred).toEqual([]);
  },
);

import {expect} from 'vitest';
import {slowTest} from '#test/support/tier.ts';
import {
  extremeSizes,
  openTides,
  smallSize,
  startWriting,
  tides,
  twoUserFixture,
  usualSize,
} from './two-user-fixture.ts';

slowTest('drafts: a draft begun on one computer is continued and sent on another with a larger screen', async () => {
  const chat = await twoUserFixture();
  const [large, small] = extremeSizes;
  const laptop = await openTides(chat, small);
  const desktop = await openTides(chat, large);
  await startWriting(laptop);
  laptop.type('The lantern needs oil');
  await laptop.waitFor('› The lantern needs oil');
  // Leaving the text uploads it at once.
  laptop.keys('Esc');
  await laptop.waitFor(({cursor}) => !cursor.visible, 'composer closed');
  await desktop.waitFor('The lantern needs oil');
  await startWriting(desktop);
  desktop.type(' and a wick');
  await desktop.waitFor('› The lantern needs oil and a wick');
  desktop.keys('Esc');
  await laptop.waitFor('The lantern needs oil and a');
  await startWriting(desktop);
  desktop.keys('Enter');
  await laptop.waitFor(({lines}) => lines.some((line) => /^(?!.*›).*oil and a wick/.test(line)), 'the message');
  await laptop.waitFor(({text}) => !text.includes('› The lantern'), 'no draft left');
  expect((await chat.topicMessages('tides')).at(-1)).toBe('The lantern needs oil and a wick');
  // The draft stays on the server until the message is sent.
  await expect.poll(async () => (await chat.server.as(chat.meg).get('/drafts')).drafts).toEqual([]);
});

slowTest.each([smallSize])(
  'drafts: a draft of another client is listed, deleted and restored by undo, at $cols x $rows',
  async (size) => {
    const chat = await twoUserFixture();
    const {server, meg} = chat;
    const terminal = chat.open(meg, {size, args: [tides]});
    await terminal.waitFor('quay');
    const {stream_id: id} = await server.as(meg).get('/get_stream_id', {stream: 'harbour'});
    const draft = {type: 'stream', to: [id], topic: 'ropes', content: 'Splice the blue one'};
    await server.as(meg).post('/drafts', {drafts: [draft]});
    const drafts = async () => (await server.as(meg).get('/drafts')).drafts;
    terminal.keys('d');
    await terminal.waitFor('Splice the blue one');
    terminal.keys('Delete');
    await terminal.waitFor(({text}) => !text.includes('Splice the blue one'), 'the draft gone');
    await expect.poll(drafts).toEqual([]);
    terminal.keys('z');
    await terminal.waitFor('Splice the blue one');
    await expect.poll(drafts).toMatchObject([{content: 'Splice the blue one', topic: 'ropes'}]);
  },
);

slowTest.each([usualSize])('drafts: every conversation has its own text, at $cols x $rows', async (size) => {
  const chat = await twoUserFixture();
  const terminal = await openTides(chat, size);
  await startWriting(terminal);
  terminal.type('For the tides');
  await terminal.waitFor('› For the tides');
  terminal.keys('Esc', 'n');
  await terminal.waitFor('rope is worn');
  await startWriting(terminal);
  expect(terminal.screen().text).not.toContain('For the tides');
  terminal.type('For the ropes');
  await terminal.waitFor('› For the ropes');
  terminal.keys('Esc', 'Alt-/');
  await terminal.waitFor('see you at the quay');
  await startWriting(terminal);
  await terminal.waitFor('› For the tides');
  terminal.keys('Esc', 'Alt-/');
  await terminal.waitFor('› For the ropes');
});

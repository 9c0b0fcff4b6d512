import {expect, test} from 'vitest';
import {
  openTides,
  sizes,
  smallSize,
  startWriting,
  tides,
  twoUserFixture,
  usualSize,
} from './two-user-fixture.ts';

test.each(sizes)('a draft written here is gone on with there, at $cols x $rows', async (size) => {
  const stage = await twoUserFixture();
  const desk = await openTides(stage, size);
  const sofa = await openTides(stage, size);
  await startWriting(desk);
  desk.type('The lantern needs oil');
  await desk.waitFor('› The lantern needs oil');
  // Nobody asked the other one to look.
  await sofa.waitFor('The lantern needs oil');
  desk.keys('Esc');
  await desk.waitFor(({cursor}) => !cursor.visible, 'composer closed');
  await startWriting(sofa);
  sofa.type(' and a wick');
  await sofa.waitFor('› The lantern needs oil and a wick');
  await desk.waitFor('The lantern needs oil and a');
  sofa.keys('Enter');
  await desk.waitFor(({lines}) => lines.some((line) => /^(?!.*›).*oil and a wick/.test(line)), 'the message');
  await desk.waitFor(({text}) => !text.includes('› The lantern'), 'no draft any more');
  expect((await stage.said('tides')).at(-1)).toBe('The lantern needs oil and a wick');
  // A draft stays on the server until the message it became is safe.
  await expect.poll(async () => (await stage.server.as(stage.meg).get('/drafts')).drafts).toEqual([]);
});

test.each([smallSize])(
  'a draft of another client is in the panel, and is deleted and taken back, at $cols x $rows',
  async (size) => {
    const stage = await twoUserFixture();
    const {server, meg} = stage;
    const terminal = stage.open(meg, {size, args: [tides]});
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

test.each([usualSize])('what is written belongs to its conversation, at $cols x $rows', async (size) => {
  const stage = await twoUserFixture();
  const terminal = await openTides(stage, size);
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

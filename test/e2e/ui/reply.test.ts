import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {slowTest} from '#test/support/tier.ts';
import {firstEvent, openTides, smallSize, startWriting, twoUserFixture} from './two-user-fixture.ts';

test.each([smallSize])(
  'composer: a reply is shown at once and sent once; an attached file is uploaded and linked, at $cols x $rows',
  async (size) => {
    const chat = await twoUserFixture();
    const {server, otto} = chat;
    const home = scratchDirectory();
    writeFileSync(join(home, 'chart.txt'), 'Depth: 4 fathoms\n');
    const listener = await server.as(otto).listen({event_types: ['message'], apply_markdown: false});
    const terminal = await openTides(chat, size, {home});
    await startWriting(terminal);
    terminal.type('I bring the chart.');
    terminal.keys('Enter');
    await terminal.waitFor(/[▌ ] ?(Meg Member +\S+ [AP]M +)?I bring the chart\./);
    await firstEvent(listener, ({message}) => message?.content === 'I bring the chart.');
    expect((await chat.topicMessages('tides')).slice(-2)).toEqual([
      'Agreed, see you at the quay.',
      'I bring the chart.',
    ]);

    terminal.type('See ');
    terminal.keys('Ctrl-X', 'a');
    await terminal.waitFor('Attach');
    terminal.type('~/chart.txt');
    await terminal.waitFor('chart.txt');
    terminal.keys('Enter');
    await terminal.waitFor(/\[chart\.txt\]\(\/user/);
    terminal.keys('Ctrl-D');
    const {message} = await firstEvent(listener, ({message}) => message?.content.includes('chart.txt'));
    const [, path = ''] = /^See \[chart\.txt\]\((\/user_uploads\/[^)]+)\)$/.exec(message.content.trim()) ?? [];
    expect(path).not.toBe('');
    const {url} = await server.as(otto).get(path);
    expect(await (await server.as(otto).web(url)).text()).toBe('Depth: 4 fathoms\n');
  },
);

slowTest.each([smallSize])('composer: R sends a direct message to the sender only, at $cols x $rows', async (size) => {
  const chat = await twoUserFixture();
  const listener = await chat.server.as(chat.otto).listen({event_types: ['message']});
  const terminal = await openTides(chat, size);
  terminal.keys('R');
  await terminal.waitFor(({cursor, text}) => cursor.visible && text.includes('to Otto Other'), 'to Otto Other');
  terminal.type('Shall we take the dinghy?');
  terminal.keys('Enter');
  const {message} = await firstEvent(listener, ({message}) => message?.content.includes('dinghy'));
  expect(message).toMatchObject({type: 'private', sender_full_name: 'Meg Member'});
});

slowTest('composer: > quotes the message with a link to it', async () => {
  const chat = await twoUserFixture();
  const listener = await chat.server.as(chat.otto).listen({event_types: ['message'], apply_markdown: false});
  const terminal = await openTides(chat, {cols: 80, rows: 24});
  terminal.keys('G', '>');
  await terminal.waitFor('```quote');
  terminal.type('With two ropes.');
  terminal.keys('Ctrl-D');
  const {message} = await firstEvent(listener, ({message}) => message?.content.includes('two ropes'));
  expect(message.content).toMatch(
    /^@_\*\*Otto Other\|\d+\*\* \[said\]\(.+\):\n```quote\nAgreed, see you at the quay\.\n```\nWith two ropes\.$/,
  );
});

import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {scratchDirectory} from '#test/support/scratch.ts';
import {harbour, heard, openTides, sizes, startWriting} from './harbour.ts';

test.each(sizes)('a file is uploaded from the composer and linked, at $cols x $rows', async (size) => {
  const stage = await harbour();
  const home = scratchDirectory();
  writeFileSync(join(home, 'chart.txt'), 'Depth: 4 fathoms\n');
  const listener = await stage.server
    .as(stage.otto)
    .listen({event_types: ['message'], apply_markdown: false});
  const terminal = await openTides(stage, size, {home});
  await startWriting(terminal);
  terminal.type('See ');
  terminal.keys('Ctrl-X', 'a');
  await terminal.waitFor('Attach');
  terminal.type('~/chart.txt');
  await terminal.waitFor('chart.txt');
  terminal.keys('Enter');
  await terminal.waitFor(/\[chart\.txt\]\(\/user/);
  terminal.keys('Ctrl-D');
  const {message} = await heard(listener, ({message}) => message?.content.includes('chart.txt'));
  const [, path = ''] = /^See \[chart\.txt\]\((\/user_uploads\/[^)]+)\)$/.exec(message.content.trim()) ?? [];
  expect(path).not.toBe('');
  const {url} = await stage.server.as(stage.otto).get(path.replace(/^\//, '/'));
  expect(await (await stage.server.as(stage.otto).web(url)).text()).toBe('Depth: 4 fathoms\n');
});

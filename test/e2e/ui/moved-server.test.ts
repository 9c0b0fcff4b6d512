import {expect, onTestFinished} from 'vitest';
import type {Person} from '#test/support/people.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {ServeProcess, steadyPort} from '#test/support/serve-process.ts';
import {openParley} from '#test/support/terminal/parley.ts';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import {slowTest} from '#test/support/tier.ts';
import {startWriting, usualSize} from './two-user-fixture.ts';

/** Writes a message that cannot be sent, because the server was killed, and quits. */
async function writeAndQuit(terminal: Terminal, text: string): Promise<void> {
  await startWriting(terminal);
  terminal.type(text);
  terminal.keys('Enter');
  await terminal.waitFor('waiting for the connection');
  terminal.kill('SIGTERM');
  await terminal.waitForExit();
}

async function contentsOf(server: ServeProcess, meg: Person): Promise<readonly string[]> {
  const params = {anchor: 'newest', num_before: 50, num_after: 0, apply_markdown: false};
  const {messages} = await server.as(meg).get('/messages', params);
  return messages.map(({content}: {content: string}) => content);
}

slowTest('server address: unsent work arrives once after a restart at the same and at another address', async () => {
  const options = {directory: scratchDirectory(), level: 509};
  const first = await ServeProcess.start(options);
  onTestFinished(() => first.kill());
  const meg = await first.person('Meg Member');
  await first.as(meg).patch('/settings', {enter_sends: true});
  await first.channel('harbour', [meg]);
  await first.as(meg).post('/messages', {type: 'stream', to: 'harbour', topic: 'tides', content: 'High tide at four.'});
  const home = scratchDirectory();
  const open = (server: ServeProcess, ...args: string[]) =>
    openParley({server, person: meg, home, size: usualSize, args});
  const before = open(first, '#harbour>tides');
  await before.waitFor('High tide at four.');
  await before.waitFor('●');
  await first.kill();
  await writeAndQuit(before, 'Written while it was down.');
  await first.start();
  const same = open(first, '#harbour>tides');
  await expect.poll(() => contentsOf(first, meg)).toContain('Written while it was down.');
  await same.waitFor(({text}) => text.includes('Written while') && !text.includes('·'), 'the message as sent');
  await first.kill();
  await same.waitFor(/offline/i);
  same.keys(';');
  same.type('connection status');
  same.keys('Enter');
  await same.waitFor('If the server has a new address');
  same.keys('Esc');
  await writeAndQuit(same, 'Written before it moved.');

  const second = ServeProcess.reserve(options, await steadyPort());
  onTestFinished(() => second.kill());
  await second.start();
  const moved = open(second, '#harbour>tides');
  await moved.waitFor(`Taken along from ${first.url}: 1 unsent message.`);
  await expect.poll(() => contentsOf(second, meg)).toContain('Written before it moved.');
  expect((await contentsOf(second, meg)).slice(-3)).toEqual([
    'High tide at four.',
    'Written while it was down.',
    'Written before it moved.',
  ]);
});

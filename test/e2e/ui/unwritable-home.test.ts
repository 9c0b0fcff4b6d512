import {execFile} from 'node:child_process';
import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {expect} from 'vitest';
import {pathsOf} from '#config/paths.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {parleyCommand} from '#test/support/terminal/parley-command.ts';
import {slowTest} from '#test/support/tier.ts';
import {openTides, smallSize, startWriting, twoUserFixture, usualSize} from './two-user-fixture.ts';

const text = 'Bring the long rope';

/** Returns a home in which no account can be saved, because a file is where the folder should be, and that file. */
function unwritableHome(): {home: string; obstacle: string} {
  const home = scratchDirectory();
  const obstacle = join(pathsOf({}, home).data, 'accounts');
  mkdirSync(dirname(obstacle), {recursive: true});
  writeFileSync(obstacle, '');
  return {home, obstacle};
}

slowTest(
  'unwritable home: a banner says it, leaving asks, and the exit code tells that a message was lost',
  async () => {
    const chat = await twoUserFixture();
    const {home} = unwritableHome();
    const terminal = await openTides(chat, usualSize, {home});
    await terminal.waitFor('not kept when Parley ends');
    expect(terminal.screen().text).toContain('Cannot write to ~/.local/share/parley/accounts: ');
    await chat.hook('fault', {method: 'POST', path: '/messages', kind: 'rate_limit', retry_after: 600, times: 1000});
    await startWriting(terminal);
    terminal.type(text);
    terminal.keys('Enter');
    await terminal.waitFor(
      ({text: shown}) => shown.includes(text) && shown.includes('Write here'),
      'an unsent message',
    );
    terminal.keys('Esc');
    await terminal.waitFor(({cursor}) => !cursor.visible, 'composer closed');
    // The messages that were marked as read may be unsent changes too.
    terminal.keys('Ctrl-C', 'Ctrl-C');
    await terminal.waitFor('Quit and lose 1 unsent message');
    terminal.keys('n');
    await terminal.waitFor(({text: shown}) => !shown.includes('Quit and lose'), 'back in the conversation');
    terminal.keys('Ctrl-C', 'Ctrl-C');
    await terminal.waitFor('Quit and lose 1 unsent message');
    terminal.keys('y');
    expect(await terminal.waitForExit()).toEqual({code: 1, signal: undefined});
    await terminal.waitFor('Lost: 1 unsent message');
  },
);

slowTest('unwritable home: when it becomes writable, everything is written and the banner goes', async () => {
  const chat = await twoUserFixture();
  const {home, obstacle} = unwritableHome();
  // The draft exists on this machine only.
  await chat.server.as(chat.meg).patch('/settings', {enable_drafts_synchronization: false});
  const terminal = await openTides(chat, smallSize, {home});
  await terminal.waitFor('Cannot write: ');
  await startWriting(terminal);
  terminal.type(text);
  await terminal.waitFor(text);
  rmSync(obstacle);
  await terminal.waitFor(({text: shown}) => !shown.includes('Cannot write'), 'the banner is gone');
  const {file, args, env, cwd} = parleyCommand({home, args: ['drafts']});
  await expect.poll(async () => (await promisify(execFile)(file, args, {env, cwd})).stdout).toContain(text);
});

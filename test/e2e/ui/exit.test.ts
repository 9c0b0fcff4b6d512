import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {parleyCommand} from '#test/support/terminal/parley-command.ts';
import {linuxConsole, modern, mute, xterm} from '#test/support/terminal/terminal-profile.ts';
import {openTides, quit, smallSize, startWriting, twoUserFixture, usualSize} from './two-user-fixture.ts';

const words = 'Half a thought about the tide';

test.each([
  ['a modern terminal', modern],
  ['xterm', xterm],
  ['the Linux console', linuxConsole],
  ['a terminal that answers nothing', mute],
])('leaving gives back %s as it was', async (_, persona) => {
  const stage = await twoUserFixture();
  const terminal = await openTides(stage, usualSize, {persona});
  await startWriting(terminal);
  terminal.keys('Esc');
  await terminal.waitFor(({cursor}) => !cursor.visible, 'composer closed');
  expect(await quit(terminal)).toEqual({code: 0, signal: undefined});
  expect(terminal.modes.leftBehind()).toEqual([]);
  expect(terminal.screen().text).not.toContain('quay');
});

test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)(
  '%s while writing gives back the terminal and keeps the words',
  async (signal) => {
    const stage = await twoUserFixture();
    const home = scratchDirectory();
    const terminal = await openTides(stage, usualSize, {home});
    await startWriting(terminal);
    terminal.type(words);
    await terminal.waitFor(words);
    terminal.kill(signal);
    await terminal.waitForExit();
    expect(terminal.modes.leftBehind()).toEqual([]);
    const again = await openTides(stage, usualSize, {home});
    await again.waitFor(words);
    expect(await stage.said('tides')).not.toContain(words);
  },
);

test.each([usualSize])('a line that is cut while writing keeps the words, at $cols x $rows', async (size) => {
  const stage = await twoUserFixture();
  const home = scratchDirectory();
  const terminal = await openTides(stage, size, {home});
  await startWriting(terminal);
  terminal.type(words);
  await terminal.waitFor(words.slice(0, 20));
  terminal.hangUp();
  await terminal.waitForExit();
  const again = await openTides(stage, size, {home});
  again.keys('r');
  await again.waitFor(words);
});

test.each([smallSize])(
  'kill -9 while writing loses nothing that is on disk, at $cols x $rows',
  async (size) => {
    const stage = await twoUserFixture();
    const home = scratchDirectory();
    // On this disk alone: nobody else could give it back.
    await stage.server.as(stage.meg).patch('/settings', {enable_drafts_synchronization: false});
    const terminal = await openTides(stage, size, {home});
    await startWriting(terminal);
    terminal.type(words);
    await expect.poll(() => keptDrafts(home)).toContain(words);
    terminal.kill('SIGKILL');
    await terminal.waitForExit();
    const again = await openTides(stage, size, {home});
    await again.waitFor(words);
    await startWriting(again);
    again.type(' and the moon');
    await again.waitFor(`${words} and`);
    expect(await stage.said('tides')).not.toContain(words);
  },
);

/** What the command line says is kept. */
async function keptDrafts(home: string): Promise<string> {
  const {file, args, env, cwd} = parleyCommand({home, args: ['drafts']});
  return (await promisify(execFile)(file, args, {env, cwd})).stdout;
}

test('Ctrl-C while writing puts the words among the drafts and does not leave', async () => {
  const stage = await twoUserFixture();
  const terminal = await openTides(stage, usualSize);
  await startWriting(terminal);
  terminal.type(words);
  await terminal.waitFor(words);
  terminal.keys('Ctrl-C');
  await terminal.waitFor(({text}) => !text.includes(words), 'an empty composer');
  terminal.keys('Esc');
  await terminal.waitFor(({cursor}) => !cursor.visible, 'composer closed');
  terminal.keys('d');
  await terminal.waitFor(words);
});

test('Ctrl-Z gives the terminal to the shell, and coming back shows everything again', async () => {
  const stage = await twoUserFixture();
  const terminal = await openTides(stage, usualSize);
  await startWriting(terminal);
  terminal.type(words);
  await terminal.waitFor(words);
  terminal.keys('Ctrl-Z');
  await terminal.waitUntil(({modes}) => modes.leftBehind().length === 0, 'the terminal as it was');
  terminal.kill('SIGCONT');
  await terminal.waitUntil(({modes}) => modes.altScreen, 'its own screen');
  await terminal.waitFor(words);
  terminal.type(' and the moon');
  await terminal.waitFor(`${words} and the moon`);
});

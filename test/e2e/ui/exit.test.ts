import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {endSignals} from '#std/end-signals.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {openTerminal} from '#test/support/terminal/open-terminal.ts';
import {parleyCommand} from '#test/support/terminal/parley-command.ts';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import {modern, mute, xterm} from '#test/support/terminal/terminal-profile.ts';
import {fewOf, slowTest} from '#test/support/tier.ts';
import {
  openTides,
  quit,
  smallSize,
  startWriting,
  type TwoUserFixture,
  tides,
  twoUserFixture,
  usualSize,
} from './two-user-fixture.ts';

const draftText = 'Half a thought about the tide';

const personas = [
  ['a modern terminal', modern],
  ['xterm', xterm],
  ['a terminal that answers nothing', mute],
] as const;

test.each(fewOf(personas))('quit: restores the modes of %s', async (_, persona) => {
  const chat = await twoUserFixture();
  const terminal = await openTides(chat, usualSize, {persona});
  await startWriting(terminal);
  terminal.keys('Esc');
  await terminal.waitFor(({cursor}) => !cursor.visible, 'composer closed');
  expect(await quit(terminal)).toEqual({code: 0, signal: undefined});
  expect(terminal.modes.leftBehind()).toEqual([]);
  expect(terminal.screen().text).not.toContain('quay');
});

test.each(fewOf(endSignals))('%s while writing: restores the terminal and saves the text', async (signal) => {
  const chat = await twoUserFixture();
  const home = scratchDirectory();
  const terminal = await openTides(chat, usualSize, {home});
  await startWriting(terminal);
  terminal.type(draftText);
  await terminal.waitFor(draftText);
  terminal.kill(signal);
  await terminal.waitForExit();
  expect(terminal.modes.leftBehind()).toEqual([]);
  expect(await listedDrafts(home)).toContain(draftText);
  expect(await chat.topicMessages('tides')).not.toContain(draftText);
});

slowTest.each([usualSize])('hangup while writing: saves the text, at $cols x $rows', async (size) => {
  const chat = await twoUserFixture();
  const home = scratchDirectory();
  const terminal = await openTides(chat, size, {home});
  await startWriting(terminal);
  terminal.type(draftText);
  await terminal.waitFor(draftText.slice(0, 20));
  terminal.hangUp();
  await terminal.waitForExit();
  const again = await openTides(chat, size, {home});
  again.keys('r');
  await again.waitFor(draftText);
});

test.each([smallSize])(
  'SIGKILL while writing: text that is on disk is restored at the next start, at $cols x $rows',
  async (size) => {
    const chat = await twoUserFixture();
    const home = scratchDirectory();
    // Without synchronization the draft exists on this disk only.
    await chat.server.as(chat.meg).patch('/settings', {enable_drafts_synchronization: false});
    const terminal = await openTides(chat, size, {home});
    await startWriting(terminal);
    terminal.type(draftText);
    await expect.poll(() => listedDrafts(home)).toContain(draftText);
    terminal.kill('SIGKILL');
    await terminal.waitForExit();
    const again = await openTides(chat, size, {home});
    await again.waitFor(draftText);
    await startWriting(again);
    again.type(' and the moon');
    await again.waitFor(`${draftText} and`);
    expect(await chat.topicMessages('tides')).not.toContain(draftText);
  },
);

/** Returns the output of `parley drafts`. */
async function listedDrafts(home: string): Promise<string> {
  const {file, args, env, cwd} = parleyCommand({home, args: ['drafts']});
  return (await promisify(execFile)(file, args, {env, cwd})).stdout;
}

slowTest('Ctrl-C while writing: saves the text as a draft and does not quit', async () => {
  const chat = await twoUserFixture();
  const terminal = await openTides(chat, usualSize);
  await startWriting(terminal);
  terminal.type(draftText);
  await terminal.waitFor(draftText);
  terminal.keys('Ctrl-C');
  await terminal.waitFor(({text}) => !text.includes(draftText), 'an empty composer');
  terminal.keys('Esc');
  await terminal.waitFor(({cursor}) => !cursor.visible, 'composer closed');
  terminal.keys('d');
  await terminal.waitFor(draftText);
});

/** Opens the conversation about tides from a shell with job control: the system stops no other program. */
async function openTidesInShell({server, meg}: TwoUserFixture): Promise<Terminal> {
  const signIn = {site: server.url, email: meg.email, apiKey: meg.apiKey};
  const {file, args, env, cwd} = parleyCommand({home: scratchDirectory(), args: [tides], signIn});
  const script = '"$0" "$@"; echo back in the shell; read; fg; echo again in the shell; read; fg';
  const terminal = openTerminal('bash', ['-mc', script, file, ...args], {env, cwd});
  await terminal.waitFor('see you at the quay');
  return terminal;
}

slowTest('Ctrl-Z: suspends to the shell, and resuming shows the screen again', async () => {
  const terminal = await openTidesInShell(await twoUserFixture());
  terminal.keys('Ctrl-Z');
  await terminal.waitFor('back in the shell');
  expect(terminal.modes.leftBehind()).toEqual([]);
  expect(terminal.cursor.visible).toBe(true);
  terminal.keys('Enter');
  await terminal.waitFor('see you at the quay');
  await terminal.waitFor(({cursor}) => !cursor.visible, 'no cursor outside of text fields');
  await startWriting(terminal);
  terminal.type(draftText);
  await terminal.waitFor(draftText);
  terminal.keys('Ctrl-Z');
  await terminal.waitFor('again in the shell');
  expect(terminal.modes.leftBehind()).toEqual([]);
  terminal.keys('Enter');
  await terminal.waitFor(draftText);
  terminal.type(' and the moon');
  await terminal.waitFor(`${draftText} and the moon`);
});

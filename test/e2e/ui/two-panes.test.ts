import {expect} from 'vitest';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import {slowTest} from '#test/support/tier.ts';
import {openTides, startWriting, twoUserFixture} from './two-user-fixture.ts';

/** Shows the conversation about ropes beside the one about tides. */
async function showRopesBeside(terminal: Terminal): Promise<void> {
  terminal.keys('Ctrl-W', 'v');
  await terminal.waitFor('Show beside');
  terminal.type('ropes');
  await terminal.waitFor(({lines}) => lines.some((line) => /#harbour › ropes/.test(line)), 'the conversation');
  terminal.keys('Enter');
  await terminal.waitFor(/─ #harbour › tides ─+.*│ ▌#harbour › ropes ━/);
}

slowTest(
  'two panes: both conversations and their texts are there after SIGKILL, and only the focused one is read',
  async () => {
    const chat = await twoUserFixture();
    const home = scratchDirectory();
    const terminal = await openTides(chat, {cols: 120, rows: 24}, {home});
    await showRopesBeside(terminal);
    await terminal.waitFor(({text}) => text.includes('see you at the quay') && text.includes('blue rope'), 'both');
    const arrived = await chat.sendToTopic(chat.otto, 'tides', 'The wind turns.');
    await terminal.waitFor('The wind turns.');
    await expect.poll(() => chat.unread(chat.meg)).toEqual([expect.any(Number), arrived]);
    await startWriting(terminal);
    terminal.type('About ropes');
    await terminal.waitFor('› About ropes');
    terminal.keys('Ctrl-X', 'w');
    await terminal.waitFor(/▌#harbour › tides ━+.*│ ─ #harbour › ropes ─/);
    await startWriting(terminal);
    terminal.type('About tides');
    await terminal.waitFor(({text}) => text.includes('› About tides') && text.includes('› About ropes'), 'both texts');
    terminal.keys('Ctrl-X', 'w');
    await terminal.waitFor(/─ #harbour › tides ─+.*│ ▌#harbour › ropes ━/);
    terminal.kill('SIGKILL');
    await terminal.waitForExit();
    const again = chat.open(chat.meg, {size: {cols: 120, rows: 24}, home});
    await again.waitFor(({text}) => text.includes('› About tides') && text.includes('› About ropes'), 'both texts');
    await again.waitFor(
      ({text}) => text.includes('The wind turns.') && text.includes('blue rope'),
      'both conversations',
    );
  },
);

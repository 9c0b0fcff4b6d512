import {expect, test} from 'vitest';
import type {Size, Terminal} from '#test/support/terminal/terminal.ts';
import {mute} from '#test/support/terminal/terminal-profile.ts';
import {fewOf, slowTest} from '#test/support/tier.ts';
import {openTides, startWriting, type TwoUserFixture, twoUserFixture, usualSize} from './two-user-fixture.ts';

async function longConversation(size: Size): Promise<{chat: TwoUserFixture; terminal: Terminal}> {
  const chat = await twoUserFixture();
  const words = ['tide', 'quay', 'rope', 'lantern', 'anchor', 'harbour', 'mast', 'sail', 'keel'];
  for (let nth = 1; nth <= 60; nth++) {
    const text = Array.from({length: 5 + (nth % 20)}, (_, at) => words[(nth * (at + 2)) % words.length]).join(' ');
    await chat.sendToTopic(nth % 3 === 0 ? chat.meg : chat.otto, 'buoys', `Buoy ${nth}: ${text}.`);
  }
  const terminal = chat.open(chat.meg, {size, args: ['#harbour>buoys']});
  await terminal.waitFor(/▌/);
  terminal.keys('G');
  await terminal.waitFor(/Buoy 60:/);
  return {chat, terminal};
}

/** Returns the bytes per step that a terminal receives for whatever reason, after a first step. */
async function bytesPerStep(
  terminal: Terminal,
  steps: number,
  step: (nth: number) => Promise<unknown>,
): Promise<number> {
  await step(0);
  const {received} = terminal.bytes;
  for (let nth = 1; nth <= steps; nth++) await step(nth);
  return (terminal.bytes.received - received) / steps;
}

/** Returns the rows between the header and the composer. */
const messageRows = (terminal: Terminal) => terminal.screen().lines.slice(1, -4).join('\n');

test.each(
  fewOf([
    {size: {cols: 80, rows: 24}, typed: 20, scrolled: 300, incoming: 655},
    {size: {cols: 200, rows: 50}, typed: 20, scrolled: 1200, incoming: 1227},
  ]),
)(
  'written bytes: a typed character, a scrolled line and an incoming message at $size.cols x $size.rows',
  async (budget) => {
    const {chat, terminal} = await longConversation(budget.size);
    const incoming = await bytesPerStep(terminal, 4, async (nth) => {
      await chat.sendToTopic(chat.otto, 'buoys', `Incoming ${nth}, as long as messages are.`);
      await terminal.waitFor(`Incoming ${nth},`);
    });
    const scrolled = await bytesPerStep(terminal, 8, async () => {
      const before = messageRows(terminal);
      terminal.keys('Ctrl-Y');
      await terminal.waitFor(() => messageRows(terminal) !== before, 'scrolled');
    });
    await startWriting(terminal);
    const typed = await bytesPerStep(terminal, 20, async (nth) => {
      const {x} = terminal.cursor;
      terminal.type(nth % 6 === 5 ? ' ' : 'o');
      await terminal.waitFor(({cursor}) => cursor.x === x + 1, 'typed');
    });
    expect(typed).toBeLessThanOrEqual(budget.typed);
    expect(scrolled).toBeLessThanOrEqual(budget.scrolled);
    expect(incoming).toBeLessThanOrEqual(budget.incoming);
  },
);

slowTest('written sequences: a VT220 gets only sequences that it knows', async () => {
  const chat = await twoUserFixture();
  const persona = {...mute, env: {TERM: 'vt220'}};
  const terminal = await openTides(chat, usualSize, {persona});
  terminal.keys('Ctrl-Y', 'Ctrl-E', '?');
  await terminal.waitFor('Keys');
  terminal.keys('Ctrl-L', 'Ctrl-C');
  await chat.sendToTopic(chat.otto, 'tides', 'It is high.');
  await terminal.waitFor('It is high.');
  const sequences = terminal.transcript().match(/\u001b(?:\[[?>=]?[\d;]*[ -/]*[@-~]|[^[])/g) ?? [];
  // Queries for attributes, status and the cursor position, and the mode that hides the cursor, are the VT220's too.
  const known = /^\u001b(?:[DM]|\[(?:[\d;]*[ACHJKmrc]|[56]n|\?25[hl]))$/;
  expect(new Set(sequences.filter((sequence) => !known.test(sequence)))).toEqual(new Set());
  expect(sequences.length).toBeGreaterThan(100);
});

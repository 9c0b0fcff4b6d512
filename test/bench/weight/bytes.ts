import {type Size, Terminal} from '#test/support/terminal/terminal.ts';
import {channel, conversation, type MeasuredWorld, measuredWorld, quiet, say} from './measured-world.ts';

const sizes: readonly Size[] = [
  {cols: 80, rows: 24},
  {cols: 200, rows: 50},
];
const rounds = 40;

/** Counts what the program writes for a key and for an incoming message in view. */
export async function byteRows(): Promise<string[][]> {
  const world = await measuredWorld('small');
  try {
    const columns: number[][] = [];
    for (const size of sizes) columns.push(await atSize(world, size));
    const titles = ['(floor: typed character, cat)', 'typed character', 'one-line scroll', 'incoming message in view'];
    return titles.map((title, row) => [title, ...columns.map((column) => column[row]?.toFixed(0) ?? '-')]);
  } finally {
    await world.stop();
  }
}

async function atSize(world: MeasuredWorld, size: Size): Promise<number[]> {
  const cat = Terminal.open('cat', [], {size});
  const floor = await perRound(cat, async (at) => cat.type('abcdefghij'[at % 10] ?? 'a'));
  await cat.close();
  for (let at = 0; at < 60; at++) await say(world.writer, 1, `Line ${at} that fills the conversation with some words`);
  const terminal = world.open(size, [`#${channel}>${conversation(1)}`]);
  try {
    await terminal.waitFor('Line');
    await quiet(terminal, 900);
    terminal.keys('G');
    await terminal.waitFor('Line 59');
    await quiet(terminal);
    terminal.keys('r');
    await terminal.waitUntil(({cursor}) => cursor.visible, 'cursor in the composer');
    await quiet(terminal);
    const typed = await perRound(terminal, async (at) => terminal.type('the tide is in. '[at % 16] ?? 'a'));
    terminal.keys('Ctrl-U', 'Ctrl-U', 'Esc');
    await quiet(terminal);
    const scroll = await perRound(terminal, async (at) => terminal.keys(at < rounds / 2 ? 'Ctrl-Y' : 'Ctrl-E'));
    terminal.keys('G');
    await quiet(terminal);
    const message = await perRound(terminal, (at) =>
      say(world.writer, 1, `Message ${at} arrives while somebody reads this conversation`),
    );
    return [floor, typed, scroll, message];
  } finally {
    await terminal.close();
  }
}

async function perRound(terminal: Terminal, act: (round: number) => Promise<void>): Promise<number> {
  const before = terminal.bytes.received;
  for (let round = 0; round < rounds; round++) {
    const frame = terminal.frame();
    await act(round);
    await frame;
    await quiet(terminal, 60);
  }
  return (terminal.bytes.received - before) / rounds;
}

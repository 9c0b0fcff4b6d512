import {Writable} from 'node:stream';
import {expect, test} from 'vitest';
import {TerminalOutput} from '#terminal/terminal-output.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

const begin = '\u001b[?2026h';
const end = '\u001b[?2026l';

/** A terminal that takes what is written when the test lets it. */
class SlowTerminal extends Writable {
  readonly writes: string[] = [];
  readonly isTTY = true;
  columns = 80;
  rows = 24;
  isStalled = false;
  #taken: (() => void)[] = [];

  override _write(chunk: Buffer, _encoding: string, taken: () => void): void {
    this.writes.push(chunk.toString());
    if (this.isStalled) this.#taken.push(taken);
    else taken();
  }

  take(): void {
    this.isStalled = false;
    for (const taken of this.#taken.splice(0)) taken();
  }

  resize(columns: number, rows: number): void {
    Object.assign(this, {columns, rows});
    this.emit('resize');
  }
}

function stage(onLost?: () => void) {
  const terminal = new SlowTerminal();
  // Only what the output asks of it.
  const output = new TerminalOutput(terminal as unknown as NodeJS.WriteStream, onLost);
  return {terminal, output};
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('what is written in one turn goes out as one write', async () => {
  const {terminal, output} = stage();
  for (const text of [begin, 'a frame', end]) output.stream.write(text);
  expect(terminal.writes).toEqual([]);
  await turn();
  output.stream.write('another');
  await turn();
  expect(terminal.writes).toEqual([`${begin}a frame${end}`, 'another']);
});

test('a frame in which nothing changed is not written', async () => {
  const {terminal, output} = stage();
  output.stream.write(begin);
  output.stream.write(end);
  await turn();
  expect(terminal.writes).toEqual([]);
});

test('a terminal that does not know frames is spared their marks', async () => {
  const {terminal, output} = stage();
  output.setSynchronized(false);
  for (const text of [begin, 'a frame', end]) output.stream.write(text);
  await turn();
  expect(terminal.writes).toEqual(['a frame']);
});

test('who waits for a write hears when it was taken, even of nothing', async () => {
  const {output} = stage();
  const heard: string[] = [];
  output.stream.write('text', 'utf8', () => heard.push('text'));
  output.stream.write('', () => heard.push('nothing'));
  output.stream.write(Buffer.from('bytes'), () => heard.push('bytes'));
  await turn();
  expect(heard).toEqual(['text', 'nothing', 'bytes']);
  output.stream.write('', () => heard.push('alone'));
  await turn();
  expect(heard).toContain('alone');
});

test('while the terminal does not read, the gate is closed; when it has read, it opens', async () => {
  const {terminal, output} = stage();
  expect(output.needsDrain).toBe(false);
  terminal.isStalled = true;
  output.write('a frame');
  await turn();
  expect(output.needsDrain).toBe(true);
  let isDrained = false;
  const drained = output.whenDrained().then(() => {
    isDrained = true;
  });
  await turn();
  expect(isDrained).toBe(false);
  terminal.take();
  await drained;
  expect(output.needsDrain).toBe(false);
  await output.whenDrained();
});

test('what was written before the question is waited for too', async () => {
  const {terminal, output} = stage();
  terminal.isStalled = true;
  output.write('just now');
  let isDrained = false;
  const drained = output.whenDrained().then(() => {
    isDrained = true;
  });
  await turn();
  expect([isDrained, terminal.writes]).toEqual([false, ['just now']]);
  terminal.take();
  await drained;
});

test('nothing gets to a screen that is somebody else’s, and nobody waits for it', async () => {
  const {terminal, output} = stage();
  output.write('the last frame');
  output.mute();
  const heard: string[] = [];
  output.stream.write('late', () => heard.push('late'));
  await turn();
  expect([terminal.writes, heard]).toEqual([['the last frame'], ['late']]);
  output.unmute();
  output.write('back');
  await turn();
  expect(terminal.writes).toEqual(['the last frame', 'back']);
});

test('behind a terminal that does not read, an unfinished turn is not left for the next owner', async () => {
  const {terminal, output} = stage();
  terminal.isStalled = true;
  output.write('stuck');
  await turn();
  output.write('more');
  output.mute();
  terminal.take();
  await turn();
  expect(terminal.writes).toEqual(['stuck']);
});

test('whoever draws sees the size that was told, and hears of it after everybody else', () => {
  const {terminal, output} = stage();
  const clock = new ManualClock();
  const heard: string[] = [];
  const drawing = () => heard.push(`drawing ${output.stream.columns}x${output.stream.rows}`);
  output.stream.on('resize', drawing);
  output.watchSize(clock, ({columns, rows}) => heard.push(`app ${columns}x${rows}`));
  terminal.resize(100, 30);
  expect([output.stream.columns, output.stream.rows, heard]).toEqual([80, 24, []]);
  clock.advance(30);
  expect(heard).toEqual(['app 100x30', 'drawing 100x30']);
  expect(output.size).toEqual({columns: 100, rows: 30});
  output.stream.off('resize', drawing);
  terminal.resize(90, 30);
  clock.advance(30);
  expect(heard).toHaveLength(3);
});

test('a window that changed while the program was stopped is noticed when it goes on', () => {
  const {terminal, output} = stage();
  const clock = new ManualClock();
  const heard: string[] = [];
  output.watchSize(clock, ({columns, rows}) => heard.push(`${columns}x${rows}`));
  output.mute();
  // As Node asks the system: nobody said that it changed.
  Object.assign(terminal, {_refreshSize: () => terminal.resize(110, 32)});
  output.unmute();
  clock.advance(30);
  expect(heard).toEqual(['110x32']);
});

test('what else is asked of the stream is the terminal’s own', () => {
  const {output} = stage();
  expect([output.stream.isTTY, output.stream.writable, output.stream.destroyed]).toEqual([true, true, false]);
});

test('a terminal that is gone is noticed, and does not end the program', async () => {
  let isLost = false;
  const {terminal, output} = stage(() => {
    isLost = true;
  });
  terminal.destroy(new Error('EIO'));
  await turn();
  expect(isLost).toBe(true);
  const heard: string[] = [];
  output.stream.write('late', () => heard.push('late'));
  await turn();
  expect(heard).toEqual(['late']);
});

test('closing lets go of the terminal', () => {
  const {terminal, output} = stage();
  output.watchSize(new ManualClock(), () => {});
  output.close();
  expect([terminal.listenerCount('resize'), terminal.listenerCount('error')]).toEqual([0, 0]);
});

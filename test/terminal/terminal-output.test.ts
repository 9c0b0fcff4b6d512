import {Writable} from 'node:stream';
import {expect, test} from 'vitest';
import {TerminalOutput} from '#terminal/terminal-output.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

const begin = '\u001b[?2026h';
const end = '\u001b[?2026l';
const longFrame = 'a frame '.repeat(100);

/** A terminal that accepts output when the test allows it. */
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

function makeOutput(onLost?: () => void) {
  const terminal = new SlowTerminal();
  // Only the members that the output uses.
  const output = new TerminalOutput(terminal as unknown as NodeJS.WriteStream, onLost);
  return {terminal, output};
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('output: text of one turn is one write', async () => {
  const {terminal, output} = makeOutput();
  for (const text of [longFrame, 'more']) output.stream.write(text);
  expect(terminal.writes).toEqual([]);
  await turn();
  output.stream.write('another');
  await turn();
  expect(terminal.writes).toEqual([`${begin}${longFrame}more${end}`, 'another']);
});

test('output: a short frame is written without marks, because a terminal reads it in one piece', async () => {
  const {terminal, output} = makeOutput();
  output.stream.write('a frame');
  await turn();
  expect(terminal.writes).toEqual(['a frame']);
});

test('output: a terminal without synchronized output gets no frame marks', async () => {
  const {terminal, output} = makeOutput();
  output.setSynchronized(false);
  output.stream.write(longFrame);
  await turn();
  expect(terminal.writes).toEqual([longFrame]);
});

test('output: write callbacks are called when the text was written, even when it is empty', async () => {
  const {output} = makeOutput();
  const received: string[] = [];
  output.stream.write('text', 'utf8', () => received.push('text'));
  output.stream.write('', () => received.push('nothing'));
  output.stream.write(Buffer.from('bytes'), () => received.push('bytes'));
  await turn();
  expect(received).toEqual(['text', 'nothing', 'bytes']);
  output.stream.write('', () => received.push('alone'));
  await turn();
  expect(received).toContain('alone');
});

test('output: needsDrain is true while the terminal does not read, and false afterwards', async () => {
  const {terminal, output} = makeOutput();
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

test('output: whenDrained waits for text written before the call', async () => {
  const {terminal, output} = makeOutput();
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

test('output: while muted nothing is written, and nothing waits', async () => {
  const {terminal, output} = makeOutput();
  output.write('the last frame');
  output.mute();
  const received: string[] = [];
  output.stream.write('late', () => received.push('late'));
  await turn();
  expect([terminal.writes, received]).toEqual([['the last frame'], ['late']]);
  output.unmute();
  output.write('back');
  await turn();
  expect(terminal.writes).toEqual(['the last frame', 'back']);
});

test('output: mute drops an unfinished turn when the terminal does not read', async () => {
  const {terminal, output} = makeOutput();
  terminal.isStalled = true;
  output.write('stuck');
  await turn();
  output.write('more');
  output.mute();
  terminal.take();
  await turn();
  expect(terminal.writes).toEqual(['stuck']);
});

test('output: Ink sees the watched size, and hears of a resize after the listener', () => {
  const {terminal, output} = makeOutput();
  const clock = new ManualClock();
  const received: string[] = [];
  const drawing = () => received.push(`drawing ${output.stream.columns}x${output.stream.rows}`);
  output.stream.on('resize', drawing);
  output.watchSize(clock, ({columns, rows}) => received.push(`app ${columns}x${rows}`));
  terminal.resize(100, 30);
  expect([output.stream.columns, output.stream.rows, received]).toEqual([80, 24, []]);
  clock.advance(30);
  expect(received).toEqual(['app 100x30', 'drawing 100x30']);
  expect(output.size).toEqual({columns: 100, rows: 30});
  output.stream.off('resize', drawing);
  terminal.resize(90, 30);
  clock.advance(30);
  expect(received).toHaveLength(3);
});

test('output: a resize while the program was stopped is noticed when it continues', () => {
  const {terminal, output} = makeOutput();
  const clock = new ManualClock();
  const received: string[] = [];
  output.watchSize(clock, ({columns, rows}) => received.push(`${columns}x${rows}`));
  output.mute();
  // Node asks the system for the size; no event reported the change.
  Object.assign(terminal, {_refreshSize: () => terminal.resize(110, 32)});
  output.unmute();
  clock.advance(30);
  expect(received).toEqual(['110x32']);
});

test('output: the stream says that it is no terminal, and other properties are those of the terminal', () => {
  const {output} = makeOutput();
  expect([output.stream.isTTY, output.stream.writable, output.stream.destroyed]).toEqual([false, true, false]);
});

test('output: a closed terminal is noticed, and does not crash the program', async () => {
  let isLost = false;
  const {terminal, output} = makeOutput(() => {
    isLost = true;
  });
  terminal.destroy(new Error('EIO'));
  await turn();
  expect(isLost).toBe(true);
  const received: string[] = [];
  output.stream.write('late', () => received.push('late'));
  await turn();
  expect(received).toEqual(['late']);
});

test('output: close releases the terminal', () => {
  const {terminal, output} = makeOutput();
  output.watchSize(new ManualClock(), () => {});
  output.close();
  expect([terminal.listenerCount('resize'), terminal.listenerCount('error')]).toEqual([0, 0]);
});

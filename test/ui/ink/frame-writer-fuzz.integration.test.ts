import fc from 'fast-check';
import {expect, test} from 'vitest';
import {fewOrAll} from '#test/support/tier.ts';
import {frameWriter} from '#ui/ink/frame-writer.ts';
import {Output} from '#ui/ink/output.ts';
import {EmulatedStdout} from './emulated-stdout.ts';
import {hostileLine} from './hostile-text.ts';

/** A screen with a title, two lists and a scrolled pane between them, like the program's. */
interface TestFrame {
  readonly columns: number;
  readonly rows: number;
  /** The first line of the document in the pane. */
  readonly top: number;
  /** The width of the lists beside the pane; 0 without them. */
  readonly listWidth: number;
  readonly listTop: number;
  /** A line of the document that is changed. */
  readonly edited: number;
  readonly overlay: {readonly x: number; readonly y: number; readonly lines: readonly string[]} | undefined;
  readonly cursor: {readonly x: number; readonly y: number} | undefined;
}

const documentLines = 30;
const smallStep = fc.integer({min: -3, max: 3});

const frame: fc.Arbitrary<TestFrame> = fc.record({
  // Mostly the same size: after a change of size everything is painted anew.
  columns: fc.oneof({weight: 12, arbitrary: fc.constant(44)}, fc.constantFrom(30, 61)),
  rows: fc.oneof({weight: 12, arbitrary: fc.constant(12)}, fc.constantFrom(5, 15)),
  top: fc.oneof({weight: 3, arbitrary: smallStep.map((step) => 8 + step)}, fc.nat(documentLines)),
  listWidth: fc.oneof({weight: 5, arbitrary: fc.constant(8)}, fc.constant(0)),
  listTop: fc.oneof({weight: 5, arbitrary: fc.constant(0)}, fc.nat(3)),
  edited: fc.oneof({weight: 3, arbitrary: fc.constant(-1)}, fc.nat(documentLines)),
  overlay: fc.option(
    fc.record({x: fc.nat(25), y: fc.nat(8), lines: fc.array(hostileLine, {minLength: 1, maxLength: 4})}),
    {nil: undefined, freq: 5},
  ),
  cursor: fc.option(fc.record({x: fc.nat(29), y: fc.nat(4)}), {nil: undefined}),
});

const run = fc.record({
  lines: fc.array(hostileLine, {minLength: documentLines, maxLength: documentLines}),
  names: fc.array(hostileLine, {minLength: 20, maxLength: 20}),
  frames: fc.array(frame, {minLength: 4, maxLength: 12}),
});

interface Texts {
  readonly lines: readonly string[];
  readonly names: readonly string[];
}

function textOf({lines, names}: Texts, shown: TestFrame): string {
  const {columns, rows, top, listWidth, listTop, edited, overlay} = shown;
  const output = new Output({width: columns, height: rows});
  const right = columns - listWidth;
  const write = (x: number, y: number, text: string, x2: number) => {
    output.clip({x1: x, x2, y1: 0, y2: rows});
    output.write(x, y, text, {transformers: []});
    output.unclip();
  };
  write(0, 0, `\u001b[7mtitle of ${listTop}\u001b[27m`, columns);
  for (let y = 1; y < rows; y++) {
    const nth = (top + y) % documentLines;
    if (listWidth > 0) write(0, y, names[(listTop + y) % names.length] ?? '', listWidth - 1);
    write(listWidth, y, `${nth === edited ? '\u001b[1m»\u001b[22m ' : ''}${lines[nth]}`, right);
    if (listWidth > 0) write(right, y, `│${y}`, columns);
  }
  overlay?.lines.forEach((line, at) => {
    write(overlay.x, overlay.y + at, `${line} `, columns);
  });
  return output.get().output;
}

function writerFor(stdout: EmulatedStdout) {
  return frameWriter.create({columns: stdout.columns, rows: stdout.rows, write: (text) => stdout.write(text)});
}

/** Shows the frames one after the other and expects after each what a new terminal shows. */
async function expectRedrawn({frames, ...texts}: Texts & {frames: readonly TestFrame[]}): Promise<void> {
  let size = '';
  let stdout = new EmulatedStdout(1, 1);
  let writer = writerFor(stdout);
  for (const shown of frames) {
    const text = textOf(texts, shown);
    if (size !== `${shown.columns}x${shown.rows}`) {
      size = `${shown.columns}x${shown.rows}`;
      stdout.terminal.dispose();
      stdout = new EmulatedStdout(shown.columns, shown.rows);
      // The new terminal shows something, like one that has reflowed the old frame.
      stdout.write('\u001b[41mremains\r\n of another frame\u001b[0m');
      writer = writerFor(stdout);
    }
    const fresh = new EmulatedStdout(shown.columns, shown.rows);
    const freshWriter = writerFor(fresh);
    for (const each of [writer, freshWriter]) {
      if (shown.cursor !== undefined) each.setCursorPosition(shown.cursor);
      each(text);
    }
    const hasCursor = shown.cursor !== undefined;
    expect(await stdout.paintedRows(hasCursor)).toEqual(await fresh.paintedRows(hasCursor));
    fresh.terminal.dispose();
  }
  stdout.terminal.dispose();
}

const runs = Number(process.env.FRAME_RUNS ?? fewOrAll(10, 100));

test('frame writer: after any frames, scrolled or not, a terminal shows the same as after a redraw', async () => {
  await fc.assert(fc.asyncProperty(run, expectRedrawn), {numRuns: runs, seed: 1});
}, 600_000);

import {expect, onTestFinished, test} from 'vitest';
import {frameWriter} from '#ui/ink/frame-writer.ts';
import {nameFrames, Output} from '#ui/ink/output.ts';

const message = (nth: number) => `message ${nth} ${'tide quay rope '.repeat((nth % 3) + 1)}`;
const linesFrom = (top: number) => ['title', ...Array.from({length: 8}, (_, y) => message(top + y))];

function frameOf(lines: readonly string[], width = 50): string {
  const output = new Output({width, height: lines.length});
  for (const [y, line] of lines.entries()) output.write(0, y, line, {transformers: []});
  return output.get().output;
}

/** Returns what a new writer writes for each of the frames. */
function writtenFor(frames: readonly (readonly string[])[]): readonly string[] {
  let written = '';
  const writer = frameWriter.create({columns: 50, rows: 9, write: (text) => (written += text)});
  return frames.map((lines) => {
    written = '';
    writer(`${frameOf(lines)}\n`);
    return written;
  });
}

test('frame names: what is written is the same as for the texts of the frames', () => {
  const frames = [linesFrom(0), linesFrom(1), linesFrom(1), ['another title', ...linesFrom(7).slice(1)], linesFrom(0)];
  const byText = writtenFor(frames);
  onTestFinished(nameFrames());
  expect(writtenFor(frames)).toEqual(byText);
  expect(byText.map((text) => text !== '')).toEqual([true, true, false, true, true]);
});

test('frame names: a frame that the terminal shows again at another width is fitted into it, and its name is not written', () => {
  onTestFinished(nameFrames());
  let written = '';
  const stream = {columns: 50, rows: 9, write: (text: string) => (written += text)};
  const writer = frameWriter.create(stream);
  const name = frameOf(linesFrom(0));
  writer(name);
  stream.columns = 20;
  written = '';
  writer.reset();
  writer(name);
  expect(written).toContain(message(0).slice(0, 20).trim());
  expect(written).not.toContain(message(0).slice(0, 21));
  expect(written).not.toContain('frame');
});

test('frame names: when the screen has ended, frames are texts again, as for the picture of the next start', () => {
  const text = frameOf(linesFrom(0));
  const end = nameFrames();
  onTestFinished(end);
  expect(frameOf(linesFrom(0))).not.toContain('title');
  end();
  expect(frameOf(linesFrom(0))).toBe(text);
  expect(text).toBe(
    linesFrom(0)
      .map((line) => line.slice(0, 50).trimEnd())
      .join('\n'),
  );
});

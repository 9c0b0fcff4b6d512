import {expect, test} from 'vitest';
import {EmulatedStdout} from './emulated-stdout.ts';
import {mountScene} from './ink-build-entry.tsx';
import {writeStream} from './output-fuzz.ts';
import {pointwiseTerminal} from './pointwise-terminal.ts';
import type {SceneNode} from './Scene.tsx';
import {silentStdin} from './scene-fuzz.ts';

/** A frame that fills the screen, with emoji that the terminal measures wider in every row. */
function fullScreen(width: number, height: number): SceneNode {
  const lines = Array.from({length: height}, (_, y) => `${y} 👍🏻 👩🏽‍💻 `.padEnd(width - 4, '.'));
  return {kind: 'lines', width, height, lines};
}

test.each([
  [30, 5],
  [24, 5],
  [24, 8],
  [36, 11],
])(
  'resize: to %i x %i with emoji that the terminal measures wider paints what a new screen shows',
  async (columns, rows) => {
    const painted = async (...sizes: readonly (readonly [number, number])[]) => {
      const [[width, height] = [columns, rows]] = sizes;
      const stdout = new EmulatedStdout(width, height, pointwiseTerminal(width, height));
      // On the alternate screen, like the program: the emulator's other screen moves rows after a resize.
      stdout.write('\u001b[?1049h');
      const program = mountScene(writeStream(stdout), silentStdin(), fullScreen(width, height));
      for (const [width, height] of sizes.slice(1)) {
        stdout.resize(width, height);
        stdout.emit('resize');
        await program.show(fullScreen(width, height));
      }
      const shown = await stdout.paintedRows(false);
      program.end();
      stdout.terminal.dispose();
      return shown;
    };
    expect(await painted([30, 8], [columns, rows])).toEqual(await painted([columns, rows]));
  },
);

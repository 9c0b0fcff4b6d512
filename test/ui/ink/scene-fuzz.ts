import {EventEmitter} from 'node:events';
import {expect} from 'vitest';
import {EmulatedStdout} from './emulated-stdout.ts';
import type {InkBuild} from './ink-builds.ts';
import {stream} from './output-fuzz.ts';
import type {SceneNode} from './Scene.tsx';
import {size} from './scene-generators.ts';

/** Nobody presses a key. */
function silentInput(): NodeJS.ReadStream {
  return Object.assign(new EventEmitter(), {isTTY: false}) as unknown as NodeJS.ReadStream;
}

/** Two programs show the screens one after the other; every cell and the cursor are the same after each. */
export async function expectSameScreens(
  {stock, swapped}: {stock: InkBuild; swapped: InkBuild},
  scenes: readonly SceneNode[],
): Promise<void> {
  const [first, ...rest] = scenes;
  if (first === undefined) return;
  const programs = [stock, swapped].map((stage) => {
    // Wide enough for all that boxes let out at the side: Ink has no answer to a row that is wider than the screen.
    const glass = new EmulatedStdout(240, size.rows);
    return {glass, program: stage.mountScene(stream(glass), silentInput(), first)};
  });
  try {
    for (const scene of [first, ...rest]) {
      const pictures = await Promise.all(
        programs.map(async ({glass, program}) => {
          await program.show(scene);
          return glass.paintedRows(scene.kind === 'cursor');
        }),
      );
      expect(pictures[1]).toEqual(pictures[0]);
    }
  } finally {
    for (const {glass, program} of programs) {
      program.end();
      glass.terminal.dispose();
    }
  }
}

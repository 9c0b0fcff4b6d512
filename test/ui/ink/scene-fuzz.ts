import {EventEmitter} from 'node:events';
import {expect} from 'vitest';
import {EmulatedStdout} from './emulated-stdout.ts';
import type {InkBuilds} from './ink-builds.ts';
import {writeStream} from './output-fuzz.ts';
import type {SceneNode} from './Scene.tsx';
import {sceneSize} from './scene-generators.ts';

/** A stdin that never sends a key. */
export function silentStdin(): NodeJS.ReadStream {
  return Object.assign(new EventEmitter(), {isTTY: false}) as unknown as NodeJS.ReadStream;
}

/** Renders the scenes with both builds and expects the same cells and cursor after each scene. */
export async function expectSameScreens({stock, patched}: InkBuilds, scenes: readonly SceneNode[]): Promise<void> {
  const [first, ...rest] = scenes;
  if (first === undefined) return;
  const programs = [stock, patched].map((build) => {
    // Wide enough for everything that overflows a box: stock Ink breaks when a row is wider than the screen.
    const stdout = new EmulatedStdout(240, sceneSize.rows);
    stdout.isTTY = build === stock;
    return {stdout, program: build.mountScene(writeStream(stdout), silentStdin(), first)};
  });
  try {
    for (const scene of [first, ...rest]) {
      const painted = await Promise.all(
        programs.map(async ({stdout, program}) => {
          await program.show(scene);
          return stdout.paintedRows(scene.kind === 'cursor');
        }),
      );
      expect(painted[1]).toEqual(painted[0]);
    }
  } finally {
    for (const {stdout, program} of programs) {
      program.end();
      stdout.terminal.dispose();
    }
  }
}

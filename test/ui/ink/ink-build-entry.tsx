import {render} from 'ink';
// Ink keeps these to itself; a bundle has them as the program's has them, swapped or not.
import logUpdate from '../../../node_modules/ink/build/log-update.js';
import Output from '../../../node_modules/ink/build/output.js';
import {Scene, type SceneNode} from './Scene.tsx';

export {logUpdate, Output};

export interface MountedScene {
  /** Resolves when what it shows is written. */
  show(scene: SceneNode): Promise<void>;
  end(): void;
}

export function mountScene(
  stdout: NodeJS.WriteStream,
  stdin: NodeJS.ReadStream,
  first: SceneNode,
): MountedScene {
  const screen = render(<Scene node={first} />, {
    stdout,
    stdin,
    interactive: true,
    patchConsole: false,
    exitOnCtrlC: false,
    alternateScreen: true,
    incrementalRendering: true,
    maxFps: 1000,
  });
  return {
    async show(scene) {
      screen.rerender(<Scene node={scene} />);
      await screen.waitUntilRenderFlush();
    },
    end: () => screen.unmount(),
  };
}

import {render} from 'ink';
// Ink does not export these. The bundle contains them as the program's bundle does, patched or not.
import logUpdate from '../../../node_modules/ink/build/log-update.js';
import Output from '../../../node_modules/ink/build/output.js';
import {Scene, type SceneNode} from './Scene.tsx';

export {logUpdate, Output};

export interface MountedScene {
  /** Renders a scene and resolves when it is written. */
  show(scene: SceneNode): Promise<void>;
  end(): void;
}

export function mountScene(stdout: NodeJS.WriteStream, stdin: NodeJS.ReadStream, first: SceneNode): MountedScene {
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

import {render} from 'ink';
import {AppContext} from '#ui/hooks/use-select.ts';
import {Screen} from '#ui/Screen.tsx';

type Provider = NonNullable<Parameters<typeof AppContext>[0]['value']>;

export interface MountedScreen {
  /** Forgets the painted frame, as the program does when the terminal was erased. */
  forget(): void;
  /** Resolves when the newest frame is written. */
  written(): Promise<void>;
  end(): void;
}

/** Shows the program's screen with the frames of an app. */
export function mountScreen(stdout: NodeJS.WriteStream, stdin: NodeJS.ReadStream, app: Provider): MountedScreen {
  const ink = render(
    <AppContext value={app}>
      <Screen />
    </AppContext>,
    {
      stdout,
      stdin,
      interactive: true,
      patchConsole: false,
      exitOnCtrlC: false,
      incrementalRendering: true,
      maxFps: 1000,
    },
  );
  return {
    forget: () => ink.clear(),
    written: () => ink.waitUntilRenderFlush(),
    end: () => ink.unmount(),
  };
}

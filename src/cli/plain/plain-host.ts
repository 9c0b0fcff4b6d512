import {type CliIo, writeControls} from '#cli/io.ts';
import type {AppHost} from '#cli/screen/account-app.ts';
import {terminalDevice} from '#cli/screen/terminal-device.ts';
import {makeKeyGuide} from '#commands/key-guide.ts';
import type {KeyRouter} from '#commands/key-router.ts';
import {pathsOf} from '#config/paths.ts';
import {initialCapabilities} from '#terminal/capabilities.ts';
import {terminalEnvironment} from '#terminal/environment.ts';
import {themes} from '#theme/themes.ts';
import type {App} from '#ui/core/app.ts';
import type {Device} from '#ui/core/device.ts';
import type {DisplayOptions} from '#ui/core/frame.ts';
import type {KeyGuide} from '#ui/core/key-guide.ts';

/** The size of the imaginary screen: wide enough for any line, and high enough for every list. */
const size = {columns: 120, rows: 5000} as const;

/** Hosts an app without a screen; the plain client prints its state. */
export class PlainHost implements AppHost {
  readonly size = size;
  readonly displayOptions: DisplayOptions = {
    theme: themes.default,
    depth: 'mono',
    hasHyperlinks: false,
    glyphs: 'ascii',
    emoji: {},
    zone: undefined,
    linkPreviews: false,
  };
  readonly keyGuide: KeyGuide;
  readonly output = {needsDrain: false, whenDrained: () => Promise.resolve()};
  readonly #device: Device;

  constructor(io: CliIo, router: KeyRouter, quit: () => void) {
    this.keyGuide = makeKeyGuide(router.keymap, router.commands);
    const environment = terminalEnvironment({...io.env, TERM: 'dumb'}, true);
    this.#device = terminalDevice({
      env: io.env,
      environment: () => environment,
      capabilities: () => initialCapabilities(environment),
      // Only the bell is written: there is no screen for other sequences.
      write: (sequence) => {
        if (sequence === '\u0007' && io.outputIsTty) writeControls(io.stdout, sequence);
      },
      runtimeDirectory: pathsOf(io.env, io.home).runtime,
      lend: (body) => body(),
      redraw: () => {},
      suspend: () => {},
      quit,
    });
  }

  deviceFor(): Device {
    return this.#device;
  }

  add(_app: App): void {}
}

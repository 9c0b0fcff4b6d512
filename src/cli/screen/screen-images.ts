import type {App} from '#app/core/app.ts';
import type {ImageFiles} from '#app/images/image-store.ts';
import type {Clock} from '#std/clock.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {type Capabilities, cellSizeOf} from '#terminal/capabilities.ts';
import type {TerminalEnvironment} from '#terminal/environment.ts';
import type {ImageTarget} from '#terminal/images/encode-image.ts';
import {type CellBox, type PixelSize, usualCell} from '#terminal/images/fit-image.ts';
import {type ChosenProtocol, chooseProtocol, type ImageSetting} from '#terminal/images/image-protocol.ts';
import type {ColorDepth} from '#theme/color-depth.ts';
import type {DisplayOptions} from '#ui/core/frame.ts';
import {setFrameImages} from '#ui/ink/frame-writer.ts';
import type {DisplayPreferences} from './app-settings.ts';

/** What decides how images are shown. */
export interface ImageChoice {
  readonly setting: ImageSetting;
  readonly hasScreenReader: boolean;
  readonly capabilities: Capabilities;
  readonly environment: TerminalEnvironment;
  readonly depth: ColorDepth;
}

/** Returns what decides on a screen with these preferences. */
export function imageChoice(
  {images: setting, screenReader}: DisplayPreferences,
  {depth, glyphs}: DisplayOptions,
  known: Capabilities,
  environment: TerminalEnvironment,
): ImageChoice {
  const capabilities = {...known, isUtf8: known.isUtf8 && glyphs !== 'ascii'};
  return {setting, hasScreenReader: screenReader !== 'off', capabilities, environment, depth};
}

/** Returns the protocol of images and why it was chosen. */
export function chosenProtocol({
  setting,
  hasScreenReader,
  capabilities,
  environment,
  depth,
}: ImageChoice): ChosenProtocol {
  if (hasScreenReader && setting === 'auto') {
    return {protocol: 'none', reason: 'the setting “screen_reader” is on', inTmux: false};
  }
  return chooseProtocol(capabilities, environment, setting, depth === '256' || depth === 'true');
}

/**
 * Gives each app what loads its images, as soon as the terminal is known to show them. Nothing of it is loaded before. `session`
 * is a number that is probably different from that of other programs in the same terminal.
 */
export function screenImages(clock: Clock, write: (sequence: string) => void, session: number) {
  const filesOf = new Map<App, ImageFiles>();
  let target: ImageTarget | undefined;
  let maxRows = 0;
  let sessions = 0;
  let measured: {readonly areaSize: PixelSize | undefined; readonly cell: PixelSize} | undefined;

  /** A terminal that replies late has another size than the area that is known: then the cell is that of before. */
  const cellSize = (capabilities: Capabilities, size: CellBox) => {
    const {areaSize} = capabilities;
    const isLate = areaSize !== undefined && deepEqual(areaSize, measured?.areaSize);
    const cell = isLate && capabilities.cellSize === undefined ? measured?.cell : cellSizeOf(capabilities, size);
    measured = {areaSize, cell: cell ?? usualCell};
    return measured.cell;
  };
  const drawWith = async (chosen: ImageTarget | undefined) => {
    const images = chosen && (await import('#ui/ink/drawn-images.ts')).drawnImages(chosen.protocol, {clock, write});
    if (chosen === target) setFrameImages(images);
  };
  const apply = async (app: App) => {
    const files = filesOf.get(app);
    if (app.imageLoader === undefined && target !== undefined && files !== undefined) {
      const {ImageStore} = await import('#app/images/image-store.ts');
      if (!filesOf.has(app)) return;
      app.imageLoader ??= new ImageStore(app, {files, write, session: session + sessions++});
    }
    app.imageLoader?.setTarget(target, maxRows);
  };
  return {
    add: (app: App, files: ImageFiles) => {
      filesOf.set(app, files);
      app.onEnd(() => filesOf.delete(app));
      void apply(app);
    },
    /** Chooses the protocol again. Terminals that have not replied yet keep what they had. */
    choose: (choice: ImageChoice, size: CellBox, rows: number) => {
      if (!choice.capabilities.isSettled) return;
      const {protocol, inTmux} = chosenProtocol(choice);
      const cell = cellSize(choice.capabilities, size);
      const chosen = protocol === 'none' ? undefined : {protocol, inTmux, cell, hasTrueColor: choice.depth === 'true'};
      if (deepEqual(chosen, target) && rows === maxRows) return;
      target = chosen;
      maxRows = rows;
      void drawWith(target);
      for (const app of filesOf.keys()) void apply(app);
    },
    /** The terminal may have lost its images. */
    terminalReset: () => {
      for (const app of filesOf.keys()) app.imageLoader?.terminalReset();
    },
    removal: () => Array.from(filesOf.keys(), (app) => app.imageLoader?.removal() ?? '').join(''),
  };
}

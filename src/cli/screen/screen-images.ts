import type {Clock} from '#std/clock.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {type Capabilities, cellSizeOf} from '#terminal/capabilities.ts';
import type {TerminalEnvironment} from '#terminal/environment.ts';
import type {ImageTarget} from '#terminal/images/encode-image.ts';
import {type CellBox, type PixelSize, usualCell} from '#terminal/images/fit-image.ts';
import {type ChosenProtocol, chooseProtocol, type ImageSetting} from '#terminal/images/image-protocol.ts';
import type {ColorDepth} from '#theme/color-depth.ts';
import type {App} from '#ui/core/app.ts';
import type {DisplayOptions} from '#ui/core/frame.ts';
import type {ImageFiles} from '#ui/images/image-store.ts';
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

interface ScreenImagesParts {
  readonly clock: Clock;
  readonly write: (sequence: string) => void;
  /** A number that is probably different from that of other programs in the same terminal. */
  readonly session: number;
}

/** Gives each app what loads its images, as soon as the terminal is known to show them. Nothing of it is loaded before. */
export class ScreenImages {
  readonly #parts: ScreenImagesParts;
  readonly #files = new Map<App, ImageFiles>();
  #target: ImageTarget | undefined;
  #maxRows = 0;
  #sessions = 0;
  #measured: {readonly areaSize: PixelSize | undefined; readonly cell: PixelSize} | undefined;

  constructor(parts: ScreenImagesParts) {
    this.#parts = parts;
  }

  add(app: App, files: ImageFiles): void {
    this.#files.set(app, files);
    app.onEnd(() => this.#files.delete(app));
    void this.#apply(app);
  }

  /** Chooses the protocol again. Terminals that have not replied yet keep what they had. */
  choose(choice: ImageChoice, size: CellBox, maxRows: number): void {
    if (!choice.capabilities.isSettled) return;
    const {protocol, inTmux} = chosenProtocol(choice);
    const cell = this.#cellSize(choice.capabilities, size);
    const target = protocol === 'none' ? undefined : {protocol, inTmux, cell, hasTrueColor: choice.depth === 'true'};
    if (deepEqual(target, this.#target) && maxRows === this.#maxRows) return;
    this.#target = target;
    this.#maxRows = maxRows;
    void this.#drawWith(target);
    for (const app of this.#files.keys()) void this.#apply(app);
  }

  /** A terminal that replies late has another size than the area that is known: then the cell is that of before. */
  #cellSize(capabilities: Capabilities, size: CellBox): PixelSize {
    const {areaSize} = capabilities;
    const isLate = areaSize !== undefined && deepEqual(areaSize, this.#measured?.areaSize);
    const cell = isLate && capabilities.cellSize === undefined ? this.#measured?.cell : cellSizeOf(capabilities, size);
    this.#measured = {areaSize, cell: cell ?? usualCell};
    return this.#measured.cell;
  }

  /** The terminal may have lost its images. */
  terminalReset(): void {
    for (const app of this.#files.keys()) app.imageLoader?.terminalReset();
  }

  removal(): string {
    return Array.from(this.#files.keys(), (app) => app.imageLoader?.removal() ?? '').join('');
  }

  async #drawWith(target: ImageTarget | undefined): Promise<void> {
    const images = target && (await import('#ui/ink/drawn-images.ts')).drawnImages(target.protocol, this.#parts);
    if (target === this.#target) setFrameImages(images);
  }

  async #apply(app: App): Promise<void> {
    const files = this.#files.get(app);
    if (app.imageLoader === undefined && this.#target !== undefined && files !== undefined) {
      const {ImageStore} = await import('#ui/images/image-store.ts');
      if (!this.#files.has(app)) return;
      const session = this.#parts.session + this.#sessions++;
      app.imageLoader ??= new ImageStore(app, {files, write: this.#parts.write, session});
    }
    app.imageLoader?.setTarget(this.#target, this.#maxRows);
  }
}

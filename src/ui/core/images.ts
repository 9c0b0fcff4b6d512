import type {DrawnProtocol, EncodedImage, ImageTarget} from '#terminal/images/encode-image.ts';
import type {CellBox, PixelSize} from '#terminal/images/fit-image.ts';

/** An image that is shown in a box of cells. `fitCells` computes the box from the size that the server says. */
export interface ImageRequest extends CellBox {
  /** The path of an upload (`/user_uploads/…`), or another path or address of the account's own server. */
  readonly href: string;
  /** Whether it is an emoji in a line of text. */
  readonly isEmoji?: true | undefined;
}

/** `failed`: the reason is a sentence for the user. */
export type ImageState =
  | {readonly kind: 'loading'}
  | {readonly kind: 'failed'; readonly reason: string}
  | {readonly kind: 'ready'; readonly image: EncodedImage};

/** How images are shown. It is a new object when an image was loaded, so that lines are made again. */
export interface ImageDisplay {
  readonly protocol: DrawnProtocol;
  /** The size of a cell in pixels. */
  readonly cell: PixelSize;
  /** The height of a preview in a message. */
  readonly maxRows: number;
  /** The addresses of emoji that could not be loaded: their names are shown. The same object while nothing in it changes. */
  readonly failedEmoji?: {has(href: string): boolean};
  /** Returns what is known of the image now. It requests nothing: `ImageLoader.setVisible` does. */
  get(request: ImageRequest): ImageState;
}

/** Loads the images that are on the screen. */
export interface ImageLoader {
  /** Says how the terminal shows images, if at all, and the height of previews. All images are loaded again. */
  setTarget(target: ImageTarget | undefined, maxRows: number): void;
  /**
   * Says which images the painted frame shows. Those that are missing are loaded, and what is no longer shown is not loaded any more.
   * `Frame.display.images` changes when one is ready or failed; its upload was written before.
   */
  setVisible(requests: readonly ImageRequest[]): void;
  /** Loads images again that could not be loaded. */
  retry(): void;
  /** The terminal may have lost all images: those on the screen are uploaded again, before the next frame. */
  terminalReset(): void;
  /** Returns the sequences that remove all images from the terminal, for the end of the program. */
  removal(): string;
}

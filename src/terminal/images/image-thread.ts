import {parentPort, workerData} from 'node:worker_threads';
import {initPhoton, PhotonImage, resize, SamplingFilter} from '@cf-wasm/photon/others';
import {checkImage} from './check-image.ts';
import {type EncodedImage, encodeImage, type ImageTarget, pixelSizeFor} from './encode-image.ts';
import {type CellBox, fitGrid, type PixelSize} from './fit-image.ts';
import {isTurned, orientationOf, oriented, type Pixels, padded} from './pixels.ts';

/** The worker's side of `image-worker.ts`. */

export interface ImageJob {
  readonly file: Uint8Array;
  readonly box: CellBox;
  readonly target: ImageTarget;
  /** The id in the terminal. */
  readonly id: number;
}

/** `problem` is a sentence for the user. With `isSpent` the worker cannot decode another image. */
export type ImageReply = {readonly image: EncodedImage} | {readonly problem: string; readonly isSpent?: true};

/** An image that is this many times larger is first reduced to it without smoothing, which takes a tenth of the time. */
const coarseFactor = 4;

let isReady = false;

parentPort?.on('message', (job: ImageJob) => parentPort?.postMessage(reply(job)));

function reply({file, box, target, id}: ImageJob): ImageReply {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const checked = checkImage(bytes);
  if ('problem' in checked) return checked;
  try {
    if (!isReady) initPhoton.sync({module: new WebAssembly.Module(workerData)});
    isReady = true;
    const grid = pixelSizeFor(box, target);
    const orientation = orientationOf(bytes);
    const swapped = ({width, height}: PixelSize) =>
      isTurned(orientation) ? {width: height, height: width} : {width, height};
    const pixels = scaledPixels(file, (size) => swapped(fitGrid(swapped(size), box, target.cell, grid)));
    return {image: encodeImage(padded(oriented(pixels, orientation), grid.width, grid.height), box, target, id)};
  } catch {
    // The decoder stops without a reason, and in an undefined state.
    return {problem: 'The image is damaged.', isSpent: true};
  }
}

function scaledPixels(file: Uint8Array, sizeFor: (size: PixelSize) => PixelSize): Pixels {
  let image = PhotonImage.new_from_byteslice(file);
  const {width, height} = sizeFor(sizeOf(image));
  const scaled = (factor: number, filter: SamplingFilter) => {
    const from = image;
    image = resize(from, width * factor, height * factor, filter);
    from.free();
  };
  if (sizeOf(image).width > 2 * coarseFactor * width) scaled(coarseFactor, SamplingFilter.Nearest);
  const size = sizeOf(image);
  if (size.width !== width || size.height !== height) scaled(1, SamplingFilter.Triangle);
  try {
    return {width, height, rgba: image.get_raw_pixels()};
  } finally {
    image.free();
  }
}

function sizeOf(image: PhotonImage): PixelSize {
  return {width: image.get_width(), height: image.get_height()};
}

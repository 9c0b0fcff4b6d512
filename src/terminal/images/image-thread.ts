/** The worker's side of `image-worker.ts`. */

import {parentPort, workerData} from 'node:worker_threads';
import {initPhoton, PhotonImage, resize, SamplingFilter} from '@cf-wasm/photon/others';
import {checkImage} from './check-image.ts';
import {type EncodedImage, encodeImage, type ImageTarget, pixelSizeFor} from './encode-image.ts';
import {type CellBox, fitGrid, type PixelSize} from './fit-image.ts';
import {limitWasmMemory} from './limit-wasm-memory.ts';
import {isTurned, orientationOf, oriented, type Pixels, padded} from './pixels.ts';
import {stripMetadata} from './strip-metadata.ts';

export interface ImageJob {
  readonly file: Uint8Array;
  readonly box: CellBox;
  readonly target: ImageTarget;
  /** The id in the terminal. */
  readonly id: number;
}

/** `problem` is a sentence for the user. */
export type ImageReply = {readonly image: EncodedImage} | {readonly problem: string};

/** With `isSpent` the worker should not decode another image: the decoder is in an undefined state, or has taken much memory. */
export interface ThreadReply {
  readonly reply: ImageReply;
  readonly isSpent: boolean;
}

const mib = 1024 * 1024;
/** The decoder's memory. It never gives any back, so it is given up when an image took more than the second. */
const [maxMemory, largeMemory] = [512 * mib, 64 * mib];

/** An image that is this many times larger is first reduced to it without smoothing, which takes a tenth of the time. */
const coarseFactor = 4;

let memory: {readonly buffer: ArrayBuffer} | undefined;

parentPort?.on('message', (job: ImageJob) => parentPort?.postMessage(answer(job)));

function answer(job: ImageJob): ThreadReply {
  try {
    return {reply: decode(job), isSpent: takenMemory() > largeMemory};
  } catch {
    // The decoder stops without a reason, and in an undefined state.
    const isLarge = takenMemory() > maxMemory / 2;
    const problem = isLarge ? 'The image is damaged, or takes too much memory.' : 'The image is damaged.';
    return {reply: {problem}, isSpent: true};
  }
}

function takenMemory(): number {
  return memory?.buffer.byteLength ?? 0;
}

function decode({file, box, target, id}: ImageJob): ImageReply {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const checked = checkImage(bytes);
  if ('problem' in checked) return checked;
  memory ??= initPhoton.sync({
    module: new WebAssembly.Module(limitWasmMemory(workerData, maxMemory / (64 * 1024))),
  }).memory;
  const grid = pixelSizeFor(box, target);
  const orientation = orientationOf(bytes);
  const swapped = ({width, height}: PixelSize) =>
    isTurned(orientation) ? {width: height, height: width} : {width, height};
  const pixels = scaledPixels(stripMetadata(bytes), (size) => swapped(fitGrid(swapped(size), box, target.cell, grid)));
  return {image: encodeImage(padded(oriented(pixels, orientation), grid.width, grid.height), box, target, id)};
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

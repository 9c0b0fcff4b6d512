import {ApiError, badRequest} from '#server/errors.ts';
import type {Upload} from '#server/route.ts';
import {type ImageFormat, imageFormat} from '#std/media-type.ts';

const maxMib = 5;

/** The types of uploads that Zulip's servers make thumbnails of and accept as pictures. */
const imageTypes = new Set(['avif', 'gif', 'heic', 'jpeg', 'png', 'tiff', 'webp'].map((name) => `image/${name}`));

/** Returns whether an upload counts as an image. Only the type that the client gave decides it, as on Zulip's servers. */
export function isImageType(contentType: string): boolean {
  return imageTypes.has(contentType.split(';')[0]?.trim().toLowerCase() ?? '');
}

/** Returns the format of an uploaded picture by its content. Throws if its given type or its content is no image. */
export function checkedImageFormat({file, contentType}: Upload): ImageFormat {
  if (file.size > maxMib * 1024 * 1024) {
    throw badRequest(`Uploaded file is larger than the allowed limit of ${maxMib} MiB`);
  }
  if (!isImageType(contentType)) throw new ApiError('BAD_IMAGE', 'Invalid image format');
  const format = imageFormat(file.head);
  if (format === undefined) throw new ApiError('BAD_IMAGE', 'Could not decode image; did you upload an image file?');
  return format;
}

/** Returns whether a GIF, PNG or WebP has more than one frame. */
export function isAnimated(image: Buffer): boolean {
  const start = image.toString('latin1', 0, 16);
  if (start.startsWith('GIF8')) return gifFrameEnds(image).length > 1;
  if (start.startsWith('\x89PNG')) {
    const control = image.indexOf('acTL', 8, 'latin1');
    return control >= 0 && control < image.indexOf('IDAT', 8, 'latin1');
  }
  // The second bit of the flags says so.
  return start.startsWith('VP8X', 12) && ((image[20] ?? 0) & 2) !== 0;
}

/** Returns a GIF without all frames but the first. */
export function firstFrameOfGif(image: Buffer): Buffer {
  return Buffer.concat([image.subarray(0, gifFrameEnds(image)[0]), Buffer.of(0x3b)]);
}

/** Returns where the first two frames of a GIF end. */
function gifFrameEnds(image: Buffer): number[] {
  const tableLength = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const afterBlocks = (from: number) => {
    let at = from;
    while ((image[at] ?? 0) > 0) at += 1 + (image[at] ?? 0);
    return at + 1;
  };
  const ends: number[] = [];
  let at = 13 + tableLength(image[10] ?? 0);
  while (at < image.length && ends.length < 2) {
    if (image[at] === 0x21) at = afterBlocks(at + 2);
    else if (image[at] === 0x2c) {
      at = afterBlocks(at + 11 + tableLength(image[at + 9] ?? 0));
      ends.push(at);
    } else break;
  }
  return ends;
}

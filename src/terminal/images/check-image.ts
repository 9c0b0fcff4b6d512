import {decodedSize, type ImageSize} from '#std/image-size.ts';
import {imageFormat} from '#std/media-type.ts';
import {sizeText} from '#std/size-text.ts';

/** Larger files are not read. */
export const maxImageBytes = 20 * 1024 * 1024;
/** Decoding takes four bytes for each pixel, several times over. */
const maxPixels = 40_000_000;
/** The longest side; longer ones are made to break programs. */
const maxSide = 30_000;

const formats = {'image/png': 'PNG', 'image/jpeg': 'JPEG', 'image/gif': 'GIF', 'image/webp': 'WebP'} as const;

/** The size of an image that can be decoded, or a sentence that says why it cannot be shown. */
type CheckedImage = {readonly size: ImageSize} | {readonly problem: string};

/** Decides by the first bytes of a file, whatever its name and announced type, before anything is decoded. */
export function checkImage(file: Buffer): CheckedImage {
  if (file.length > maxImageBytes) return {problem: tooLargeText};
  const type = imageFormat(file)?.type;
  const name = Object.entries(formats).find(([format]) => format === type)?.[1];
  if (name === undefined) return {problem: unknownText(file, type)};
  const size = decodedSize(file);
  if (size === undefined || size.width === 0 || size.height === 0) return {problem: `This ${name} file is damaged.`};
  const {width, height} = size;
  if (width * height > maxPixels || width > maxSide || height > maxSide) {
    return {problem: `The image has ${width}×${height} pixels, which is too large to show.`};
  }
  return {size};
}

const tooLargeText: string = `The image is larger than ${sizeText(maxImageBytes)}.`;

function unknownText(file: Buffer, type: string | undefined): string {
  if (type === 'image/avif') return 'AVIF images cannot be shown here.';
  const start = file.toString('utf8', 0, 500);
  if (/<svg[\s>]/i.test(start)) return 'SVG images cannot be shown here.';
  if (/^\s*(?:<!doctype html|<html)/i.test(start)) return 'The server sent a web page instead of an image.';
  return file.length === 0 ? 'The file is empty.' : 'This is not an image that can be shown: PNG, JPEG, GIF or WebP.';
}

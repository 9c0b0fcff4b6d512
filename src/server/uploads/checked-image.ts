import {ApiError, badRequest} from '#server/http/errors.ts';
import type {Upload} from '#server/http/route.ts';
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

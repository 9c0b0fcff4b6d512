import {ApiError, badRequest} from '#server/http/errors.ts';
import type {Upload} from '#server/http/route.ts';
import {imageKind} from './image-kind.ts';

const maxMib = 5;

/** Returns the extension for the content of an uploaded image, regardless of its name. Throws if it is none. */
export function checkedImageExtension({file, filename}: Upload): string {
  if (file.size > maxMib * 1024 * 1024) {
    throw badRequest(`Uploaded file is larger than the allowed limit of ${maxMib} MiB`);
  }
  const kind = imageKind(file.head);
  if (kind === undefined) {
    const isNamedImage = /\.(?:gif|jpe?g|png|webp)$/i.test(filename);
    const problem = isNamedImage ? 'Could not decode image; did you upload an image file?' : 'Invalid image format';
    throw new ApiError('BAD_IMAGE', problem);
  }
  return kind.extension;
}

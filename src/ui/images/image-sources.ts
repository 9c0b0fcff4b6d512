import {uploadPath} from '#content/file-chip.ts';
import type {AccountState} from '#state/state.ts';
import type {PixelSize} from '#terminal/images/fit-image.ts';

type ThumbnailFormats = NonNullable<AccountState['server']['serverThumbnailFormats']>;

/**
 * Returns the addresses to try for an image, the best first: of an upload, the smallest thumbnail that has enough pixels. Animated
 * ones are larger, and only their first picture would be shown.
 */
export function imageSources(href: string, size: PixelSize, formats: ThumbnailFormats = []): readonly string[] {
  const path = uploadPath(href);
  if (path === undefined || path.startsWith('/user_uploads/thumbnail/')) return [href];
  const stills = formats
    .filter(({animated}) => animated !== true)
    .map(({name, max_width = 0, max_height = 0}) => ({name, width: max_width, height: max_height}))
    .sort((one, other) => one.width * one.height - other.width * other.height);
  const thumbnail = (name: string) => `${path.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${name}`;
  const enough = stills.find(({width, height}) => width >= size.width && height >= size.height);
  if (enough !== undefined) return [thumbnail(enough.name), path];
  const largest = stills.at(-1);
  return largest === undefined ? [path] : [path, thumbnail(largest.name)];
}

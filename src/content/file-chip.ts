import {segmenter} from '#std/segmenter.ts';
/** Labels for files in messages: `[image: sunset.png]`. */

import {printableLine} from '#std/printable.ts';
import type {ImageFacts} from './message-facts.ts';

export type FileKind = 'image' | 'audio' | 'video' | 'file';

const extensions: Readonly<Record<Exclude<FileKind, 'file'>, ReadonlySet<string>>> = {
  image: new Set('png jpg jpeg gif webp avif bmp svg heic heif tif tiff ico apng jxl'.split(' ')),
  audio: new Set('mp3 wav ogg oga opus m4a aac flac weba aif aiff'.split(' ')),
  video: new Set('mp4 m4v webm mov mkv avi ogv mpg mpeg 3gp'.split(' ')),
};

/** Returns the kind of a file, by its name's extension. */
export function fileKind(name: string): FileKind {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name.slice(-8))?.[1]?.toLowerCase() ?? '';
  if (extensions.image.has(extension)) return 'image';
  if (extensions.audio.has(extension)) return 'audio';
  return extensions.video.has(extension) ? 'video' : 'file';
}

/**
 * Returns whether a link leads to a file of this organization: `/user_uploads/2/ab/plan.pdf`. The parser makes links into
 * the organization relative, so an absolute link leads elsewhere.
 */
export function isUpload(href: string): boolean {
  return /^\/?user_uploads\//.test(href);
}

/** Returns the decoded file name at the end of a path or URL; undefined when it ends with a slash. */
export function fileName(href: string): string | undefined {
  const path = href.replace(/[?#].*$/s, '');
  const last = path.slice(path.lastIndexOf('/') + 1);
  const name = printableLine(decoded(last));
  return name === '' ? undefined : name;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A file that a message shows or links to. */
export interface FileChip {
  readonly kind?: FileKind;
  /** The file's name in the message; may be empty. */
  readonly name: string;
  readonly href: string;
  /** Such as `640×480`. */
  readonly detail?: string | undefined;
}

/** Longer names are cut in the middle, because the extension at the end shows the kind of file. */
const maxNameLength = 48;

/** Returns the file's name in the message, or else the name in its URL. */
export function fileChipName({name, href}: FileChip): string {
  const label = printableLine(name);
  const isAddress = label === '' || label === href || label.includes('://') || isUpload(label);
  return isAddress ? (fileName(href) ?? label) : label;
}

/** Returns `[image: sunset.png]`, `[image: sunset.png, 640×480]`, `[file: plan.pdf]`. */
export function fileChipText(chip: FileChip): string {
  const name = fileChipName(chip);
  const kind = chip.kind ?? fileKind(fileName(chip.href) ?? name);
  const parts = [shortenMiddle(name, maxNameLength), chip.detail ?? ''].filter((part) => part !== '');
  return parts.length === 0 ? `[${kind}]` : `[${kind}: ${parts.join(', ')}]`;
}

/** Returns the size of an image, and its type where the file's name does not tell: `640×480`, `640×480 PNG`. */
export function imageDetail({width, height, contentType = ''}: ImageFacts, name: string, times: string): string {
  const size = `${width}${times}${height}`;
  const type = /^image\/([a-z0-9]+)$/.exec(contentType)?.[1] ?? '';
  return type === '' || fileKind(name) === 'image' ? size : `${size} ${type.toUpperCase()}`;
}

/** Returns the path of an upload as servers write it: with a slash at the start, without query and fragment. */
export function uploadPath(href: string): string | undefined {
  return isUpload(href) ? `/${href.replace(/^\//, '').replace(/[?#].*$/s, '')}` : undefined;
}

/** Returns at most `maxLength` characters of a text, with `…` for the middle. */
export function shortenMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // Only the ends of a long text are segmented: a character is cut to 16 units below, so more is never needed.
  const window = maxLength * 16;
  const ends = text.length <= 2 * window ? text : text.slice(0, window) + text.slice(-window);
  const characters = Array.from(segmenter('grapheme').segment(ends.toWellFormed()), ({segment}) =>
    segment.slice(0, 16),
  );
  if (characters.length <= maxLength) return characters.join('');
  const tail = Math.floor((maxLength - 1) / 2);
  const head = Math.max(0, maxLength - 1 - tail);
  return `${characters.slice(0, head).join('')}…${tail === 0 ? '' : characters.slice(-tail).join('')}`;
}

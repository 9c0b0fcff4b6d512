import {printableLine} from '#std/printable.ts';

export type FileKind = 'image' | 'audio' | 'video' | 'file';

const extensions: Readonly<Record<Exclude<FileKind, 'file'>, ReadonlySet<string>>> = {
  image: new Set('png jpg jpeg gif webp avif bmp svg heic heif tif tiff ico apng jxl'.split(' ')),
  audio: new Set('mp3 wav ogg oga opus m4a aac flac weba aif aiff'.split(' ')),
  video: new Set('mp4 m4v webm mov mkv avi ogv mpg mpeg 3gp'.split(' ')),
};

/** What a name ends in says what it is. */
export function fileKind(name: string): FileKind {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name.slice(-8))?.[1]?.toLowerCase() ?? '';
  if (extensions.image.has(extension)) return 'image';
  if (extensions.audio.has(extension)) return 'audio';
  return extensions.video.has(extension) ? 'video' : 'file';
}

/**
 * Whether a link leads to a file uploaded here: `/user_uploads/2/ab/plan.pdf`. Links of messages have lost the address of
 * the organization, so one that has an address leads to another one.
 */
export function isUpload(href: string): boolean {
  return /^\/?user_uploads\//.test(href);
}

/** The name of the file that a path or a URL ends in, decoded; undefined when it ends in none. */
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

export interface FileChip {
  readonly kind?: FileKind;
  /** What the message calls it; may be empty. */
  readonly name: string;
  readonly href: string;
}

/** As much of a name as is shown; its end is kept, since that says what kind of file it is. */
const longestName = 48;

/** What the message calls the file, or what it is called where it lies. */
export function fileChipName({name, href}: FileChip): string {
  const given = printableLine(name);
  const isAddress = given === '' || given === href || given.includes('://') || isUpload(given);
  return isAddress ? (fileName(href) ?? given) : given;
}

/** `[image: sunset.png]`, `[file: plan.pdf]`. */
export function fileChipText(chip: FileChip): string {
  const shown = fileChipName(chip);
  const what = chip.kind ?? fileKind(fileName(chip.href) ?? shown);
  return shown === '' ? `[${what}]` : `[${what}: ${shortenMiddle(shown, longestName)}]`;
}

/** Made when a name is too long: it takes longer to load than everything else here. */
let graphemes: Intl.Segmenter | undefined;

/** At most `most` characters, the middle left out. */
export function shortenMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  // Nothing of a longer text than this can be among the first and the last characters shown.
  const window = most * 16;
  const ends = text.length <= 2 * window ? text : text.slice(0, window) + text.slice(-window);
  graphemes ??= new Intl.Segmenter(undefined, {granularity: 'grapheme'});
  const characters = Array.from(graphemes.segment(ends.toWellFormed()), ({segment}) => segment.slice(0, 16));
  if (characters.length <= most) return characters.join('');
  const tail = Math.floor((most - 1) / 2);
  const head = Math.max(0, most - 1 - tail);
  return `${characters.slice(0, head).join('')}…${tail === 0 ? '' : characters.slice(-tail).join('')}`;
}

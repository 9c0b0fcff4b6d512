import {createHash} from 'node:crypto';

const maxNameBytes = 80;
/**
 * The endings that keep their meaning. A browser that opens such a file from disk runs no script in it, and knows the type by
 * the ending: Firefox looks for HTML in files without an ending that it knows. Scripts in a PDF run in a viewer that can reach
 * neither files nor the network. All other files, such as `.svg`, `.ehtml`, `.rss` or `.7z`, get `.txt` at the end.
 */
const safeEndings: ReadonlySet<string> = new Set(
  [
    'apng avif bmp gif ico jpeg jpg png tif tiff webp',
    'aac flac m4a mp3 oga ogg opus wav',
    '3gp avi m4v mkv mov mp4 mpeg mpg ogv webm',
    'csv json text txt',
    'docx odp ods odt pdf pptx xlsx',
    'gz zip',
  ].flatMap((endings) => endings.split(' ').map((ending) => `.${ending}`)),
);

/**
 * Returns a name for a file that is safe on every file system: letters, digits, dots and dashes, no direction marks, and a
 * part of the hash of `key`, so that names which differ only in case or in other characters do not collide.
 */
export function safeFileName(text: string, key: string, extension: string): string {
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 10);
  const words = cut(dashed(text));
  return `${words === '' ? '' : `${words}-`}${hash}${extension}`;
}

/** Returns the name for an uploaded file, with an ending by which a browser does not run it. */
export function uploadFileName(path: string, name: string): string {
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  const stem = name.slice(0, name.length - extension.length);
  return safeFileName(stem, path, safeEndings.has(extension.toLowerCase()) ? extension : `${extension}.txt`);
}

function dashed(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replaceAll(/^[-\p{M}]+|-+$/gu, '');
}

/** Cuts at the end of a character, because file systems limit bytes. */
function cut(text: string): string {
  let [result, bytes] = ['', 0];
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxNameBytes) break;
    result += character;
  }
  return result;
}

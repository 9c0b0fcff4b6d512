import {createHash} from 'node:crypto';

const maxNameBytes = 80;
/** Types that a browser runs as a page of their own when they are opened from disk. They get `.txt` at the end. */
const activeTypes = /\.(?:x?html?|xht|shtml?|mhtml?|mht|svgz?|xml|xslt?|hta)$/i;

/**
 * Returns a name for a file that is safe on every file system: letters, digits, dots and dashes, no direction marks, and a
 * part of the hash of `key`, so that names which differ only in case or in other characters do not collide.
 */
export function safeFileName(text: string, key: string, extension: string): string {
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 10);
  const words = cut(dashed(text));
  return `${words === '' ? '' : `${words}-`}${hash}${extension}`;
}

/** Returns the name for an uploaded file, with its extension. */
export function uploadFileName(path: string, name: string): string {
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  const stem = name.slice(0, name.length - extension.length);
  return safeFileName(stem, path, activeTypes.test(name) ? `${extension}.txt` : extension);
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

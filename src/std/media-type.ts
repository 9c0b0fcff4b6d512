/** An image format that every browser shows and that cannot contain scripts (SVG can). */
export interface ImageFormat {
  readonly extension: string;
  readonly type: string;
  /** Matches the first bytes of such a file, as Latin-1 text. */
  readonly signature: RegExp;
}

const imageFormats: readonly ImageFormat[] = [
  {extension: 'png', type: 'image/png', signature: /^\x89PNG\r\n\x1a\n/},
  {extension: 'jpg', type: 'image/jpeg', signature: /^\xff\xd8\xff/},
  {extension: 'gif', type: 'image/gif', signature: /^GIF8[79]a/},
  {extension: 'webp', type: 'image/webp', signature: /^RIFF[\s\S]{4}WEBP/},
  {extension: 'avif', type: 'image/avif', signature: /^[\s\S]{4}ftypavif/},
];

/** How many bytes of a file the signatures need. */
export const signatureLength = 16;

/** The media types of file names, by their last extension. */
const extensionsByType: Readonly<Record<string, string>> = {
  'application/gzip': 'gz tgz',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/x-7z-compressed': '7z',
  'application/x-bzip2': 'bz2',
  'application/x-tar': 'tar',
  'application/x-xz': 'xz',
  'application/zip': 'zip',
  'application/zstd': 'zst',
  'audio/aac': 'aac',
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'oga ogg opus',
  'audio/wav': 'wav',
  'audio/webm': 'weba',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/heic': 'heic',
  'image/jpeg': 'jpeg jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/tiff': 'tif tiff',
  'image/webp': 'webp',
  'text/csv': 'csv',
  'text/html': 'htm html',
  'text/plain': 'c conf cfg diff go ini js log md patch py rs sh sql ts txt',
  'text/xml': 'xml',
  'video/mp4': 'm4v mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv',
};

const typesByExtension = new Map(
  Object.entries(extensionsByType).flatMap(([type, extensions]) => extensions.split(' ').map((one) => [one, type])),
);

/** Returns the image format by the file's first bytes, regardless of its name. */
export function imageFormat(head: Uint8Array): ImageFormat | undefined {
  const text = Buffer.from(head.subarray(0, signatureLength)).toString('latin1');
  return imageFormats.find(({signature}) => signature.test(text));
}

/** Returns the type of a stored image by its name. */
export function imageTypeByName(name: string): string | undefined {
  return imageFormats.find(({extension}) => name.endsWith(`.${extension}`))?.type;
}

export function typeByName(name: string): string | undefined {
  const extension = /\.([^.]*)$/.exec(name)?.[1];
  return extension === undefined ? undefined : typesByExtension.get(extension.toLowerCase());
}

/** Returns what a file contains, by its first bytes, then by its name; undefined if neither says it. */
export function mediaType(name: string, head: Uint8Array): string | undefined {
  return imageFormat(head)?.type ?? typeByName(name);
}

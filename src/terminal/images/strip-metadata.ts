/** A part of a file: where it ends, and whether the decoder needs it. */
interface Part {
  readonly end: number;
  readonly isNeeded: boolean;
}

/** Reads the part at a position; undefined from where on all of the file is needed. Throws a RangeError at the end of the file. */
type ReadPart = (file: Buffer, at: number) => Part | undefined;

/**
 * Returns the file without what its pixels do not depend on, such as colour profiles, texts, camera data and frames of an
 * animated PNG: a decoder reads them into memory, and a compressed one can be a thousand times its size there. The JPEG's
 * orientation is lost too. Of a damaged file all that could not be read stays.
 */
export function stripMetadata(file: Buffer): Buffer {
  const start = file.toString('latin1', 0, 12);
  if (start.startsWith('\x89PNG')) return keepNeeded(file, 8, pngChunk);
  if (start.startsWith('\xff\xd8')) return keepNeeded(file, 2, jpegSegment);
  if (start.startsWith('GIF')) return keepNeeded(file, gifStart(file), gifExtension);
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return withRiffHeader(keepNeeded(file, 12, webpChunk));
  return file;
}

/** Copies the parts that are needed. They may be a million, so none is an object for itself. */
function keepNeeded(file: Buffer, start: number, readPart: ReadPart): Buffer {
  const kept = Buffer.allocUnsafe(file.length);
  let length = file.copy(kept, 0, 0, start);
  let at = start;
  try {
    for (let part = readPart(file, at); part !== undefined; part = readPart(file, at)) {
      if (part.isNeeded) length += file.copy(kept, length, at, part.end);
      at = part.end;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  length += file.copy(kept, length, Math.min(at, file.length));
  return kept.subarray(0, length);
}

/** The first letter of what a decoder must know is a capital; `tRNS` is the transparency. An empty IDAT has no pixels. */
function pngChunk(file: Buffer, at: number): Part {
  const length = file.readUInt32BE(at);
  const type = file.toString('latin1', at + 4, at + 8);
  const isNeeded = (/^[A-Z]/.test(type) && (length > 0 || type !== 'IDAT')) || type === 'tRNS';
  return {end: at + 12 + length, isNeeded};
}

const firstApp = 0xe1;
const adobeApp = 0xee;
const lastApp = 0xef;
const comment = 0xfe;
const scan = 0xda;

/** The segments of applications are metadata, except the first (JFIF) and Adobe's, which says how colours are stored. */
function jpegSegment(file: Buffer, at: number): Part | undefined {
  const marker = file.readUInt8(at + 1);
  if (file.readUInt8(at) !== 0xff || marker === scan) return undefined;
  // Markers may have any number of these bytes before them.
  if (marker === 0xff) return {end: at + 1, isNeeded: false};
  const isApp = marker >= firstApp && marker <= lastApp && marker !== adobeApp;
  return {end: at + 2 + file.readUInt16BE(at + 2), isNeeded: !isApp && marker !== comment};
}

function gifStart(file: Buffer): number {
  const flags = file[10] ?? 0;
  return 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
}

/** Of the extensions before the first frame, the decoder needs the one that says which colour is transparent. */
function gifExtension(file: Buffer, at: number): Part | undefined {
  if (file.readUInt8(at) !== 0x21) return undefined;
  let end = at + 2;
  while (file.readUInt8(end) > 0) end += 1 + file.readUInt8(end);
  return {end: end + 1, isNeeded: file.readUInt8(at + 1) === 0xf9};
}

const webpImageTypes = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF']);

function webpChunk(file: Buffer, at: number): Part {
  const length = file.readUInt32LE(at + 4);
  return {end: at + 8 + length + (length % 2), isNeeded: webpImageTypes.has(file.toString('latin1', at, at + 4))};
}

/** Writes the length, and that there is no colour profile, camera data or XMP. */
function withRiffHeader(file: Buffer): Buffer {
  file.writeUInt32LE(file.length - 8, 4);
  if (file.length > 20 && file.toString('latin1', 12, 16) === 'VP8X') file.writeUInt8(file.readUInt8(20) & ~0x2c, 20);
  return file;
}

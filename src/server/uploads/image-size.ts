export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Returns the size of a PNG, GIF, JPEG or WebP from its first bytes; undefined if they do not contain it. */
export function imageSize(head: Buffer): ImageSize | undefined {
  try {
    return pngSize(head) ?? gifSize(head) ?? jpegSize(head) ?? webpSize(head);
  } catch (error) {
    // The bytes end before the size.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function pngSize(head: Buffer): ImageSize | undefined {
  if (head.toString('latin1', 1, 4) !== 'PNG') return undefined;
  return {width: head.readUInt32BE(16), height: head.readUInt32BE(20)};
}

function gifSize(head: Buffer): ImageSize | undefined {
  if (head.toString('latin1', 0, 3) !== 'GIF') return undefined;
  return {width: head.readUInt16LE(6), height: head.readUInt16LE(8)};
}

/** Skips segments until one that starts a frame (0xC0–0xCF except tables and the arithmetic marker). */
function jpegSize(head: Buffer): ImageSize | undefined {
  if (head.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; head.readUInt8(at) === 0xff; at += 2 + head.readUInt16BE(at + 2)) {
    const marker = head.readUInt8(at + 1);
    const startsFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (startsFrame) return {width: head.readUInt16BE(at + 7), height: head.readUInt16BE(at + 5)};
  }
  return undefined;
}

function webpSize(head: Buffer): ImageSize | undefined {
  if (head.toString('latin1', 8, 12) !== 'WEBP') return undefined;
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8X':
      return {width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1};
    case 'VP8L': {
      const bits = head.readUInt32LE(21);
      return {width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1};
    }
    case 'VP8 ':
      return {width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff};
    default:
      return undefined;
  }
}

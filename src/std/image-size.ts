export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Returns the size of a PNG, GIF, JPEG or WebP from its first bytes; undefined if they do not contain it. */
export function imageSize(head: Buffer): ImageSize | undefined {
  return sizeOrNone(() => pngSize(head) ?? gifSize(head) ?? jpegSize(head) ?? webpSize(head));
}

function sizeOrNone(read: () => ImageSize | undefined): ImageSize | undefined {
  try {
    return read();
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
  return head.toString('latin1', 8, 12) === 'WEBP' ? webpChunkSize(head, 12) : undefined;
}

function webpChunkSize(head: Buffer, at: number): ImageSize | undefined {
  switch (head.toString('latin1', at, at + 4)) {
    case 'VP8X':
      return {width: head.readUIntLE(at + 12, 3) + 1, height: head.readUIntLE(at + 15, 3) + 1};
    case 'VP8L': {
      const bits = head.readUInt32LE(at + 9);
      return {width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1};
    }
    case 'VP8 ':
      return {width: head.readUInt16LE(at + 14) & 0x3fff, height: head.readUInt16LE(at + 16) & 0x3fff};
    default:
      return undefined;
  }
}

/**
 * Returns the most pixels in each direction that decoding the file would make: frames may be larger than the size that the file says.
 */
export function decodedSize(file: Buffer): ImageSize | undefined {
  const said = imageSize(file);
  if (said === undefined) return undefined;
  const frame = sizeOrNone(() => gifFrameSize(file) ?? webpFrameSize(file)) ?? said;
  return {width: Math.max(said.width, frame.width), height: Math.max(said.height, frame.height)};
}

/** Returns the size of a GIF's first frame. */
function gifFrameSize(file: Buffer): ImageSize | undefined {
  if (file.toString('latin1', 0, 3) !== 'GIF') return undefined;
  const flags = file.readUInt8(10);
  let at = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  // Extensions: their kind, then blocks with their length before them, until an empty one.
  while (file.readUInt8(at) === 0x21) {
    at += 2;
    while (file.readUInt8(at) > 0) at += 1 + file.readUInt8(at);
    at += 1;
  }
  return file.readUInt8(at) === 0x2c
    ? {width: file.readUInt16LE(at + 5), height: file.readUInt16LE(at + 7)}
    : undefined;
}

/** Returns the size of the first frame in a WebP with several chunks. */
function webpFrameSize(file: Buffer): ImageSize | undefined {
  if (file.toString('latin1', 12, 16) !== 'VP8X') return undefined;
  for (let at = 12; ; ) {
    const type = file.toString('latin1', at, at + 4);
    if (type === 'ANMF') return {width: file.readUIntLE(at + 14, 3) + 1, height: file.readUIntLE(at + 17, 3) + 1};
    if (type === 'VP8 ' || type === 'VP8L') return webpChunkSize(file, at);
    const length = file.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
}

/** Returns whether a GIF, PNG or WebP has more than one frame. */
export function isAnimated(image: Buffer): boolean {
  const start = image.toString('latin1', 0, 16);
  if (start.startsWith('GIF8')) return gifFrameEnds(image).length > 1;
  if (start.startsWith('\x89PNG')) {
    const control = image.indexOf('acTL', 8, 'latin1');
    return control >= 0 && control < image.indexOf('IDAT', 8, 'latin1');
  }
  // The second bit of the flags says so.
  return start.startsWith('VP8X', 12) && ((image[20] ?? 0) & 2) !== 0;
}

/** Returns a GIF without all frames but the first. */
export function firstFrameOfGif(image: Buffer): Buffer {
  return Buffer.concat([image.subarray(0, gifFrameEnds(image)[0]), Buffer.of(0x3b)]);
}

/** Returns where the first two frames of a GIF end. */
function gifFrameEnds(image: Buffer): number[] {
  const tableLength = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const afterBlocks = (from: number) => {
    let at = from;
    while ((image[at] ?? 0) > 0) at += 1 + (image[at] ?? 0);
    return at + 1;
  };
  const ends: number[] = [];
  let at = 13 + tableLength(image[10] ?? 0);
  while (at < image.length && ends.length < 2) {
    if (image[at] === 0x21) at = afterBlocks(at + 2);
    else if (image[at] === 0x2c) {
      at = afterBlocks(at + 11 + tableLength(image[at + 9] ?? 0));
      ends.push(at);
    } else break;
  }
  return ends;
}

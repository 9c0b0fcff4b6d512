/** An image as four bytes for each pixel: red, green, blue, alpha. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

/** Returns some rows of the image. They share its memory. */
export function pixelRows({width, height, rgba}: Pixels, from: number, to: number): Pixels {
  const end = Math.min(to, height);
  return {width, height: end - from, rgba: rgba.subarray(from * width * 4, end * width * 4)};
}

/** Returns the image in the top left corner of a transparent one of this size, which must not be smaller. */
export function padded(pixels: Pixels, width: number, height: number): Pixels {
  if (pixels.width === width && pixels.height === height) return pixels;
  const rgba = new Uint8Array(width * height * 4);

  for (let y = 0; y < pixels.height; y++) {
    const row = pixelRows(pixels, y, y + 1).rgba;
    rgba.set(row, y * width * 4);
  }
  return {width, height, rgba};
}

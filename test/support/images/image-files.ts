import {readFileSync} from 'node:fs';
import {initPhoton, PhotonImage} from '@cf-wasm/photon/others';
import {encodePng, type Pixels} from '#terminal/images/pixels.ts';

/** Makes image files for tests, with the encoders of the library that decodes them, or by hand. */

export function pngFile(pixels: Pixels): Buffer {
  return encodePng(pixels);
}

export function jpegFile(pixels: Pixels): Buffer {
  return Buffer.from(withPhoton(pixels, (image) => image.get_bytes_jpeg(90)));
}

export function webpFile(pixels: Pixels): Buffer {
  return Buffer.from(withPhoton(pixels, (image) => image.get_bytes_webp()));
}

function withPhoton<T>({rgba, width, height}: Pixels, use: (image: PhotonImage) => T): T {
  if (!initPhoton.initialized) {
    const wasm = readFileSync('node_modules/@cf-wasm/photon/dist/lib/photon_rs_bg.wasm');
    initPhoton.sync({module: new WebAssembly.Module(wasm)});
  }
  const image = new PhotonImage(rgba, width, height);
  try {
    return use(image);
  } finally {
    image.free();
  }
}

/** A GIF of one colour whose screen and first frame may have other sizes than its data. */
export function gifFile(screen: readonly [number, number], frame: readonly [number, number] = screen): Buffer {
  const bytes16 = (...numbers: number[]) => numbers.flatMap((number) => [number & 0xff, number >> 8]);
  return Buffer.from([
    ...Buffer.from('GIF89a'),
    ...bytes16(...screen),
    ...[0x80, 0, 0],
    ...[200, 40, 40, 0, 0, 0],
    // An extension, as animations have it.
    ...[0x21, 0xf9, 4, 0, 0, 0, 0, 0],
    ...[0x2c, ...bytes16(0, 0, ...frame), 0],
    // Codes of two bits and their end; one pixel.
    ...[2, 2, 0x44, 0x01, 0],
    0x3b,
  ]);
}

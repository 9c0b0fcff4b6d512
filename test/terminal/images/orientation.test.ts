import {expect, test} from 'vitest';
import type {ImageTarget} from '#terminal/images/encode-image.ts';
import {encodeInWorker} from '#terminal/images/image-worker.ts';
import {orientationOf, oriented} from '#terminal/images/pixels.ts';
import {jpegFile, pngFile} from '#test/support/images/image-files.ts';
import {drawnPixels, pixelsOfHalfBlocks} from '#test/support/images/terminal-images.ts';
import {slowTest} from '#test/support/tier.ts';

/** Returns a JPEG with the orientation, as a camera writes it. */
function jpegWith(orientation: number, isLittle: boolean, pixels = drawnPixels(8, 8, () => [9, 9, 9])): Buffer {
  const tiff = Buffer.alloc(26);
  const [short, long] = isLittle
    ? [tiff.writeUInt16LE.bind(tiff), tiff.writeUInt32LE.bind(tiff)]
    : [tiff.writeUInt16BE.bind(tiff), tiff.writeUInt32BE.bind(tiff)];
  tiff.write(isLittle ? 'II' : 'MM', 0, 'latin1');
  short(42, 2);
  long(8, 4);
  short(1, 8);
  short(0x112, 10);
  short(3, 12);
  long(1, 14);
  short(orientation, 18);
  const segment = Buffer.concat([Buffer.from('\xff\xe1\0\0Exif\0\0', 'latin1'), tiff]);
  segment.writeUInt16BE(segment.length - 2, 2);
  const file = jpegFile(pixels);
  return Buffer.concat([file.subarray(0, 2), segment, file.subarray(2)]);
}

test('the orientation is read from a JPEG, in both byte orders', () => {
  for (const orientation of [1, 6, 8]) {
    expect(orientationOf(jpegWith(orientation, true))).toBe(orientation);
    expect(orientationOf(jpegWith(orientation, false))).toBe(orientation);
  }
});

test('a file that does not say it, or is cut off, is not turned', () => {
  expect(orientationOf(pngFile(drawnPixels(1, 1, () => [0, 0, 0])))).toBe(1);
  expect(orientationOf(jpegFile(drawnPixels(8, 8, () => [0, 0, 0])))).toBe(1);
  const file = jpegWith(6, true);
  for (let length = 0; length < 40; length++) expect([1, 6]).toContain(orientationOf(file.subarray(0, length)));
});

/** The pixels are `ab` above `cd` above `ef`. */
const small = drawnPixels(2, 3, (x, y) => [2 * y + x, 0, 0]);
const text = ({rgba, width}: typeof small) =>
  Array.from(
    {length: rgba.length / 4},
    (_, at) => `${at > 0 && at % width === 0 ? '/' : ''}${'abcdef'[rgba[4 * at] ?? 0]}`,
  ).join('');

test.each([
  [1, 'ab/cd/ef'],
  [2, 'ba/dc/fe'],
  [3, 'fe/dc/ba'],
  [4, 'ef/cd/ab'],
  [5, 'ace/bdf'],
  [6, 'eca/fdb'],
  [7, 'fdb/eca'],
  [8, 'bdf/ace'],
  [99, 'ab/cd/ef'],
])('pixels with the orientation %i are seen as %s', (orientation, expected) => {
  expect(text(oriented(small, orientation))).toBe(expected);
});

slowTest('a photograph of a phone stands upright', async () => {
  // Lying on its side in the file: red at the left is the bottom of what was seen.
  const file = jpegWith(
    8,
    false,
    drawnPixels(128, 64, (x) => (x < 64 ? [250, 10, 10] : [10, 10, 250])),
  );
  const target: ImageTarget = {
    protocol: 'half-blocks',
    inTmux: false,
    cell: {width: 8, height: 16},
    hasTrueColor: true,
  };
  const job = {file, box: {columns: 4, rows: 4}, target, id: 1};
  const reply = await encodeInWorker(job, new AbortController().signal);
  if (!('image' in reply)) throw new Error(reply.problem);
  const {rgba} = pixelsOfHalfBlocks(reply.image.drawnRows);
  const at = (x: number, y: number) => rgba.subarray(4 * (4 * y + x), 4 * (4 * y + x) + 4);
  expect(at(1, 1)[2]).toBeGreaterThan(200);
  expect(at(1, 6)[0]).toBeGreaterThan(200);
  expect(at(3, 6)[3]).toBe(255);
});

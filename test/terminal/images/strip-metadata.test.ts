import {describe, expect, test} from 'vitest';
import {stripMetadata} from '#terminal/images/strip-metadata.ts';
import {gifFile, jpegFile, pngFile, webpFile} from '#test/support/images/image-files.ts';
import {gifWith, jpegWith, pngChunk, pngWith, webpWith, zeros} from '#test/support/images/memory-images.ts';
import {drawnPixels} from '#test/support/images/terminal-images.ts';

const square = drawnPixels(10, 10, () => [250, 10, 10]);
const [app2, comment, adobe] = [0xe2, 0xfe, 0xee];
const bytes = Buffer.from('metadata');

describe('metadata: what the pixels do not depend on is not decoded', () => {
  const ancillary = ['iCCP', 'zTXt', 'iTXt', 'tEXt', 'eXIf', 'sPLT', 'gAMA', 'acTL', 'fcTL', 'fdAT', 'abCD'];
  test.each<[string, Buffer, Buffer]>([
    ['PNG', pngWith(...ancillary.map((type) => pngChunk(type, bytes))), pngFile(square)],
    ['PNG with empty data', pngWith(pngChunk('IDAT'), pngChunk('IDAT')), pngFile(square)],
    ['JPEG', jpegWith([app2, bytes], [0xe1, bytes], [comment, bytes]), jpegFile(square)],
    [
      'JPEG with fill bytes',
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), jpegFile(square).subarray(2)]),
      jpegFile(square),
    ],
    ['GIF', gifWith(3), gifFile([1, 1])],
  ])('%s', (_, file, plain) => {
    expect(stripMetadata(file).equals(plain)).toBe(true);
    expect(stripMetadata(plain).equals(plain)).toBe(true);
  });

  test('WebP', () => {
    const stripped = stripMetadata(webpWith(['ICCP', bytes], ['EXIF', bytes.subarray(1)], ['XMP ', bytes]));
    const image = webpFile(square).subarray(12);
    expect(stripped.readUInt32LE(4)).toBe(stripped.length - 8);
    expect(stripped.readUInt8(20) & 0x2c).toBe(0);
    expect(stripped.subarray(30).equals(image)).toBe(true);
  });
});

test('metadata: transparency and how colours are stored stay', () => {
  const files = [pngWith(pngChunk('tRNS', bytes)), pngWith(pngChunk('PLTE', bytes)), jpegWith([adobe, bytes])];
  for (const file of files) expect(stripMetadata(file).equals(file)).toBe(true);
});

test('metadata: of a file that is cut off or damaged anywhere, something is returned', () => {
  const files = [pngWith(pngChunk('iCCP', zeros(10))), jpegWith([app2, bytes]), gifWith(1), webpWith(['ICCP', bytes])];
  for (const file of files) {
    for (let at = 0; at < file.length; at++) {
      expect(stripMetadata(file.subarray(0, at)).length).toBeLessThanOrEqual(at);
      const changed = Buffer.from(file);
      changed.writeUInt8(0xff - changed.readUInt8(at), at);
      expect(stripMetadata(changed).length).toBeLessThanOrEqual(file.length);
    }
  }
});

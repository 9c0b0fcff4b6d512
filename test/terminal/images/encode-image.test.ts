import {expect, test} from 'vitest';
import {
  encodeImage,
  type ImageTarget,
  imageRow,
  pixelSizeFor,
  removeImage,
  removeRow,
} from '#terminal/images/encode-image.ts';
import {idCount, mark, maxPlaceholders, placeholderId, placeholderRows} from '#terminal/images/kitty-graphics.ts';
import {reduceColors} from '#terminal/images/sixel.ts';
import {
  drawnPixels,
  joinedRows,
  KittyTerminal,
  largestDifference,
  noise,
  pixelsOfHalfBlocks,
  pixelsOfPng,
  pixelsOfSixel,
  placeholdersOf,
  testPicture,
  unwrapped,
} from '#test/support/images/terminal-images.ts';

const box = {columns: 9, rows: 4};
const target = (protocol: ImageTarget['protocol'], fields: Partial<ImageTarget> = {}): ImageTarget => ({
  protocol,
  inTmux: false,
  cell: {width: 8, height: 17},
  hasTrueColor: true,
  ...fields,
});

function encoded(of: ImageTarget, id = 7) {
  const {width, height} = pixelSizeFor(box, of);
  const pixels = testPicture(width, height);
  const image = encodeImage(pixels, box, of, id);
  const rows = Array.from({length: box.rows}, (_, row) => imageRow(image, row, row + 1));
  return {pixels, image, rows};
}

test('half blocks draw the image with two pixels for each cell, and leave the background where it is transparent', () => {
  const {pixels, rows} = encoded(target('half-blocks'));
  expect(rows).toHaveLength(4);
  expect(largestDifference(pixelsOfHalfBlocks(rows), pixels)).toBe(0);
});

test('half blocks with 256 colours use the nearest one', () => {
  const {pixels, rows} = encoded(target('half-blocks', {hasTrueColor: false}));
  expect(rows.join('')).not.toContain(';2;');
  expect(largestDifference(pixelsOfHalfBlocks(rows), pixels)).toBeLessThanOrEqual(48);
});

test('a row of half blocks ends without a style, and an empty one has none', () => {
  const {rows} = encoded(target('half-blocks'));
  for (const row of rows) expect(row.endsWith('\u001b[0m')).toBe(true);
  const clear = encodeImage(
    drawnPixels(9, 8, () => [0, 0, 0, 0]),
    box,
    target('half-blocks'),
    0,
  );
  expect(imageRow(clear, 0, 1)).toBe(' '.repeat(9));
});

test('sixel draws the image row by row', () => {
  const {pixels, rows} = encoded(target('sixel'));
  const drawn = joinedRows(rows.map(pixelsOfSixel));
  expect(largestDifference(drawn, pixels)).toBeLessThanOrEqual(5);
});

test('sixel needs no more than 255 colours for noise, and draws every pixel', () => {
  const picture = noise(72, 68);
  expect(reduceColors(picture, 255).colors.length).toBeLessThanOrEqual(255);
  const image = encodeImage(picture, box, target('sixel'), 0);
  const drawn = joinedRows(image.drawnRows.map(pixelsOfSixel));
  expect(drawn.rgba.every((value, at) => at % 4 !== 3 || value === 255)).toBe(true);
  expect(largestDifference(drawn, picture)).toBeLessThan(80);
});

test('iTerm2 draws the image row by row, each in one row of cells', () => {
  const {pixels, rows} = encoded(target('iterm2'));
  const strips = rows.map((row) => {
    const [, keys = '', data = ''] = /^\u001b\]1337;File=([^:]*):([^\u0007]*)\u0007$/.exec(row) ?? [];
    const png = Buffer.from(data, 'base64');
    expect(keys).toBe(`inline=1;size=${png.length};width=9;height=1;preserveAspectRatio=0;doNotMoveCursor=1`);
    return pixelsOfPng(png);
  });
  expect(largestDifference(joinedRows(strips), pixels)).toBe(0);
});

test('kitty gets the image once and shows each of its rows', () => {
  const {pixels, image, rows} = encoded(target('kitty'));
  const terminal = new KittyTerminal();
  terminal.write(image.upload);
  expect(largestDifference(terminal.images.get(7) ?? pixelsOfSixel(''), pixels)).toBe(0);
  terminal.write(rows.join(''));
  expect([...terminal.placements.values()].map(({y, h, w, c, r, C}) => ({y, h, w, c, r, C}))).toEqual(
    [0, 17, 34, 51].map((y) => ({y, h: 17, w: 72, c: 9, r: 1, C: 1})),
  );
  terminal.write(removeRow(image, 2));
  expect([...terminal.placements.keys()]).toEqual(['7/1', '7/3', '7/4']);
  terminal.write(removeImage(image));
  expect([terminal.images.size, terminal.placements.size]).toEqual([0, 0]);
});

test('a long upload to kitty is cut into pieces', () => {
  const picture = noise(200, 100);
  const image = encodeImage(picture, {columns: 25, rows: 5}, target('kitty', {cell: {width: 8, height: 20}}), 9);
  const terminal = new KittyTerminal();
  terminal.write(image.upload);
  expect(image.upload.length).toBeGreaterThan(10_000);
  expect(largestDifference(terminal.images.get(9) ?? noise(1, 1), picture)).toBe(0);
});

test('placeholders name the image, the row and the column in each cell', () => {
  const id = placeholderId(200, 41);
  const {pixels, image, rows} = encoded(target('kitty-placeholders'), id);
  const terminal = new KittyTerminal();
  terminal.write(image.upload);
  expect(terminal.virtual.get(id)).toEqual(box);
  expect(largestDifference(terminal.images.get(id) ?? pixels, pixels)).toBe(0);
  expect(rows.map(placeholdersOf)).toEqual(
    [0, 1, 2, 3].map((row) => Array.from({length: 9}, (_, column) => ({id: id >>> 0, row, column}))),
  );
});

test('placeholders: the ids of a session are not among the first 16 colours, and differ for 240 images', () => {
  const ids = Array.from({length: idCount}, (_, number) => placeholderId(3, number));
  expect(new Set(ids).size).toBe(240);
  expect(ids.every((id) => (id & 0xff) >= 16 && id >>> 24 === 3)).toBe(true);
});

test('ids of images are positive numbers in every session: kitty ignores others', () => {
  const ids = Array.from({length: 256}, (_, session) => placeholderId(session, 7));
  expect(ids.every((id) => id > 0)).toBe(true);
});

test('there is a different mark for each of 297 rows and columns', () => {
  const marks = Array.from({length: maxPlaceholders}, (_, number) => mark(number));
  expect(new Set(marks).size).toBe(297);
  expect(mark(296)).toBe('\u{1d244}');
  expect(marks.every((sign) => /^\p{M}$/u.test(sign))).toBe(true);
});

test('placeholders: columns that have no mark continue the row', () => {
  const [row = ''] = placeholderRows(placeholderId(1, 1), {columns: maxPlaceholders + 2, rows: 1});
  expect(row.endsWith(`${mark(0)}${mark(296)}${mark(1)}\u{10eeee}\u{10eeee}\u001b[39m`)).toBe(true);
});

test('in tmux each piece of an upload, and the removal, is wrapped for the terminal around it', () => {
  const id = placeholderId(1, 1);
  const {pixels, image} = encoded(target('kitty-placeholders', {inTmux: true}), id);
  const terminal = new KittyTerminal();
  for (const text of [image.upload, removeImage(image)]) {
    expect(text.startsWith('\u001bPtmux;\u001b\u001b_G')).toBe(true);
    terminal.write(unwrapped(text));
    if (text === image.upload) expect(largestDifference(terminal.images.get(id) ?? pixels, pixels)).toBe(0);
  }
  expect(terminal.images.size).toBe(0);
});

test('only kitty must be told to remove an image', () => {
  for (const protocol of ['half-blocks', 'sixel', 'iterm2'] as const) {
    const {image} = encoded(target(protocol));
    expect([image.upload, removeImage(image), removeRow(image, 1)]).toEqual(['', '', '']);
  }
});

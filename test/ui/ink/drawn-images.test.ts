import fc from 'fast-check';
import {afterEach, describe, expect, test} from 'vitest';
import type {EncodedImage} from '#terminal/images/encode-image.ts';
import {ImageTerminal, labelledImage} from '#test/support/images/image-terminal.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {fewOrAll} from '#test/support/tier.ts';
import {imageCells} from '#ui/ink/cell-style.ts';
import {drawnImages} from '#ui/ink/drawn-images.ts';
import {frameWriter, setFrameImages} from '#ui/ink/frame-writer.ts';
import {Output} from '#ui/ink/output.ts';

const [columns, rows] = [30, 12];

interface Placed {
  readonly image: EncodedImage;
  readonly x: number;
  readonly y: number;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly columns: number;
  readonly rows: number;
}

/** A frame: lines of text, images, and boxes over them. */
interface Scene {
  readonly texts?: readonly string[];
  readonly images?: readonly Placed[];
  readonly boxes?: readonly Box[];
}

function paint({texts = [], images = [], boxes = []}: Scene): string {
  const output = new Output({width: columns, height: rows});
  const write = (x: number, y: number, text: string) => {
    if (y >= 0 && y < rows) output.write(x, y, text, {transformers: []});
  };
  texts.forEach((text, y) => {
    write(0, y, text);
  });
  for (const {image, x, y} of images) {
    for (let row = 0; row < image.rows; row++) write(x, y + row, imageCells(image, row));
  }
  for (const box of boxes) for (let row = 0; row < box.rows; row++) write(box.x, box.y + row, '#'.repeat(box.columns));
  return output.get().output;
}

/** Returns which cells must show which row of which image: the rows that no box covers and that are on the screen. */
function wanted({images = [], boxes = []}: Scene): ReadonlyMap<string, string> {
  const cells = new Map<string, string>();
  for (const {image, x, y} of images) {
    for (let row = 0; row < image.rows; row++) {
      const isCovered = boxes.some(
        (box) => y + row >= box.y && y + row < box.y + box.rows && x < box.x + box.columns && box.x < x + image.columns,
      );
      if (isCovered || y + row < 0 || y + row >= rows) continue;
      for (let at = x; at < x + image.columns; at++) cells.set(`${at},${y + row}`, `${image.id}:${row}`);
    }
  }
  return cells;
}

function testTerminal(protocol: 'kitty' | 'sixel' | 'half-blocks') {
  const terminal = new ImageTerminal(columns, rows, protocol === 'half-blocks');
  const clock = new ManualClock(0);
  let bytes = 0;
  const write = (text: string) => {
    bytes += text.length;
    terminal.write(text);
  };
  setFrameImages(drawnImages(protocol, {clock, write}));
  const writer = frameWriter.create({columns, rows, write});
  return {
    terminal,
    writer,
    /** Shows a frame and returns the bytes written for it, also those after a pause. */
    show: (scene: Scene, pauseMs = 1000) => {
      bytes = 0;
      writer(paint(scene));
      clock.advance(pauseMs);
      return bytes;
    },
  };
}

afterEach(() => setFrameImages(undefined));

const texts = Array.from({length: rows}, (_, y) => `line ${y} of the text`);

describe.each(['kitty', 'sixel', 'half-blocks'] as const)('drawn images in %s', (protocol) => {
  const image = labelledImage(1, 8, 4, protocol);
  const other = labelledImage(2, 5, 3, protocol);

  test('an image is drawn over its cells, and nothing is written while it stays', () => {
    const {terminal, show} = testTerminal(protocol);
    const scene = {texts, images: [{image, x: 20, y: 2}]};
    show(scene);
    expect(terminal.pictures).toEqual(wanted(scene));
    expect(terminal.text[2]).toBe('line 2 of the text');
    expect(show(scene)).toBe(0);
    const changed = {...scene, texts: texts.with(9, 'another')};
    expect(show(changed)).toBeLessThan(40);
    expect(terminal.pictures).toEqual(wanted(scene));
  });

  test('text that changes beside an image leaves the image whole and does not draw it again', () => {
    const {terminal, show} = testTerminal(protocol);
    const images = [{image, x: 10, y: 2}];
    const boxes = [{x: 22, y: 1, columns: 3, rows: 8}];
    show({texts: texts.map(() => 'ab'), images, boxes});
    const scene = {texts: texts.map(() => 'xy'), images, boxes};
    expect(show(scene)).toBeLessThan(12 * 12);
    expect(terminal.pictures).toEqual(wanted(scene));
    show({texts: texts.map((_, y) => `${'x'.repeat(y)}`), images});
    expect(terminal.pictures).toEqual(wanted(scene));
  });

  test('an image that scrolls moves, is cut off at the edge and leaves nothing behind', () => {
    const {terminal, show} = testTerminal(protocol);
    for (let y = 10; y > -5; y--) {
      const scene = {texts: texts.map((_, at) => `line ${at - y} of a long text`), images: [{image, x: 22, y}]};
      show(scene);
      expect(terminal.pictures).toEqual(wanted(scene));
      expect(terminal.text[5]).toBe(`line ${5 - y} of a long text`);
    }
    expect(terminal.pictures.size).toBe(0);
    expect(terminal.placementCount).toBe(0);
  });

  test('rows under an overlay go away and come back', () => {
    const {terminal, show} = testTerminal(protocol);
    const images = [{image, x: 20, y: 2}];
    show({texts, images});
    const covered = {texts, images, boxes: [{x: 5, y: 3, columns: 25, rows: 2}]};
    show(covered);
    expect(terminal.pictures).toEqual(wanted(covered));
    show({texts, images});
    expect(terminal.pictures).toEqual(wanted({images}));
    show({texts, boxes: [{x: 0, y: 0, columns, rows}]});
    expect(terminal.pictures.size).toBe(0);
  });

  test('the same image twice, and another one in its place', () => {
    const {terminal, show} = testTerminal(protocol);
    const twice = {
      images: [
        {image, x: 0, y: 0},
        {image, x: 10, y: 6},
      ],
    };
    show(twice);
    expect(terminal.pictures).toEqual(wanted(twice));
    const replaced = {
      images: [
        {image: other, x: 0, y: 0},
        {image, x: 10, y: 6},
      ],
    };
    show(replaced);
    expect(terminal.pictures).toEqual(wanted(replaced));
  });

  test('after the screen was cleared by another program, all is drawn again', () => {
    const {terminal, show, writer} = testTerminal(protocol);
    const scene = {texts, images: [{image, x: 20, y: 2}]};
    show(scene);
    writer.clear();
    expect(protocol === 'kitty' ? 0 : terminal.pictures.size).toBe(0);
    show(scene);
    expect(terminal.pictures).toEqual(wanted(scene));
  });

  test('any sequence of frames shows exactly the images of the last one', () => {
    const at = (max: number) => fc.integer({min: -3, max});
    const placed = fc.record({image: fc.constantFrom(image, other), x: fc.constant(12), y: at(rows + 1)});
    const box = fc.record({
      x: fc.integer({min: 0, max: 25}),
      y: fc.integer({min: 0, max: rows - 1}),
      columns: fc.integer({min: 1, max: 5}),
      rows: fc.integer({min: 1, max: 4}),
    });
    const scene = fc.record({
      texts: fc.array(fc.constantFrom('some text', 'other', '', 'a longer line of te'), {maxLength: rows}),
      images: fc.oneof(fc.constant([]), fc.tuple(placed)),
      boxes: fc.array(box, {maxLength: 2}),
    });
    fc.assert(
      fc.property(fc.array(scene, {minLength: 1, maxLength: 8}), fc.boolean(), (scenes, isQuick) => {
        const {terminal, show} = testTerminal(protocol);
        for (const one of scenes) show({...one, texts: one.texts.map((text) => text.slice(0, 11))}, isQuick ? 10 : 500);
        const last: Scene = scenes.at(-1) ?? {};
        show({...last, texts: ['end']});
        expect(terminal.pictures).toEqual(wanted(last));
      }),
      {numRuns: fewOrAll(37, 150)},
    );
  });
});

test.each(['kitty', 'half-blocks'] as const)(
  'drawn images: in %s, the same emoji side by side are drawn each, one that is covered in part is not',
  (protocol) => {
    const emoji = labelledImage(7, 2, 1, protocol);
    const other = labelledImage(8, 2, 1, protocol);
    const {terminal, show} = testTerminal(protocol);
    const row = [emoji, emoji, other, emoji].map((image, at) => ({image, x: 3 + 2 * at, y: 1}));
    show({texts, images: row});
    expect(terminal.pictures).toEqual(wanted({images: row}));
    const covered = {images: row, boxes: [{x: 10, y: 0, columns: 4, rows: 3}]};
    show({texts, ...covered});
    expect(terminal.pictures).toEqual(wanted(covered));
    show({texts});
    expect(terminal.pictures.size).toBe(0);
  },
);

test.each(['ab', 'e\u0301b', '\u0e01\u0e33', '\u{1f468}\u200d\u{1f469}'])(
  'drawn images: an emoji in a line with %j is drawn at its cells, also before a skin tone',
  (text) => {
    const {terminal, show} = testTerminal('kitty');
    const emoji = labelledImage(7, 2, 1, 'kitty');
    show({texts: [`${text}${imageCells(emoji, 0)}\u{1f3fd}${imageCells(emoji, 0)} ${text}`]});
    expect([...terminal.pictures.keys()].sort()).toEqual(['2,0', '3,0', '6,0', '7,0']);
    expect(terminal.text.join('')).not.toMatch(/[\u{100000}-\u{10dfff}]/u);
  },
);

test('drawn images: pixels are not sent while the user scrolls, only when it stops', () => {
  const image = labelledImage(1, 8, 4, 'sixel');
  const {terminal, show} = testTerminal('sixel');
  show({texts, images: [{image, x: 20, y: 6}]}, 20);
  expect(terminal.pictures.size).toBe(32);
  show({texts, images: [{image, x: 20, y: 5}]}, 20);
  show({texts, images: [{image, x: 20, y: 4}]}, 20);
  expect(terminal.pictures.size).toBe(0);
  show({texts, images: [{image, x: 20, y: 3}]}, 500);
  expect(terminal.pictures).toEqual(wanted({images: [{image, x: 20, y: 3}]}));
});

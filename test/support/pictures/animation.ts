import {mixed, type Palette, palettes} from '#test/support/terminal/palette.ts';
import type {Screen} from '#test/support/terminal/screen.ts';
import {Drawing, escaped} from './drawing.ts';
import {cell, left, short, top} from './grid.ts';
import {drawCursor, drawRow, padding, svgDocument} from './picture.ts';

export interface AnimationFrame {
  readonly screen: Screen;
  readonly cursor: 'block' | 'bar';
  /** How long it is shown. */
  readonly seconds: number;
  /** The key that was pressed last; empty if none was. */
  readonly key: string;
  /** What the frame shows, below the screen. */
  readonly caption: string;
}

/** The height of the caption below the screen. */
const captionHeight = 30;

/**
 * Renders frames as one SVG that repeats them without a script. Each distinct row is drawn once, and frames refer to it. Without
 * animations, or if the reader prefers less motion, it shows the first frame.
 */
export function animation(frames: readonly AnimationFrame[], title: string): string {
  const [first] = frames;
  if (first === undefined) throw new Error('An animation needs a frame.');
  const palette = palettes.dark;
  const rows = new SharedRows(palette);
  const groups = frames.flatMap((frame, index) => [
    `<g class="f" id="f${index}">`,
    ...rows.uses(frame.screen),
    ...cursorElements(frame, palette),
    ...captionElements(frame, palette),
    '</g>',
  ]);
  return svgDocument({
    width: left(first.screen.cols),
    height: top(first.screen.rows) + captionHeight,
    title,
    palette,
    style: visibilityRules(frames.map(({seconds}) => seconds)),
    content: [
      '<defs>',
      ...rows.definitions(),
      '</defs>',
      `<g transform="translate(${padding} ${padding})">`,
      ...groups,
      '</g>',
    ],
  });
}

/** Collects the distinct rows of all frames. */
class SharedRows {
  readonly #palette: Palette;
  readonly #ids = new Map<string, string>();

  constructor(palette: Palette) {
    this.#palette = palette;
  }

  /** Returns the references of a frame to its rows; empty rows need none. */
  uses(screen: Screen): string[] {
    const uses: string[] = [];
    for (let y = 0; y < screen.rows; y++) {
      const drawing = new Drawing();
      drawRow(drawing, screen.row(y), 0, this.#palette);
      const elements = drawing.elements().join('');
      if (elements !== '') uses.push(`<use href="#${this.#idOf(elements)}" y="${top(y)}"/>`);
    }
    return uses;
  }

  definitions(): string[] {
    return [...this.#ids].map(([elements, id]) => `<g id="${id}">${elements}</g>`);
  }

  #idOf(elements: string): string {
    const id = this.#ids.get(elements) ?? `r${this.#ids.size}`;
    this.#ids.set(elements, id);
    return id;
  }
}

function cursorElements({screen, cursor}: AnimationFrame, palette: Palette): string[] {
  const drawing = new Drawing();
  drawCursor(drawing, screen, cursor, palette);
  return drawing.elements();
}

/** Draws the pressed key as a key cap, and the caption beside it. */
function captionElements({screen, key, caption}: AnimationFrame, palette: Palette): string[] {
  const y = top(screen.rows) + captionHeight - cell.height + 6;
  const baseline = short(y + cell.baseline);
  const elements: string[] = [];
  let x = 0;
  if (key !== '') {
    const width = left(key.length + 2);
    const edge = mixed(palette.background, palette.foreground, 0.45);
    elements.push(
      `<rect x=".5" y="${short(y - 1.5)}" width="${short(width)}" height="${cell.height + 2}" rx="4" fill="none" stroke="${edge}"/>`,
      `<text class="b m" x="${short(width / 2)}" y="${baseline}" fill="${palette.foreground}">${escaped(key)}</text>`,
    );
    x = width + cell.width;
  }
  const colour = mixed(palette.background, palette.foreground, 0.7);
  elements.push(`<text x="${short(x)}" y="${baseline}" fill="${colour}">${escaped(caption)}</text>`);
  return elements;
}

/** Returns rules by which each frame is visible in its part of the whole time, and the first one also without animations. */
function visibilityRules(seconds: readonly number[]): string {
  const total = seconds.reduce((sum, each) => sum + each, 0);
  const percent = (time: number) => `${short((100 * time) / total)}%`;
  const rules = [
    `.f{visibility:hidden;animation:${short(total)}s step-end infinite}`,
    '#f0{visibility:visible}',
    '@media(prefers-reduced-motion:reduce){.f{animation:none}}',
  ];
  let start = 0;
  for (const [index, each] of seconds.entries()) {
    const end = start + each;
    rules.push(
      `@keyframes k${index}{0%{visibility:hidden}${percent(start)}{visibility:visible}${percent(end)},100%{visibility:hidden}}`,
      `#f${index}{animation-name:k${index}}`,
    );
    start = end;
  }
  return rules.join('\n');
}

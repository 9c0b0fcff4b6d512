import {mixed, type Palette, palettes, shownColour} from '#test/support/terminal/palette.ts';
import type {Cell, Screen} from '#test/support/terminal/screen.ts';
import {Drawing, escaped} from './drawing.ts';
import {cell, left, short, top} from './grid.ts';
import {shapeOf} from './shapes.ts';

interface PictureOptions {
  readonly background?: 'dark' | 'light';
  /** For screen readers. */
  readonly title?: string;
  readonly cursor?: 'block' | 'bar' | 'none';
}

export const padding = 14;
const fonts = "ui-monospace,'SF Mono',Menlo,'DejaVu Sans Mono',Consolas,monospace";

/** Renders a screen as SVG, with every cell at its exact position in any font. */
export function picture(screen: Screen, options: PictureOptions = {}): string {
  const {background = 'dark', title = 'Parley', cursor = 'block'} = options;
  const palette = palettes[background];
  const drawing = new Drawing();
  for (let y = 0; y < screen.rows; y++) drawRow(drawing, screen.row(y), y, palette);
  drawCursor(drawing, screen, cursor, palette);
  const content = [`<g transform="translate(${padding} ${padding})">`, ...drawing.elements(), '</g>'];
  return svgDocument({width: left(screen.cols), height: top(screen.rows), title, palette, content});
}

interface SvgDocument {
  /** Without the padding. */
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly palette: Palette;
  /** More style rules. */
  readonly style?: string;
  readonly content: readonly string[];
}

/** Returns an SVG file with the background of a terminal. */
export function svgDocument({width, height, title, palette, style = '', content}: SvgDocument): string {
  const fullWidth = short(width + 2 * padding);
  const fullHeight = short(height + 2 * padding);
  const edge = mixed(palette.background, palette.foreground, 0.18);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${fullWidth} ${fullHeight}" width="${fullWidth}" height="${fullHeight}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>text{font:${cell.fontSize}px ${fonts};white-space:pre}.b{font-weight:700}.i{font-style:italic}.m{text-anchor:middle}${style}</style>`,
    `<rect x=".5" y=".5" width="${short(Number(fullWidth) - 1)}" height="${short(Number(fullHeight) - 1)}" rx="8" fill="${palette.background}" stroke="${edge}"/>`,
    ...content,
    '</svg>',
    '',
  ].join('\n');
}

interface CellColours {
  readonly text: string;
  readonly paper: string | undefined;
}

/** Returns a cell's effective colours. */
function coloursOf({fg, bg, dim, inverse}: Cell, palette: Palette): CellColours {
  const text = shownColour(fg, palette, palette.foreground);
  const paper = bg === 'default' ? undefined : shownColour(bg, palette, palette.background);
  const below = paper ?? palette.background;
  const [front, back] = inverse ? [below, text] : [text, paper];
  return {text: dim ? mixed(front, back ?? palette.background, 0.45) : front, paper: back};
}

export function drawRow(drawing: Drawing, cells: readonly Cell[], y: number, palette: Palette): void {
  for (const [x, shown] of cells.entries()) {
    const {chars, width, bold, italic, underline, strike, invisible} = shown;
    if (width === 0) continue;
    const {text, paper} = coloursOf(shown, palette);
    if (paper !== undefined) drawing.paper(paper, x, y, width);
    if (invisible) continue;
    if (underline) drawing.rule(text, x, y, width, 'under');
    if (strike) drawing.rule(text, x, y, width, 'through');
    const shape = shapeOf(chars, x, y);
    if (shape !== undefined) drawing.shape(text, shape);
    else if (chars.trim() !== '') drawing.write(chars, {x, y, width, colour: text, bold, italic});
  }
}

/** Draws the cursor if it is visible. */
export function drawCursor(drawing: Drawing, screen: Screen, kind: 'block' | 'bar' | 'none', palette: Palette): void {
  const {x, y, visible} = screen.cursor;
  if (!visible || kind === 'none') return;
  const column = Math.min(x, screen.cols - 1);
  if (kind === 'bar') {
    drawing.bar(palette.foreground, column, y);
    return;
  }
  const {chars, width, bold, italic} = screen.cell(column, y);
  drawing.block(palette.foreground, column, y, Math.max(1, width));
  if (chars.trim() !== '') {
    drawing.write(chars, {x: column, y, width, colour: palette.background, bold, italic}, true);
  }
}

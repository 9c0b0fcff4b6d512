import {nearestIndexed} from '#std/indexed-color.ts';
import {esc} from '#terminal/control-sequences.ts';
import type {Pixels} from './pixels.ts';

/** A colour as it is written in a sequence after `38;` or `48;`. */
type Color = string | undefined;

/** Below this, a pixel shows the terminal's background. */
export const opaqueAlpha = 128;

/**
 * Returns the rows as text with styles. Each cell shows two pixels, one above the other, so the image has twice as many rows as the
 * text.
 */
export function halfBlockRows(pixels: Pixels, hasTrueColor: boolean): string[] {
  const {rgba} = pixels;
  const colorAt = (x: number, y: number): Color => {
    const at = (y * pixels.width + x) * 4;
    const red = rgba[at] ?? 0;
    const green = rgba[at + 1] ?? 0;
    const blue = rgba[at + 2] ?? 0;
    const alpha = rgba[at + 3] ?? 0;
    if (alpha < opaqueAlpha || y >= pixels.height) return undefined;
    return hasTrueColor ? `2;${red};${green};${blue}` : `5;${nearestIndexed([red, green, blue])}`;
  };
  return Array.from({length: Math.ceil(pixels.height / 2)}, (_, row) => {
    let text = '';
    let style = '';
    for (let x = 0; x < pixels.width; x++) {
      const cell = cellOf(colorAt(x, 2 * row), colorAt(x, 2 * row + 1));
      text += (cell.style === style ? '' : `${esc}[0${cell.style}m`) + cell.text;
      style = cell.style;
    }
    return style === '' ? text : `${text}${esc}[0m`;
  });
}

function cellOf(above: Color, below: Color): {readonly text: string; readonly style: string} {
  if (above === undefined && below === undefined) return {text: ' ', style: ''};
  if (above === undefined) return {text: '▄', style: `;38;${below}`};
  return {text: '▀', style: `;38;${above}${below === undefined ? '' : `;48;${below}`}`};
}

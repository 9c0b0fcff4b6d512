import type {Sgr} from '#content/styled-text/ansi.ts';
import type {ColorDepth} from './color-depth.ts';
import {indexedRgb, type Rgb} from './palette.ts';

/** The luminances that are readable on the backgrounds of a theme, from 0 (black) to 1 (white). */
export type TintRange = readonly [min: number, max: number];

/** The ranges by theme: a contrast of 4.5 on its backgrounds; the default theme must suit black and white, so it has 3.6. */
export const tintRanges = {default: [0.13, 0.24], dark: [0.3, 1], light: [0, 0.155]} as const;

/** Colours with less difference between their components are grey, and grey text looks disabled. */
const minChroma = 32;

/**
 * Returns the codes for text in a colour that a user chose, such as `#76ce90`: of the same hue, but light or dark enough to
 * be read. Undefined for greys and where the terminal has no colours.
 */
export function tintSgr(hex: string, range: TintRange, depth: ColorDepth): Sgr | undefined {
  const rgb = rgbOf(hex);
  if (rgb === undefined || Math.max(...rgb) - Math.min(...rgb) < minChroma) return undefined;
  switch (depth) {
    case 'true':
      return {open: `38;2;${readable(rgb, range).join(';')}`, close: '39'};
    case '256':
      return {open: `38;5;${nearestReadable(readable(rgb, range), range)}`, close: '39'};
    case '16':
      return {open: String(slotOf(rgb)), close: '39'};
    default:
      return undefined;
  }
}

function rgbOf(hex: string): Rgb | undefined {
  const [, red, green, blue] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex) ?? [];
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

/** Returns the relative luminance of a colour, as WCAG defines it. */
export function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map(linear);
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

function linear(component: number): number {
  const value = component / 255;
  return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function fromLinear(value: number): number {
  const component = value <= 0.003_130_8 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
  return Math.round(Math.min(1, Math.max(0, component)) * 255);
}

/** Mixes the colour with white, or darkens it, as much as the range requires. */
function readable(rgb: Rgb, [min, max]: TintRange): Rgb {
  const now = luminance(rgb);
  const change = (component: number) => {
    const value = linear(component);
    if (now > max) return fromLinear((value * max) / now);
    return now < min ? fromLinear(value + ((1 - value) * (min - now)) / (1 - now)) : component;
  };
  return [change(rgb[0]), change(rgb[1]), change(rgb[2])];
}

/** Rounding to one of the indexed colours may leave the range by this much. */
const tolerance = 0.03;

function nearestReadable(rgb: Rgb, [min, max]: TintRange): number {
  let [nearest, smallest] = [16, Number.POSITIVE_INFINITY];
  for (let index = 16; index < 232; index++) {
    const candidate = indexedRgb(index);
    const light = luminance(candidate);
    if (light < min - tolerance || light > max + tolerance) continue;
    const distance = candidate.reduce((sum, value, at) => sum + (value - (rgb[at] ?? 0)) ** 2, 0);
    if (distance < smallest) [nearest, smallest] = [index, distance];
  }
  return nearest;
}

/** Returns the terminal's own colour of the nearest hue. Red is for errors, and yellow is invisible on white. */
function slotOf([red, green, blue]: Rgb): number {
  const [max, min] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const [r, g, b] = [red - min, green - min, blue - min].map((value) => value / (max - min));
  const has = (component: number | undefined) => (component ?? 0) > 0.5;
  if (has(g)) return has(b) ? 36 : 32;
  return has(b) && !has(r) ? 34 : 35;
}

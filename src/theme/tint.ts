import type {Sgr} from '#content/styled-text/ansi.ts';
import {indexedRgb, type Rgb} from '#std/indexed-color.ts';
import {memoizeLast} from '#std/memo.ts';
import type {ColorDepth} from './color-depth.ts';
import {rgbOf} from './palette.ts';

/** The luminances that are readable on the backgrounds of a theme, from 0 (black) to 1 (white). */
export type TintRange = readonly [min: number, max: number];

/** The ranges by theme: a contrast of 4.5 on its backgrounds; those of the default theme are black and white. */
export const tintRanges = {default: [0.175, 0.1833], dark: [0.3, 1], light: [0, 0.155]} as const;

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
      return {open: String(slotOf(rgb, range)), close: '39'};
    default:
      return undefined;
  }
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

/** A range with hardly any indexed colour is widened by this much. */
const [narrowRange, widening] = [0.05, 0.03];

/** Returns the indexed colours in a range; computed once, because many colours are looked up in the same one. */
const indexedInRange = memoizeLast(([min, max]: TintRange): readonly (readonly [index: number, rgb: Rgb])[] => {
  const tolerance = max - min < narrowRange ? widening : 0;
  return Array.from({length: 216}, (_, at) => [16 + at, indexedRgb(16 + at)] as const).filter(([, rgb]) => {
    const light = luminance(rgb);
    return light >= min - tolerance && light <= max + tolerance;
  });
});

function nearestReadable([red, green, blue]: Rgb, range: TintRange): number {
  let [nearest, smallest] = [16, Number.POSITIVE_INFINITY];
  for (const [index, [r, g, b]] of indexedInRange(range)) {
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    if (distance < smallest) [nearest, smallest] = [index, distance];
  }
  return nearest;
}

/** The distance from a colour of the terminal to its bright variant, which is readable on dark backgrounds. */
const brightSlots = 60;

/**
 * Returns the terminal's own colour of the nearest hue. Red is for errors, yellow is invisible on white, and blue is hard to
 * read where the background may be dark.
 */
function slotOf([red, green, blue]: Rgb, [darkest, lightest]: TintRange): number {
  const bright = lightest === 1 ? brightSlots : 0;
  const [max, min] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const [r, g, b] = [red - min, green - min, blue - min].map((value) => value / (max - min));
  const has = (component: number | undefined) => (component ?? 0) > 0.5;
  if (has(g)) return (has(b) ? 36 : 32) + bright;
  if (!has(b) || has(r)) return 35 + bright;
  return darkest === 0 ? 34 : bright > 0 ? 36 + bright : 35;
}

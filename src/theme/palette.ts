import type {Sgr} from '#content/styled-text/ansi.ts';
import {indexedRgb, nearestIndexed, type Rgb} from '#std/indexed-color.ts';
import {memoByObject} from '#std/memo.ts';
import type {ColorDepth} from './color-depth.ts';

/** A colour of a palette. Without `rgb` it is one of the terminal's own 16 colours at every depth. */
export interface Color {
  readonly basic: Sgr;
  /** Used instead where there are only 16 colours. */
  readonly ofSixteen?: Sgr;
  readonly rgb?: Rgb;
  /** The index where there are 256 colours, if it is not simply the nearest to `rgb`. */
  readonly indexed?: number;
}

export type ColorName = 'faint' | 'red' | 'green' | 'amber' | 'blue' | 'violet' | 'teal';
export type Palette = Readonly<Record<ColorName, Color>>;

function slot(code: number): Sgr {
  return {open: String(code), close: '39'};
}

/** The style of faint text. None of the 16 colours is a grey that every terminal shows: bright black is often the background. */
export const dimmed: Sgr = {open: '2', close: '22'};

/**
 * The terminal's own colours, without those that are invisible on a light or a dark background: yellow, white, black. The blue
 * of old terminals, which have 16 colours, is hard to read on black. Some names share a colour; red is used for errors only.
 */
export const terminalPalette: Palette = {
  faint: {basic: dimmed},
  red: {basic: slot(31)},
  green: {basic: slot(32)},
  amber: {basic: slot(35)},
  blue: {basic: slot(34), ofSixteen: slot(35)},
  violet: {basic: slot(35)},
  teal: {basic: slot(36)},
};

/** Colours with enough contrast on backgrounds from black to #2a2d33. The bright blue of some terminals is too dark for them. */
export const darkPalette: Palette = {
  faint: {basic: dimmed, rgb: [158, 163, 172]},
  red: {basic: slot(91), rgb: [245, 130, 130]},
  green: {basic: slot(92), rgb: [143, 206, 143]},
  amber: {basic: slot(93), rgb: [229, 181, 103]},
  blue: {basic: slot(96), rgb: [130, 175, 245]},
  violet: {basic: slot(95), rgb: [201, 160, 235]},
  teal: {basic: slot(96), rgb: [108, 199, 199]},
};

/** Colours with enough contrast on backgrounds from #f2f2f2 to white. */
export const lightPalette: Palette = {
  faint: {basic: dimmed, rgb: [92, 97, 105]},
  red: {basic: slot(31), rgb: [176, 36, 30]},
  green: {basic: slot(32), rgb: [36, 104, 36]},
  amber: {basic: slot(35), rgb: [128, 80, 0]},
  blue: {basic: slot(34), rgb: [28, 84, 176]},
  violet: {basic: slot(35), rgb: [106, 48, 152]},
  teal: {basic: slot(36), rgb: [8, 98, 110]},
};

/** Returns the codes that colour text. Without colours, faint text is still dimmed and other text has no codes. */
export function colorSgr({basic, ofSixteen = basic, rgb, indexed}: Color, depth: ColorDepth): Sgr | undefined {
  if (depth === 'never' || depth === 'mono') return basic === dimmed ? dimmed : undefined;
  if (depth === '16') return ofSixteen;
  if (rgb === undefined) return basic;
  const code = depth === 'true' ? `2;${rgb.join(';')}` : `5;${indexed ?? nearestIndexed(rgb)}`;
  return {open: `38;${code}`, close: '39'};
}

/** Returns the codes of a colour such as `#76ce90`, for terminals with at least 256 colours. */
export function customColorSgr(hex: string, depth: ColorDepth): Sgr | undefined {
  const rgb = rgbOf(hex);
  if (rgb === undefined) return undefined;
  if (depth === 'true') return {open: `38;2;${rgb.join(';')}`, close: '39'};
  return depth === '256' ? {open: `38;5;${nearestIndexed(rgb)}`, close: '39'} : undefined;
}

/** Returns the components of a colour such as `#76ce90`. */
export function rgbOf(hex: string): Rgb | undefined {
  const [, red, green, blue] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex) ?? [];
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

/** The luminances that are readable on the backgrounds of a theme, from 0 (black) to 1 (white). */
export type TintRange = readonly [min: number, max: number];

/** The ranges by theme: a contrast of 4.5 on its backgrounds; those of the default theme are black and white. */
export const tintRanges = {default: [0.175, 0.1833], dark: [0.3, 1], light: [0, 0.155]} as const;

/** Returns the luminances that have at least a contrast to a background: lighter ones if the text on it is lighter, else darker ones. */
export function readableRange(background: Rgb, text: Rgb, contrast: number): TintRange {
  const behind = luminance(background) + 0.05;
  // Colours are rounded, so the limit is a little further away.
  const ratio = contrast * 1.01;
  if (luminance(text) + 0.05 >= behind) return [Math.min(1, behind * ratio - 0.05), 1];
  return [0, Math.max(0, behind / ratio - 0.05)];
}

/** Returns a colour of a palette, lightened or darkened into the range at every depth that has more than 16 colours. */
export function readableColor(rgb: Rgb, range: TintRange, slots: Pick<Color, 'basic' | 'ofSixteen'>): Color {
  const shown = readable(rgb, range);
  const nearest = nearestIndexed(shown);
  const light = luminance(indexedRgb(nearest));
  const isReadable = light >= range[0] && light <= range[1];
  return {...slots, rgb: shown, indexed: isReadable ? nearest : nearestReadable(shown, range)};
}

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
const indexedInRange = memoByObject(([min, max]: TintRange): readonly (readonly [index: number, rgb: Rgb])[] => {
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
  const max = Math.max(red, green, blue);
  const min = Math.min(red, green, blue);
  const [r, g, b] = [red - min, green - min, blue - min].map((value) => value / (max - min));
  const has = (component: number | undefined) => (component ?? 0) > 0.5;
  if (has(g)) return (has(b) ? 36 : 32) + bright;
  if (!has(b) || has(r)) return 35 + bright;
  return darkest === 0 ? 34 : bright > 0 ? 36 + bright : 35;
}

import type {Sgr} from '#content/styled-text/ansi.ts';
import {nearestIndexed, type Rgb} from '#std/indexed-color.ts';
import type {ColorDepth} from './color-depth.ts';

/** A colour of a palette. Without `rgb` it is one of the terminal's own 16 colours at every depth. */
interface Color {
  readonly basic: Sgr;
  /** Used instead where there are only 16 colours. */
  readonly ofSixteen?: Sgr;
  readonly rgb?: Rgb;
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
export function colorSgr(palette: Palette, name: ColorName, depth: ColorDepth): Sgr | undefined {
  const {basic, ofSixteen = basic, rgb} = palette[name];
  if (depth === 'never' || depth === 'mono') return name === 'faint' ? dimmed : undefined;
  if (depth === '16') return ofSixteen;
  if (rgb === undefined) return basic;
  const code = depth === 'true' ? `2;${rgb.join(';')}` : `5;${nearestIndexed(rgb)}`;
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

import type {Look, Sgr} from '#content/lines/ansi.ts';
import type {ColorDepth} from './color-depth.ts';
import {type Attribute, type Paint, paints} from './paints.ts';
import {colorSgr, darkPalette, lightPalette, type Palette, terminalPalette} from './palette.ts';
import type {UiRole} from './roles.ts';

export type ThemeId = 'default' | 'dark' | 'light';

export interface Theme {
  readonly id: ThemeId;
  /** For people who choose one. */
  readonly name: string;
  /** The same object for the same depth. */
  readonly look: (depth: ColorDepth) => Look<UiRole>;
  /** `#rrggbb` behind overlays where there are 256 colours or more. Without it they are told by their border. */
  readonly overlayBackground?: string;
}

export const themes: Readonly<Record<ThemeId, Theme>> = {
  default: {id: 'default', name: "The terminal's own colours", look: looksOf(terminalPalette)},
  dark: {id: 'dark', name: 'Dark', look: looksOf(darkPalette), overlayBackground: '#2a2d33'},
  light: {id: 'light', name: 'Light', look: looksOf(lightPalette), overlayBackground: '#f2f2f2'},
};

function looksOf(palette: Palette): Theme['look'] {
  const looks = new Map<ColorDepth, Look<UiRole>>();
  return (depth) => {
    const known = looks.get(depth);
    if (known !== undefined) return known;
    const look = lookOf(palette, depth);
    looks.set(depth, look);
    return look;
  };
}

const attributes: Readonly<Record<Attribute | 'strike', Sgr>> = {
  bold: {open: '1', close: '22'},
  italic: {open: '3', close: '23'},
  underline: {open: '4', close: '24'},
  reverse: {open: '7', close: '27'},
  strike: {open: '9', close: '29'},
};

function lookOf(palette: Palette, depth: ColorDepth): Look<UiRole> {
  const entries = Object.entries(paints).map(
    ([role, paint]) => [role, sgrOf(paint, palette, depth)] as const,
  );
  const {bold, italic, strike} = attributes;
  return {roles: Object.fromEntries(entries), bold, italic, strike, isPlain: depth === 'never'};
}

function sgrOf(paint: Paint, palette: Palette, depth: ColorDepth): Sgr {
  const named = depth === 'mono' ? paint.mono : paint.attributes;
  const parts = named.map((attribute) => attributes[attribute]);
  const color = paint.color === undefined ? undefined : colorSgr(palette, paint.color, depth);
  if (color !== undefined) parts.push(color);
  return {
    open: parts.map(({open}) => open).join(';'),
    close: [...new Set(parts.map(({close}) => close))].join(';'),
  };
}

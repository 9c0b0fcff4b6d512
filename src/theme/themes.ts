import type {Sgr, StyleSheet} from '#content/styled-text/ansi.ts';
import type {ColorDepth} from './color-depth.ts';
import {
  type Color,
  type ColorName,
  colorSgr,
  customColorSgr,
  darkPalette,
  lightPalette,
  type Palette,
  type TintRange,
  terminalPalette,
  tintRanges,
  tintSgr,
} from './palette.ts';
import {type Attribute, type RoleStyle, roleStyles, type UiRole} from './roles.ts';

/** The themes that are part of the program; others are files (`cli/screen/load-theme.ts`). */
type ThemeId = 'default' | 'dark' | 'light';

/** The colours of text without a role's colour and of the background, such as `#282828`. The terminal is given them. */
export interface ScreenColors {
  readonly text: string;
  readonly background: string;
}

/** A named set of styles for all roles. */
export interface Theme {
  readonly id: string;
  /** Undefined for themes that use what the terminal has. */
  readonly screenColors?: ScreenColors | undefined;
  /** Returns the styles for a colour depth; the same object for the same depth. */
  readonly styleSheet: (depth: ColorDepth) => StyleSheet<UiRole>;
}

export const themes: Readonly<Record<ThemeId, Theme>> = {
  default: makeTheme('default', terminalPalette),
  dark: makeTheme('dark', darkPalette, {tintRange: tintRanges.dark}),
  light: makeTheme('light', lightPalette, {tintRange: tintRanges.light}),
};

/** The properties of roles that differ from `roleStyles` in a theme. */
export type RoleChanges = Readonly<Partial<Record<UiRole, Partial<RoleStyle>>>>;

interface ThemeParts {
  readonly changes?: RoleChanges;
  readonly tintRange?: TintRange;
  readonly screenColors?: ScreenColors | undefined;
}

/** Returns a theme that computes its styles for each depth once. */
export function makeTheme(
  id: string,
  palette: Palette,
  {changes = {}, tintRange = tintRanges.default, screenColors}: ThemeParts = {},
): Theme {
  const styleSheets = new Map<ColorDepth, StyleSheet<UiRole>>();
  const styleSheet = (depth: ColorDepth) => {
    // A terminal with 16 colours keeps its own background.
    const range = screenColors !== undefined && depth === '16' ? tintRanges.default : tintRange;
    const styles = styleSheets.get(depth) ?? makeStyleSheet(palette, changes, depth, range);
    styleSheets.set(depth, styles);
    return styles;
  };
  return {id, screenColors, styleSheet};
}

const attributes: Readonly<Record<Attribute | 'strike', Sgr>> = {
  bold: {open: '1', close: '22'},
  italic: {open: '3', close: '23'},
  underline: {open: '4', close: '24'},
  reverse: {open: '7', close: '27'},
  strike: {open: '9', close: '29'},
};

function makeStyleSheet(
  palette: Palette,
  changes: RoleChanges,
  depth: ColorDepth,
  tintRange: TintRange,
): StyleSheet<UiRole> {
  const names = Object.keys(roleStyles) as UiRole[];
  const entries = names.map((role) => {
    return [role, roleSgr({...roleStyles[role], ...changes[role]}, palette, depth, tintRange)] as const;
  });
  const {bold, italic, strike} = attributes;
  const tints = new Map<string, Sgr | undefined>();
  return {
    roles: Object.fromEntries(entries),
    bold,
    italic,
    strike,
    customColor: (hex) => customColorSgr(hex, depth),
    tint: (hex) => {
      if (!tints.has(hex)) tints.set(hex, tintSgr(hex, tintRange, depth));
      return tints.get(hex);
    },
    isPlain: depth === 'never',
  };
}

function colorOf(color: ColorName | Color, palette: Palette): Color {
  return typeof color === 'string' ? palette[color] : color;
}

function roleSgr(style: RoleStyle, palette: Palette, depth: ColorDepth, tintRange: TintRange): Sgr {
  const names = depth === 'mono' ? style.mono : style.attributes;
  const parts = names.map((name) => attributes[name]);
  const tint = style.tint === undefined ? undefined : tintSgr(style.tint, tintRange, depth);
  const color = style.color === undefined ? tint : colorSgr(colorOf(style.color, palette), depth);
  if (color !== undefined) parts.push(color);
  return {
    open: parts.map(({open}) => open).join(';'),
    close: [...new Set(parts.map(({close}) => close))].join(';'),
  };
}

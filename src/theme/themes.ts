import type {Sgr, StyleSheet} from '#content/styled-text/ansi.ts';
import type {ColorDepth} from './color-depth.ts';
import {colorSgr, darkPalette, lightPalette, type Palette, terminalPalette} from './palette.ts';
import {type Attribute, type RoleStyle, roleStyles} from './role-styles.ts';
import type {UiRole} from './roles.ts';

export type ThemeId = 'default' | 'dark' | 'light';

export interface Theme {
  readonly id: ThemeId;
  /** For people who choose one. */
  readonly name: string;
  /** The same object for the same depth. */
  readonly look: (depth: ColorDepth) => StyleSheet<UiRole>;
  /** `#rrggbb` behind overlays where there are 256 colours or more. Without it they are told by their border. */
  readonly overlayBackground?: string;
}

/** What a theme is made from. */
interface ThemeData {
  readonly name: string;
  readonly palette: Palette;
  readonly overlayBackground?: string;
  /** Roles that look different from `paints` in this theme; what a line leaves out stays as it is there. */
  readonly roles: Readonly<Partial<Record<UiRole, Partial<RoleStyle>>>>;
}

export const themes: Readonly<Record<ThemeId, Theme>> = {
  default: themeOf('default', {
    name: "The terminal's own colours",
    palette: terminalPalette,
    roles: {},
  }),
  dark: themeOf('dark', {
    name: 'Dark',
    palette: darkPalette,
    overlayBackground: '#2a2d33',
    roles: {},
  }),
  light: themeOf('light', {
    name: 'Light',
    palette: lightPalette,
    overlayBackground: '#f2f2f2',
    roles: {},
  }),
};

/** Returns the theme that such data make. */
export function themeOf(id: ThemeId, {roles, palette, ...rest}: ThemeData): Theme {
  const looks = new Map<ColorDepth, StyleSheet<UiRole>>();
  const look = (depth: ColorDepth) => {
    const known = looks.get(depth) ?? lookOf(palette, roles, depth);
    looks.set(depth, known);
    return known;
  };
  return {id, ...rest, look};
}

const attributes: Readonly<Record<Attribute | 'strike', Sgr>> = {
  bold: {open: '1', close: '22'},
  italic: {open: '3', close: '23'},
  underline: {open: '4', close: '24'},
  reverse: {open: '7', close: '27'},
  strike: {open: '9', close: '29'},
};

function lookOf(palette: Palette, roles: ThemeData['roles'], depth: ColorDepth): StyleSheet<UiRole> {
  const changes = new Map(Object.entries(roles));
  const entries = Object.entries(roleStyles).map(
    ([role, paint]) => [role, sgrOf({...paint, ...changes.get(role)}, palette, depth)] as const,
  );
  const {bold, italic, strike} = attributes;
  return {roles: Object.fromEntries(entries), bold, italic, strike, isPlain: depth === 'never'};
}

function sgrOf(paint: RoleStyle, palette: Palette, depth: ColorDepth): Sgr {
  const named = depth === 'mono' ? paint.mono : paint.attributes;
  const parts = named.map((attribute) => attributes[attribute]);
  const color = paint.color === undefined ? undefined : colorSgr(palette, paint.color, depth);
  if (color !== undefined) parts.push(color);
  return {
    open: parts.map(({open}) => open).join(';'),
    close: [...new Set(parts.map(({close}) => close))].join(';'),
  };
}

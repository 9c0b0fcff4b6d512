import type {Sgr, StyleSheet} from '#content/styled-text/ansi.ts';
import type {ColorDepth} from './color-depth.ts';
import {
  type ColorName,
  colorSgr,
  customColorSgr,
  darkPalette,
  lightPalette,
  type Palette,
  terminalPalette,
} from './palette.ts';
import type {UiRole} from './roles.ts';
import {type TintRange, tintRanges, tintSgr} from './tint.ts';

type Attribute = 'bold' | 'italic' | 'underline' | 'reverse';

/** The colour and attributes of a role. */
interface RoleStyle {
  readonly color?: ColorName;
  /** A colour such as `#76ce90` instead, made readable on the theme's backgrounds (`tint.ts`). */
  readonly tint?: string;
  readonly attributes: readonly Attribute[];
  /** The attributes on screens without colours. */
  readonly mono: readonly Attribute[];
}

const uncolored = (...attributes: readonly Attribute[]): RoleStyle => ({attributes, mono: attributes});
const colored = (color: ColorName, ...attributes: readonly Attribute[]): RoleStyle => ({
  ...uncolored(...attributes),
  color,
});
/** A colour alone, or bold on screens without colours. */
const coloredOrBold = (color: ColorName): RoleStyle => ({color, attributes: [], mono: ['bold']});
const sender = (tint: string): RoleStyle => ({...uncolored('bold'), tint});
const plain = uncolored();
const faint = colored('faint');

/**
 * The style of each role, unless a theme overrides it (`themes.ts`). A colour never carries information alone: a mark, a word
 * or an attribute repeats it (`@`, `[1]`, a bar, bold, reverse). Colours are rare: mentions and unread counts, links, errors,
 * and names of senders, which readers scan for.
 */
export const roleStyles: Readonly<Record<UiRole, RoleStyle>> = {
  text: plain,
  heading: uncolored('underline'),
  code: coloredOrBold('teal'),
  code_block: plain,
  quote_bar: faint,
  quote: faint,
  bullet: faint,
  rule: faint,
  link: colored('blue', 'underline'),
  link_number: faint,
  mention: coloredOrBold('blue'),
  self_mention: colored('amber', 'reverse'),
  silent_mention: uncolored('bold'),
  channel_link: coloredOrBold('blue'),
  time: colored('teal'),
  emoji: plain,
  math: coloredOrBold('violet'),
  table_border: faint,
  table_header: plain,
  spoiler: coloredOrBold('violet'),
  chip: coloredOrBold('blue'),
  // Quieter than a mention: it only matches a word.
  alert_word: {color: 'amber', attributes: ['bold'], mono: ['bold', 'underline']},
  match: uncolored('bold', 'reverse'),
  note: faint,
  code_keyword: coloredOrBold('violet'),
  code_string: colored('green'),
  code_comment: faint,
  code_number: colored('teal'),
  code_name: colored('blue'),
  code_type: colored('amber'),
  code_added: colored('green'),
  code_removed: colored('red'),

  header: plain,
  header_title: uncolored('bold'),
  account: colored('blue', 'bold'),
  title: uncolored('bold'),
  title_idle: faint,
  section: faint,
  tab: faint,
  tab_active: uncolored('bold', 'underline'),
  separator: faint,
  scrollbar: faint,
  hint: faint,
  hint_key: uncolored('bold'),
  key: uncolored('bold'),
  mode: colored('blue', 'bold'),
  dim: faint,
  disabled: faint,

  cursor_bar: colored('blue', 'bold'),
  cursor_bar_idle: faint,
  selected: uncolored('bold'),
  marked: colored('violet', 'bold'),
  unread: uncolored('bold'),
  unread_count: colored('teal', 'bold'),
  mention_count: colored('amber', 'bold'),
  channel: plain,
  topic: plain,
  resolved: faint,
  followed: coloredOrBold('teal'),
  muted: faint,
  draft: coloredOrBold('amber'),
  age: faint,

  unread_separator: colored('teal', 'bold'),
  date_separator: faint,
  sender: uncolored('bold'),
  // Twelve hues, each 150 degrees from the one before: consecutive users differ most.
  sender_1: sender('#189b9b'),
  sender_2: sender('#ff9bc3'),
  sender_3: sender('#00d718'),
  sender_4: sender('#5f18ff'),
  sender_5: sender('#c39b48'),
  sender_6: sender('#18afeb'),
  sender_7: sender('#d71848'),
  sender_8: sender('#18c387'),
  sender_9: sender('#9b30d7'),
  sender_10: sender('#d7eb30'),
  sender_11: sender('#4887ff'),
  sender_12: sender('#ff4800'),
  sender_self: uncolored('bold'),
  sender_bot: faint,
  time_stamp: faint,
  reaction: faint,
  reaction_own: colored('blue', 'bold'),
  star: coloredOrBold('amber'),
  edited: faint,
  pending: colored('faint', 'italic'),
  failed: colored('red', 'bold'),
  typing: colored('faint', 'italic'),

  prompt: colored('blue', 'bold'),
  destination: uncolored('bold'),
  destination_changed: {color: 'red', attributes: ['bold'], mono: ['bold', 'reverse']},
  placeholder: faint,
  selection: uncolored('reverse'),
  new_topic: coloredOrBold('green'),
  counter: faint,
  counter_over: colored('red', 'bold'),
  progress: coloredOrBold('blue'),

  overlay_border: faint,
  overlay_title: uncolored('bold'),
  menu_selected: uncolored('reverse'),
  matched: colored('blue', 'bold', 'underline'),

  banner: colored('amber', 'bold'),
  toast: coloredOrBold('teal'),
  warning: colored('amber', 'bold'),
  error: colored('red', 'bold'),
  success: coloredOrBold('green'),

  online: coloredOrBold('green'),
  idle: colored('amber'),
  offline: faint,
};

export type ThemeId = 'default' | 'dark' | 'light';

/** A named set of styles for all roles. */
export interface Theme {
  readonly id: ThemeId;
  /** The name in the settings. */
  readonly name: string;
  /** Returns the styles for a colour depth; the same object for the same depth. */
  readonly styleSheet: (depth: ColorDepth) => StyleSheet<UiRole>;
}

interface ThemeData {
  readonly name: string;
  readonly palette: Palette;
  /** The properties of roles that differ from `roleStyles` in this theme. */
  readonly roles: Readonly<Partial<Record<UiRole, Partial<RoleStyle>>>>;
}

export const themes: Readonly<Record<ThemeId, Theme>> = {
  default: makeTheme('default', {
    name: 'Terminal colours',
    palette: terminalPalette,
    roles: {},
  }),
  dark: makeTheme('dark', {
    name: 'Dark',
    palette: darkPalette,
    roles: {},
  }),
  light: makeTheme('light', {
    name: 'Light',
    palette: lightPalette,
    roles: {},
  }),
};

/** Returns a theme that computes its styles for each depth once. */
export function makeTheme(id: ThemeId, {name, palette, roles}: ThemeData): Theme {
  const styleSheets = new Map<ColorDepth, StyleSheet<UiRole>>();
  const styleSheet = (depth: ColorDepth) => {
    const styles = styleSheets.get(depth) ?? makeStyleSheet(palette, roles, depth, tintRanges[id]);
    styleSheets.set(depth, styles);
    return styles;
  };
  return {id, name, styleSheet};
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
  roles: ThemeData['roles'],
  depth: ColorDepth,
  tintRange: TintRange,
): StyleSheet<UiRole> {
  const overrides = new Map(Object.entries(roles));
  const entries = Object.entries(roleStyles).map(
    ([role, style]) => [role, roleSgr({...style, ...overrides.get(role)}, palette, depth, tintRange)] as const,
  );
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

function roleSgr(style: RoleStyle, palette: Palette, depth: ColorDepth, tintRange: TintRange): Sgr {
  const names = depth === 'mono' ? style.mono : style.attributes;
  const parts = names.map((name) => attributes[name]);
  const tint = style.tint === undefined ? undefined : tintSgr(style.tint, tintRange, depth);
  const color = style.color === undefined ? tint : colorSgr(palette, style.color, depth);
  if (color !== undefined) parts.push(color);
  return {
    open: parts.map(({open}) => open).join(';'),
    close: [...new Set(parts.map(({close}) => close))].join(';'),
  };
}

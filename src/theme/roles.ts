import type {TextRole} from '#content/styled-text/line.ts';
import type {Color, ColorName} from './palette.ts';

export type Attribute = 'bold' | 'italic' | 'underline' | 'reverse';

/** The colour and attributes of a role. */
export interface RoleStyle {
  readonly color?: ColorName | Color | undefined;
  /** A colour such as `#76ce90` instead, made readable on the theme's backgrounds (`palette.ts`). */
  readonly tint?: string | undefined;
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
 * The style of each role. A colour never carries information alone: a mark, a word
 * or an attribute repeats it (`@`, `[1]`, a bar, bold, reverse). Colours are rare: mentions and unread counts, links, errors,
 * and names of senders, which readers scan for.
 */
export const roleStyles = {
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

  // Header, titles, tabs, hints.
  header: plain,
  header_title: uncolored('bold'),
  account: colored('blue', 'bold'),
  title: uncolored('bold'),
  title_idle: faint,
  section: faint,
  tab: faint,
  tab_active: uncolored('bold', 'underline'),
  separator: faint,
  hint: faint,
  hint_key: uncolored('bold'),
  key: uncolored('bold'),
  mode: colored('blue', 'bold'),
  dim: faint,
  disabled: faint,

  // Lists.
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

  // Messages.
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

  // The composer.
  prompt: colored('blue', 'bold'),
  destination: uncolored('bold'),
  destination_changed: {color: 'red', attributes: ['bold'], mono: ['bold', 'reverse']},
  placeholder: faint,
  selection: uncolored('reverse'),
  new_topic: coloredOrBold('green'),
  counter: faint,
  counter_over: colored('red', 'bold'),
  progress: coloredOrBold('blue'),

  // Overlays.
  overlay_border: faint,
  overlay_title: uncolored('bold'),
  menu_selected: uncolored('reverse'),
  matched: colored('blue', 'bold', 'underline'),

  // Notices.
  banner: colored('amber', 'bold'),
  toast: coloredOrBold('teal'),
  warning: colored('amber', 'bold'),
  error: colored('red', 'bold'),
  success: coloredOrBold('green'),

  // People.
  online: coloredOrBold('green'),
  idle: colored('amber'),
  offline: faint,
} satisfies Readonly<Record<TextRole, RoleStyle> & Record<string, RoleStyle>>;

/** The role of a piece of text on the screen, which the theme maps to a style: roles in messages, and all others. */
export type UiRole = keyof typeof roleStyles;

/** The roles of sender names. Each user always has the same one. */
export const senderRoles = Object.keys(roleStyles).filter((role): role is UiRole => /^sender_\d+$/.test(role));

/** Returns the role of a sender's name. Consecutive ids get different colours: users who joined together often chat together. */
export function senderRole(user: {readonly id: number; readonly isSelf?: boolean; readonly isBot?: boolean}): UiRole {
  if (user.isSelf) return 'sender_self';
  if (user.isBot) return 'sender_bot';
  return senderRoles[Math.abs(Math.trunc(user.id)) % senderRoles.length] ?? 'sender';
}

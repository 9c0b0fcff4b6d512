import type {ColorName} from './palette.ts';
import type {UiRole} from './roles.ts';

export type Attribute = 'bold' | 'italic' | 'underline' | 'reverse';

export interface RoleStyle {
  readonly color?: ColorName;
  readonly attributes: readonly Attribute[];
  /** The attributes where there are no colours. */
  readonly mono: readonly Attribute[];
}

const as = (...attributes: readonly Attribute[]): RoleStyle => ({attributes, mono: attributes});
const colored = (color: ColorName, ...attributes: readonly Attribute[]): RoleStyle => ({
  ...as(...attributes),
  color,
});
/** A colour by itself would be lost with the colours. */
const orBold = (color: ColorName): RoleStyle => ({color, attributes: [], mono: ['bold']});
const plain = as();
const faint = colored('faint');

/**
 * What each role looks like unless a theme says otherwise (`themes.ts`). Whatever a colour says is also said by a mark, a word or an
 * attribute: `@`, `[1]`, a bar, bold, reverse. Few things are coloured: what is one's own business (mentions, unread),
 * what leads elsewhere, what went wrong, and names, by which eyes find their way.
 */
export const roleStyles: Readonly<Record<UiRole, RoleStyle>> = {
  text: plain,
  heading: as('underline'),
  code: orBold('teal'),
  code_block: plain,
  quote_bar: faint,
  quote: faint,
  bullet: faint,
  rule: faint,
  link: colored('blue', 'underline'),
  link_number: faint,
  mention: orBold('blue'),
  self_mention: colored('amber', 'reverse'),
  silent_mention: as('bold'),
  channel_link: orBold('blue'),
  time: colored('teal'),
  emoji: plain,
  math: orBold('violet'),
  table_border: faint,
  table_header: plain,
  spoiler: orBold('violet'),
  chip: orBold('blue'),
  alert_word: as('reverse'),
  match: as('bold', 'reverse'),
  note: faint,
  code_keyword: orBold('violet'),
  code_string: colored('green'),
  code_comment: faint,
  code_number: colored('teal'),
  code_name: colored('blue'),
  code_type: colored('amber'),
  code_added: colored('green'),
  code_removed: colored('red'),

  header: plain,
  header_title: as('bold'),
  account: colored('blue', 'bold'),
  title: as('bold'),
  title_idle: faint,
  section: faint,
  tab: faint,
  tab_active: as('bold', 'underline'),
  separator: faint,
  scrollbar: faint,
  hint: faint,
  hint_key: as('bold'),
  key: as('bold'),
  mode: colored('blue', 'bold'),
  dim: faint,
  disabled: faint,

  cursor_bar: colored('blue', 'bold'),
  cursor_bar_idle: faint,
  selected: as('bold'),
  marked: colored('violet', 'bold'),
  unread: as('bold'),
  unread_count: colored('teal', 'bold'),
  mention_count: colored('amber', 'bold'),
  channel: plain,
  topic: plain,
  resolved: faint,
  followed: orBold('teal'),
  muted: faint,
  draft: orBold('amber'),
  age: faint,

  unread_separator: colored('teal', 'bold'),
  date_separator: faint,
  sender: as('bold'),
  sender_1: colored('teal', 'bold'),
  sender_2: colored('violet', 'bold'),
  sender_3: colored('green', 'bold'),
  sender_4: colored('blue', 'bold'),
  sender_5: colored('rose', 'bold'),
  sender_6: colored('amber', 'bold'),
  sender_self: as('bold'),
  sender_bot: faint,
  time_stamp: faint,
  reaction: faint,
  reaction_own: colored('blue', 'bold'),
  star: orBold('amber'),
  edited: faint,
  pending: colored('faint', 'italic'),
  failed: colored('red', 'bold'),
  typing: colored('faint', 'italic'),

  prompt: colored('blue', 'bold'),
  destination: as('bold'),
  destination_changed: {color: 'red', attributes: ['bold'], mono: ['bold', 'reverse']},
  placeholder: faint,
  selection: as('reverse'),
  new_topic: orBold('green'),
  counter: faint,
  counter_over: colored('red', 'bold'),
  progress: orBold('blue'),

  overlay_border: faint,
  overlay_title: as('bold'),
  menu_selected: as('reverse'),
  matched: colored('blue', 'bold', 'underline'),

  banner: colored('amber', 'bold'),
  toast: orBold('teal'),
  warning: colored('amber', 'bold'),
  error: colored('red', 'bold'),
  success: orBold('green'),

  online: orBold('green'),
  idle: colored('amber'),
  offline: faint,
};

import type {TextRole} from '#content/styled-text/line.ts';

/** The role of a piece of text on the screen, which the theme maps to a style: roles in messages, and all others. */
export type UiRole =
  | TextRole
  // Header, titles, tabs, hints.
  | 'header'
  | 'header_title'
  | 'account'
  | 'title'
  | 'title_idle'
  | 'section'
  | 'tab'
  | 'tab_active'
  | 'separator'
  | 'scrollbar'
  | 'hint'
  | 'hint_key'
  | 'key'
  | 'mode'
  | 'dim'
  | 'disabled'
  // Lists.
  | 'cursor_bar'
  | 'cursor_bar_idle'
  | 'selected'
  | 'marked'
  | 'unread'
  | 'unread_count'
  | 'mention_count'
  | 'channel'
  | 'topic'
  | 'resolved'
  | 'followed'
  | 'muted'
  | 'draft'
  | 'age'
  // Messages.
  | 'unread_separator'
  | 'date_separator'
  | 'sender'
  | SenderRole
  | 'sender_self'
  | 'sender_bot'
  | 'time_stamp'
  | 'reaction'
  | 'reaction_own'
  | 'star'
  | 'edited'
  | 'pending'
  | 'failed'
  | 'typing'
  // The composer.
  | 'prompt'
  | 'destination'
  | 'destination_changed'
  | 'placeholder'
  | 'selection'
  | 'new_topic'
  | 'counter'
  | 'counter_over'
  | 'progress'
  // Overlays.
  | 'overlay_border'
  | 'overlay_title'
  | 'menu_selected'
  | 'matched'
  // Notices.
  | 'banner'
  | 'toast'
  | 'warning'
  | 'error'
  | 'success'
  // People.
  | 'online'
  | 'idle'
  | 'offline';

/** The roles of sender names. Each user always has the same one. */
export type SenderRole = (typeof senderRoles)[number];
export const senderRoles = [
  'sender_1',
  'sender_2',
  'sender_3',
  'sender_4',
  'sender_5',
  'sender_6',
  'sender_7',
  'sender_8',
  'sender_9',
  'sender_10',
  'sender_11',
  'sender_12',
] as const;

export interface NamedSender {
  readonly id: number;
  readonly isSelf?: boolean;
  readonly isBot?: boolean;
}

/** Returns the role of a sender's name. Consecutive ids get different colours: users who joined together often chat together. */
export function senderRole({id, isSelf = false, isBot = false}: NamedSender): UiRole {
  if (isSelf) return 'sender_self';
  if (isBot) return 'sender_bot';
  return senderRoles[Math.abs(Math.trunc(id)) % senderRoles.length] ?? 'sender';
}

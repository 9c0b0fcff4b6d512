import type {UserRow} from '#server/db/rows.ts';
import {Role} from '#server/permissions/system-groups.ts';

/**
 * The user row of a visitor without an account. No user has its id and it has no subscriptions, so that only web-public
 * channels are visible.
 */
export const spectator: UserRow = {
  id: -1,
  delivery_email: '',
  email_key: '',
  full_name: '',
  role: Role.guest,
  is_active: 1,
  is_bot: 0,
  bot_type: null,
  bot_owner_id: null,
  is_system_bot: 0,
  timezone: '',
  avatar_source: 'G',
  avatar_version: 1,
  avatar_file: null,
  joined_at: 0,
  awaits_login: 0,
  is_imported_stub: 0,
  is_deleted: 0,
  password_hash: null,
  key_generation: 0,
  settings: '{}',
  video_token: 0,
};

/** The fetch types that a visitor without an account gets: those that contain no user data. */
export const spectatorFetchTypes: ReadonlySet<string> = new Set([
  'realm',
  'realm_emoji',
  'realm_linkifiers',
  'realm_playgrounds',
  'subscription',
  'stream',
  'channel_folders',
  'user_settings',
  'stop_words',
]);

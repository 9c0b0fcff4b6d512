/** The rows of the main tables as SQLite returns them: booleans are 0/1, JSON columns are text. */

export interface UserRow {
  readonly id: number;
  readonly delivery_email: string;
  readonly email_key: string;
  readonly full_name: string;
  readonly role: number;
  readonly is_active: number;
  readonly is_bot: number;
  readonly bot_type: number | null;
  readonly bot_owner_id: number | null;
  readonly is_system_bot: number;
  readonly timezone: string;
  readonly avatar_source: string;
  readonly avatar_version: number;
  readonly avatar_file: string | null;
  readonly joined_at: number;
  readonly awaits_login: number;
  readonly is_imported_stub: number;
  readonly is_deleted: number;
  readonly password_hash: string | null;
  readonly key_generation: number;
  readonly settings: string;
  readonly video_token: number;
}

export interface ChannelRow {
  readonly id: number;
  readonly name: string;
  readonly name_key: string;
  readonly description: string;
  readonly created_at: number;
  readonly creator_id: number | null;
  readonly invite_only: number;
  readonly is_web_public: number;
  readonly history_public_to_subscribers: number;
  readonly is_archived: number;
  readonly is_default: number;
  readonly folder_id: number | null;
  readonly message_retention_days: number | null;
  readonly topics_policy: string;
  readonly default_push_notifications: number;
  readonly first_message_id: number | null;
  readonly last_message_at: number | null;
  readonly subscriber_count: number;
  readonly permissions: string;
}

export interface SubscriptionRow {
  readonly user_id: number;
  readonly channel_id: number;
  readonly active: number;
  readonly color: string;
  readonly is_muted: number;
  readonly pin_to_top: number;
  readonly desktop_notifications: number | null;
  readonly audible_notifications: number | null;
  readonly push_notifications: number | null;
  readonly email_notifications: number | null;
  readonly wildcard_mentions_notify: number | null;
  /** The first message that can be unread without a row (see `unread-messages.ts`). */
  readonly unread_since: number;
}

export interface MessageRow {
  readonly id: number;
  readonly sender_id: number;
  readonly channel_id: number | null;
  readonly dm_id: number | null;
  readonly topic: string;
  readonly topic_key: string;
  readonly content: string;
  readonly sent_at: number;
  readonly client: string;
  readonly traits: number;
  /** 1 if the message is unread for the subscribers without a row (see `unread-messages.ts`). */
  readonly unread_by_default: number;
  readonly edit_history: string | null;
  readonly last_edit_at: number | null;
  readonly last_moved_at: number | null;
}

/** The bits of `user_message.flags`. */
export const Flag = {
  unread: 1,
  starred: 2,
  collapsed: 4,
  mentioned: 8,
  channelWildcard: 16,
  topicWildcard: 32,
  alertWord: 64,
  mentionedByName: 128,
  /** The user did not receive the message; their star or reaction made it one of theirs. */
  historical: 256,
} as const;

/** The bits of `message.traits`. */
export const Trait = {
  link: 1,
  image: 2,
  attachment: 4,
  me: 8,
  channelWildcard: 16,
  topicWildcard: 32,
  /** An imported notice, in any language, that its topic was marked as resolved or unresolved. */
  resolutionNotice: 64,
} as const;

/** Returns the form in which names, topics and e-mail addresses are compared. */
export function fold(text: string): string {
  return text.toLowerCase();
}

/** Ids of users, channels or messages. */
export type Ids = readonly number[];
export type IdSet = ReadonlySet<number>;

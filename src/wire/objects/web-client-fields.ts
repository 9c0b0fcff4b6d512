import {levels} from '#wire/levels.ts';
import {fieldsOf, type Infer, int, nullableInt, nullableText, object, s} from '#wire/schema.ts';
import {groupSetting} from './group.ts';

/** A data export that an administrator requested. */
export const dataExport = object({
  id: int,
  acting_user_id: int,
  export_time: s.number(),
  deleted_timestamp: nullableInt,
  failed_timestamp: nullableInt,
  export_url: nullableText,
  pending: s.boolean(),
  /** A number on older servers; the oldest export public data only. */
  export_type: s.optional(s.union([s.string(), int])),
  /** Whether it was made before the organization moved to this server. */
  export_from_prior_server: s.optional(s.boolean()),
});
/** From this level on, requests name the type of an export. */
export const namedExportTypes = {since: levels.exportTypeNames};
export type WireDataExport = Infer<typeof dataExport>;

/** The events that Zulip's web application reads and this client does not request. */
export type WebClientEvent =
  | {type: 'device'; op: 'add' | 'remove'; device_id: number}
  | {type: 'onboarding_steps'; onboarding_steps: {type: string; name: string}[]}
  | {type: 'realm_export'; exports: WireDataExport[]}
  | {type: 'realm_export_consent'; user_id: number; consented: boolean}
  | {type: 'realm_user_settings_defaults'; op: 'update'; property: string; value: unknown};

/** Those that are on or off, of all servers. */
export const webClientFlagLevels = {
  digest_emails_enabled: 0,
  message_content_allowed_in_email_notifications: 0,
  require_e2ee_push_notifications: 0,
  send_channel_events_messages: 0,
  send_welcome_emails: 0,
  want_advertise_in_communities_directory: 0,
};

/** The organization's settings that Zulip's web application reads and this client does not, without the prefix `realm_`. */
export const webClientSettings = {
  ...fieldsOf(webClientFlagLevels, s.boolean()),
  can_manage_billing_group: groupSetting,
  can_summarize_topics_group: groupSetting,
  digest_weekday: int,
  gif_rating_policy: int,
  media_preview_size: int,
  org_type: int,
  welcome_message_custom_text: s.string(),
  zulip_update_announcements_stream_id: int,
};

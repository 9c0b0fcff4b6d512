import {
  alias,
  endpoint,
  flag,
  json,
  limitedText,
  number,
  optional,
  optionalParams,
  quoted,
  raw,
  since,
  text,
  until,
} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {groupSettingChange} from '#wire/objects/group-setting.ts';
import {realmFlagLevels, realmGroupSettingLevels, realmProperties} from '#wire/objects/realm.ts';
import {webClientFlagLevels, webClientSettings} from '#wire/objects/web-client-fields.ts';
import {int, nat, object, s} from '#wire/schema.ts';

// The string is `unlimited`.
const limit = optional(json(s.union([int, s.string()])));

/** A number of a list, which the sentence about another number names. */
function oneOf(...values: readonly number[]) {
  const text = `Invalid {at}: Input should be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
  return json(
    s.pipe(
      int,
      s.check((value) => values.includes(value), text),
    ),
  );
}

/** Changes settings of the organization. */
export const updateRealm = endpoint('realm.update', 'PATCH /realm', {
  params: {
    ...optionalParams(realmGroupSettingLevels, groupSettingChange),
    ...optionalParams({...realmFlagLevels, ...webClientFlagLevels}, s.boolean()),
    name: optional(limitedText(40)),
    description: optional(limitedText(1000)),
    default_language: optional(text),
    authentication_methods: optional(json(s.record(s.string(), s.unknown()))),
    string_id: optional(limitedText(40)),
    topics_policy: since(levels.topicsPolicy, optional(raw(s.picklist(['allow_empty_topic', 'disable_empty_topic'])))),
    mandatory_topics: until(levels.topicsPolicy, optional(flag)),
    message_content_edit_limit_seconds: limit,
    message_content_delete_limit_seconds: limit,
    move_messages_within_stream_limit_seconds: since(levels.moveLimits, limit),
    move_messages_between_streams_limit_seconds: since(levels.moveLimits, limit),
    message_edit_history_visibility_policy: since(
      levels.historyVisibility,
      optional(raw(s.picklist(['all', 'moves', 'none']))),
    ),
    allow_edit_history: until(levels.historyVisibility, optional(flag)),
    waiting_period_threshold: optional(json(nat)),
    message_retention_days: limit,
    default_code_block_language: optional(text),
    video_chat_provider: optional(number),
    jitsi_server_url: since(levels.jitsiUrls, optional(quoted(s.string()))),
    new_stream_announcements_stream_id: alias(
      since(levels.announcementNames, optional(number)),
      'notifications_stream_id',
    ),
    signup_announcements_stream_id: alias(
      since(levels.announcementNames, optional(number)),
      'signup_notifications_stream_id',
    ),
    moderation_request_channel_id: since(levels.moderationRequests, optional(number)),
    zulip_update_announcements_stream_id: optional(number),
    org_type: optional(oneOf(0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000)),
    can_manage_billing_group: optional(json(groupSettingChange)),
    can_summarize_topics_group: optional(json(groupSettingChange)),
    digest_weekday: optional(oneOf(0, 1, 2, 3, 4, 5, 6)),
    gif_rating_policy: optional(number),
    media_preview_size: optional(number),
    welcome_message_custom_text: optional(limitedText(8000)),
  },
  // The changed settings. Zulip's servers send the numbers of these two policies here, and their names elsewhere.
  result: object(
    {},
    {
      ...realmProperties,
      ...webClientSettings,
      message_edit_history_visibility_policy: s.union([s.string(), int]),
      topics_policy: s.union([s.string(), int]),
      authentication_methods: s.record(s.string(), s.unknown()),
    },
  ),
});

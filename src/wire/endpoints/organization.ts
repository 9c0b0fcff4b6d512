import {
  alias,
  endpoint,
  fallback,
  flag,
  ids,
  json,
  limitedText,
  loose,
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
import {groupSettingChange} from '#wire/objects/group.ts';
import {domain, emojiTable, linkifier} from '#wire/objects/organization.ts';
import {realmFlagLevels, realmGroupSettingLevels, realmProperties} from '#wire/objects/realm.ts';
import {
  botDefaults,
  botType,
  botTypes,
  invite,
  inviteLink,
  knownRole,
  ownedBot,
  profileField,
  roles,
} from '#wire/objects/user.ts';
import {dataExport, webClientFlagLevels, webClientSettings} from '#wire/objects/web-client-fields.ts';
import {int, nat, nullableInt, nullableText, object, s, strings} from '#wire/schema.ts';

// An empty text resets the value to null.
const linkifierParams = {
  pattern: text,
  url_template: alias(since(levels.linkifierTemplates, text), 'url_format_string'),
  example_input: since(levels.reverseLinkifiers, optional(text)),
  reverse_template: since(levels.reverseLinkifiers, optional(text)),
  alternative_url_templates: since(levels.alternativeTemplates, optional(json(strings))),
};

export const getLinkifiers = endpoint('linkifier.list', 'GET /realm/linkifiers', {
  result: object({linkifiers: s.array(linkifier)}),
});

export const addLinkifier = endpoint('linkifier.add', 'POST /realm/filters', {
  params: linkifierParams,
  result: object({id: int}),
});

export const updateLinkifier = endpoint('linkifier.update', 'PATCH /realm/filters/{filter_id}', {
  params: {...linkifierParams},
});

export const removeLinkifier = endpoint('linkifier.remove', 'DELETE /realm/filters/{filter_id}');

/** Reorders the linkifiers; the list contains the ids of all of them. */
export const reorderLinkifiers = endpoint('linkifier.reorder', 'PATCH /realm/linkifiers', {
  since: levels.reorderLinkifiers,
  params: {ordered_linkifier_ids: ids},
});

export const getDomains = endpoint('domain.list', 'GET /realm/domains', {
  result: object({domains: s.array(domain)}),
});

export const addDomain = endpoint('domain.add', 'POST /realm/domains', {
  params: {domain: text, allow_subdomains: flag},
  result: object({new_domain: s.tuple([int, s.string()])}),
});

export const updateDomain = endpoint('domain.update', 'PATCH /realm/domains/{domain}', {
  params: {allow_subdomains: flag},
});

export const removeDomain = endpoint('domain.remove', 'DELETE /realm/domains/{domain}');

const fieldParams = {
  hint: optional(text),
  field_data: optional(json(s.record(s.string(), s.unknown()))),
  display_in_profile_summary: since(levels.profileSummary, optional(flag)),
  required: since(levels.requiredField, optional(flag)),
  editable_by_user: since(levels.editableField, optional(flag)),
  use_for_user_matching: since(levels.fieldMatching, optional(flag)),
};

export const getProfileFields = endpoint('profile-field.list', 'GET /realm/profile_fields', {
  result: object({custom_fields: s.array(profileField)}),
});

/** Creates a profile field. The name is optional only for an external account with a default name. */
export const createProfileField = endpoint('profile-field.create', 'POST /realm/profile_fields', {
  params: {name: fallback(text, ''), field_type: number, ...fieldParams},
  result: object({id: int}),
});

export const reorderProfileFields = endpoint('profile-field.reorder', 'PATCH /realm/profile_fields', {
  params: {order: ids},
});

export const updateProfileField = endpoint('profile-field.update', 'PATCH /realm/profile_fields/{field_id}', {
  params: {name: optional(text), ...fieldParams},
});

export const removeProfileField = endpoint('profile-field.remove', 'DELETE /realm/profile_fields/{field_id}');

export const getEmoji = endpoint('emoji.list', 'GET /realm/emoji', {result: object({emoji: emojiTable})});

export const addEmoji = endpoint('emoji.add', 'POST /realm/emoji/{emoji_name}', {
  upload: true,
});

export const removeEmoji = endpoint('emoji.remove', 'DELETE /realm/emoji/{emoji_name}');

const apiKey = object({api_key: s.string()});
const config = optional(json(s.record(s.string(), s.string())));

const defaults = {
  default_sending_stream: optional(text),
  default_events_register_stream: optional(text),
  default_all_public_streams: optional(flag),
};

export const getBots = endpoint('bot.list', 'GET /bots', {result: object({bots: s.array(ownedBot)})});

export const createBot = endpoint('bot.create', 'POST /bots', {
  params: {
    full_name: text,
    short_name: text,
    bot_type: fallback(json(botType), botTypes.generic),
    payload_url: optional(quoted(s.string())),
    service_name: optional(text),
    interface_type: optional(number),
    config_data: config,
    ...defaults,
  },
  result: object({user_id: int, api_key: s.string()}, botDefaults),
});

/** Changes a bot. The body may be multipart, with a file that is the bot's picture. */
export const updateBot = endpoint('bot.update', 'PATCH /bots/{bot_id}', {
  upload: true,
  params: {
    full_name: optional(text),
    role: optional(json(knownRole)),
    bot_owner_id: optional(number),
    service_payload_url: optional(quoted(s.string())),
    service_interface: optional(number),
    config_data: config,
    ...defaults,
  },
  result: object(
    {},
    {
      full_name: s.string(),
      bot_owner: s.string(),
      service_interface: int,
      service_payload_url: nullableText,
      config_data: s.unknown(),
      ...botDefaults,
    },
  ),
});

export const deactivateBot = endpoint('bot.deactivate', 'DELETE /bots/{bot_id}');

export const getBotApiKey = endpoint('bot.key', 'GET /bots/{bot_id}/api_key', {
  since: levels.botApiKey,
  result: apiKey,
});

export const regenerateBotApiKey = endpoint('bot.regenerate-key', 'POST /bots/{bot_id}/api_key/regenerate', {
  result: apiKey,
});

const params = {
  invite_expires_in_minutes: optional(json(nullableInt)),
  invite_as: fallback(json(knownRole), roles.member),
  group_ids: since(levels.inviteToGroups, optional(ids)),
  include_realm_default_subscriptions: since(levels.inviteToDefaultChannels, fallback(flag, false)),
  welcome_message_custom_text: since(levels.welcomeMessage, optional(limitedText(8000))),
};

export const getInvites = endpoint('invite.list', 'GET /invites', {
  result: object({invites: s.array(invite)}),
});

/** Sends invitations; the e-mail addresses are separated by commas or newlines. */
export const sendInvites = endpoint('invite.send', 'POST /invites', {
  params: {
    invitee_emails: text,
    stream_ids: ids,
    notify_referrer_on_join: since(levels.notifyReferrer, fallback(flag, true)),
    ...params,
  },
  // Only the embedded server, which sends no mail, has it.
  result: object({}, {invite_links: s.array(inviteLink)}),
});

export const createInviteLink = endpoint('invite.create-link', 'POST /invites/multiuse', {
  params: {stream_ids: fallback(ids, []), ...params},
  result: object({invite_link: s.string()}),
});

export const revokeInvite = endpoint('invite.revoke', 'DELETE /invites/{invite_id}');

export const revokeInviteLink = endpoint('invite.revoke-link', 'DELETE /invites/multiuse/{invite_id}');

export const resendInvite = endpoint('invite.resend', 'POST /invites/{invite_id}/resend', {
  // Only the embedded server, which sends no mail, has the link; it is null for others than the inviter.
  result: object({}, {timestamp: int, invite_link: s.nullable(s.string())}),
});

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
    topics_policy: since(
      levels.topicsPolicy,
      optional(loose(s.picklist(['allow_empty_topic', 'disable_empty_topic']))),
    ),
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
    default_code_block_language: optional(loose(s.string())),
    video_chat_provider: optional(number),
    jitsi_server_url: since(levels.jitsiUrls, optional(json(s.string()))),
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

const icon = object({icon_url: s.string()});

/**
 * What was changed in the organization, the newest first: who (null is the operator of the server), when, which endpoint, the
 * ids in its path and the names of its parameters. Only Parley's server has it.
 */
export const getAdministrationLog = endpoint('administration.list', 'GET /parley/administration_log', {
  params: {before: optional(number)},
  result: object({
    entries: s.array(
      object({
        id: int,
        user_id: nullableInt,
        time: int,
        action: s.string(),
        target: s.record(s.string(), int),
        fields: strings,
        /** The old and the new value, by name. Texts are left out. */
        changes: s.optional(s.record(s.string(), s.array(s.unknown()))),
      }),
    ),
    found_oldest: s.boolean(),
  }),
});

export const getExports = endpoint('export.list', 'GET /export/realm', {
  result: object({exports: s.array(dataExport)}),
});

export const requestExport = endpoint('export.request', 'POST /export/realm', {
  params: {export_type: since(levels.exportTypes, fallback(text, 'public'))},
  /** Older servers do not say the id. */
  result: object({id: s.optional(int)}),
});

export const deleteExport = endpoint('export.delete', 'DELETE /export/realm/{export_id}');

export const uploadIcon = endpoint('realm.upload-icon', 'POST /realm/icon', {upload: true, result: icon});

export const removeIcon = endpoint('realm.remove-icon', 'DELETE /realm/icon', {result: icon});

export const deactivateRealm = endpoint('realm.deactivate', 'POST /realm/deactivate', {
  params: {deletion_delay_days: since(levels.deletionDelay, optional(json(nullableInt)))},
});

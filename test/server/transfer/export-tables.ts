/**
 * What Zulip's importer needs of each table, as words: a key, then `!` if it may be null, `@` for a time, `#` for a whole
 * number of 32 bits and `##` for one of 16, `>table` for a row that must exist, `<N` for the most characters. Keys in `may`
 * can be left out; a key in neither list ends an import.
 */
interface TableRule {
  readonly must: string;
  readonly may?: string;
  /** The keys that no two rows share: `~` after a key ignores case, and `unless key` leaves out rows where it is true. */
  readonly unique?: readonly string[];
  /** Whether the table can be left out. */
  readonly isOptional?: true;
  /** Whether rows have no id of their own. */
  readonly hasNoIds?: true;
}

const realmGroups = `can_access_all_users_group can_add_custom_emoji_group can_add_subscribers_group can_create_bots_group
  can_create_groups can_create_private_channel_group can_create_public_channel_group can_create_web_public_channel_group
  can_create_write_only_bots_group can_delete_any_message_group can_delete_own_message_group can_invite_users_group
  can_manage_all_groups can_manage_billing_group can_mention_many_users_group can_move_messages_between_channels_group
  can_move_messages_between_topics_group can_resolve_topics_group can_set_delete_message_policy_group
  can_set_topics_policy_group can_summarize_topics_group create_multiuse_invite_group direct_message_initiator_group
  direct_message_permission_group workplace_users_group`;
const channelGroups = `can_add_subscribers_group can_administer_channel_group can_create_topic_group
  can_delete_any_message_group can_delete_own_message_group can_move_messages_out_of_channel_group
  can_move_messages_within_channel_group can_remove_subscribers_group can_resolve_topics_group can_send_message_group
  can_subscribe_group`;
const groupGroups = `can_add_members_group can_join_group can_leave_group can_manage_group can_mention_group
  can_remove_members_group`;

const groupIds = (names: string) => names.replaceAll(/\w+/g, '$&>usergroup');

/** The personal settings, which are columns of a person. */
const userSettings = `allow_private_data_export automatically_follow_topics_policy## automatically_follow_topics_where_mentioned
  automatically_unmute_topics_in_muted_streams_policy## color_scheme## default_language demote_inactive_streams##
  desktop_icon_count_display## display_emoji_reaction_users email_address_visibility##
  email_notifications_batching_period_seconds# emojiset enable_desktop_notifications enable_digest_emails
  enable_drafts_synchronization enable_followed_topic_audible_notifications enable_followed_topic_desktop_notifications
  enable_followed_topic_email_notifications enable_followed_topic_push_notifications
  enable_followed_topic_wildcard_mentions_notify enable_login_emails enable_marketing_emails
  enable_offline_email_notifications enable_offline_push_notifications enable_online_push_notifications enable_sounds
  enable_stream_audible_notifications enable_stream_desktop_notifications enable_stream_email_notifications
  enable_stream_push_notifications enter_sends fluid_layout_width hide_ai_features high_contrast_mode left_side_userlist
  message_content_in_email_notifications notification_sound pm_content_in_desktop_notifications presence_enabled
  realm_name_in_email_notifications_policy## receives_typing_notifications resolved_topic_notice_auto_read_policy##
  send_private_typing_notifications send_read_receipts send_stream_typing_notifications starred_message_counts
  twenty_four_hour_time! user_list_style## web_animate_image_previews web_channel_default_view##
  web_escape_navigates_to_home_view web_font_size_px## web_home_view web_inbox_show_channel_folders
  web_left_sidebar_show_channel_folders web_left_sidebar_unreads_count_summary web_line_height_percent##
  web_mark_read_on_scroll_policy## web_navigate_to_sent_message web_stream_unreads_count_display_policy##
  web_suggest_update_timezone wildcard_mentions_notify`;

export const tableRules: Readonly<Record<string, TableRule>> = {
  realm: {
    must: `date_created@ deactivated push_notifications_enabled_end_timestamp!@ scheduled_deletion_date!@
      demo_organization_scheduled_deletion_date!@ moderation_request_channel!>stream
      new_stream_announcements_stream!>stream signup_announcements_stream!>stream
      zulip_update_announcements_stream!>stream zulip_update_announcements_level# description<1000 default_language<50 topics_policy##
      message_edit_history_visibility_policy## require_e2ee_push_notifications emails_restricted_to_domains
      invite_required disallow_disposable_email_addresses enable_spectator_access
      want_advertise_in_communities_directory inline_image_preview inline_url_embed_preview media_preview_size##
      digest_emails_enabled digest_weekday## send_channel_events_messages send_welcome_emails
      message_content_allowed_in_email_notifications require_unique_names name_changes_disabled email_changes_disabled
      avatar_changes_disabled welcome_message_custom_text move_messages_within_stream_limit_seconds!#
      move_messages_between_streams_limit_seconds!# waiting_period_threshold#
      message_content_delete_limit_seconds!# allow_message_editing message_content_edit_limit_seconds!#
      message_retention_days# org_type## jitsi_server_url!<200 gif_rating_policy## default_code_block_language
      enable_read_receipts enable_guest_user_indicator enable_guest_user_dm_warning ${groupIds(realmGroups)}`,
    may: `name uuid string_id rendered_description rendered_description_version! uuid_owner_secret
      push_notifications_enabled deactivated_redirect! _max_invites! owner_full_content_access
      message_visibility_limit! first_visible_message_id plan_type##
      custom_upload_quota_gb! video_chat_provider## default_avatar_source icon_source icon_version## logo_source
      logo_version## night_logo_source night_logo_version##`,
  },
  userprofile: {
    must: `realm>realm email delivery_email role## is_active date_joined@ last_login!@ last_reminder!@
      bot_owner!>userprofile default_sending_stream!>stream default_events_register_stream!>stream
      last_active_message_id! is_staff can_forge_sender can_create_users can_change_user_emails rate_limits
      user_permissions groups full_name<100 is_bot translate_emoticons`,
    may: `bot_type!## timezone<40 avatar_source<1 avatar_version## default_all_public_streams is_deleted is_imported_stub
      is_mirror_dummy is_superuser long_term_idle avatar_hash! third_party_api_state tos_version! ${userSettings}`,
    unique: ['email~', 'delivery_email~'],
  },
  userprofile_mirrordummy: {must: 'realm>realm'},
  userprofile_crossrealm: {must: 'email', may: 'recipient_id!'},
  client: {must: 'name<30', unique: ['name']},
  channelfolder: {
    must: 'realm>realm date_created@ creator!>user',
    may: 'name<60 description<1024 rendered_description order# is_archived',
    isOptional: true,
    unique: ['name~ unless is_archived'],
  },
  stream: {
    must: `realm>realm name<60 date_created@ creator!>user folder!>channelfolder ${groupIds(channelGroups)}`,
    may: `description<1024 deactivated invite_only history_public_to_subscribers is_web_public message_retention_days!#
      topics_policy## default_push_notifications first_message_id! is_recently_active recipient>recipient
      rendered_description subscriber_count#`,
    unique: ['name~'],
  },
  defaultstream: {must: 'realm>realm stream>stream', unique: ['stream']},
  recipient: {must: 'type## type_id', unique: ['type type_id']},
  huddle: {must: 'group_size#', may: 'huddle_hash recipient>recipient'},
  subscription: {
    must: 'user_profile>user recipient>recipient',
    may: `active is_user_active is_muted color<10 pin_to_top desktop_notifications! audible_notifications!
      push_notifications! email_notifications! wildcard_mentions_notify!`,
    unique: ['user_profile recipient'],
  },
  reaction: {
    must: 'user_profile>user message>message emoji_name emoji_code reaction_type',
    unique: ['user_profile message reaction_type emoji_code'],
  },
  realmemoji: {
    must: 'realm>realm author>userprofile name file_name',
    may: 'deactivated is_animated',
    unique: ['name unless deactivated'],
  },
  realmauthenticationmethod: {must: 'realm>realm name', unique: ['name']},
  realmdomain: {must: 'realm>realm', may: 'domain<80 allow_subdomains', unique: ['domain']},
  realmfilter: {
    must: 'realm>realm',
    may: 'pattern url_template example_input! reverse_template! alternative_url_templates order#',
    unique: ['pattern'],
  },
  realmplayground: {
    must: 'realm>realm',
    may: 'name pygments_language<40 url_template',
    unique: ['pygments_language name'],
  },
  customprofilefield: {
    must: 'realm>realm field_type##',
    may: `name<40 hint<80 order# field_data display_in_profile_summary required editable_by_user
      use_for_user_matching`,
    unique: ['name'],
  },
  customprofilefieldvalue: {
    must: 'user_profile>user field>customprofilefield',
    may: 'value rendered_value!',
    unique: ['user_profile field'],
  },
  userpresence: {
    must: 'user_profile>user realm>realm last_connected_time!@ last_active_time!@',
    may: 'last_update_id#',
    unique: ['user_profile'],
  },
  useractivity: {must: 'user_profile>user', may: 'client query count# last_visit@'},
  useractivityinterval: {must: 'user_profile>user', may: 'start@ end@'},
  usergroup: {must: 'realm>realm', isOptional: true},
  namedusergroup: {
    must: `usergroup_ptr>usergroup realm_for_sharding>realm name<100 description<1024 is_system_group date_created!@
      creator!>user deactivated ${groupIds(groupGroups)}`,
    isOptional: true,
    unique: ['name~'],
  },
  usergroupmembership: {
    must: 'user_group>usergroup user_profile>user',
    isOptional: true,
    unique: ['user_group user_profile'],
  },
  groupgroupmembership: {
    must: 'supergroup>usergroup subgroup>usergroup',
    isOptional: true,
    unique: ['supergroup subgroup'],
  },
  submessage: {must: 'sender>user message>message', may: 'msg_type content', isOptional: true},
  usertopic: {
    must: 'user_profile>user stream>stream recipient>recipient last_updated@',
    may: 'topic_name<60 visibility_policy##',
    isOptional: true,
    unique: ['user_profile stream topic_name~'],
  },
  muteduser: {
    must: 'user_profile>user muted_user>user date_muted@',
    isOptional: true,
    unique: ['user_profile muted_user'],
  },
  alertword: {must: 'user_profile>user realm>realm', may: 'word<100', isOptional: true, unique: ['user_profile word']},
  savedsnippet: {
    must: 'user_profile>user realm>realm date_created@',
    may: 'title<60 content<10000',
    isOptional: true,
  },
  navigationview: {must: 'user>user', may: 'fragment is_pinned name!', isOptional: true, unique: ['user fragment']},
  userstatus: {
    must: 'user_profile>user client>client timestamp@ reaction_type',
    may: 'status_text<255 emoji_name emoji_code',
    isOptional: true,
    unique: ['user_profile'],
  },
  scheduledmessage: {
    must: `sender>user recipient>recipient stream!>stream realm>realm sending_client>client rendered_content
      scheduled_timestamp@ request_timestamp@ read_by_sender delivered_message! has_attachment`,
    may: `subject<60 content<10000 delivery_type## reminder_target_message_id! reminder_note! failed failure_message!
      delivered`,
    isOptional: true,
  },
  botstoragedata: {must: 'bot_profile>userprofile', may: 'key value', isOptional: true, unique: ['bot_profile key']},
  onboardingstep: {
    must: 'user>userprofile timestamp@',
    may: 'onboarding_step<40',
    isOptional: true,
    unique: ['user onboarding_step'],
  },
  realmuserdefault: {
    must: 'realm>realm',
    may: `translate_emoticons ${userSettings}`,
    isOptional: true,
    unique: ['realm'],
  },
  service: {must: 'user_profile>user', may: 'name base_url token interface##', isOptional: true},
  message: {
    must: `sender>user recipient>recipient realm>realm content<10000 rendered_content! date_sent@ last_edit_time!@
      sending_client>client has_attachment subject<60 is_channel_message`,
    may: 'has_link has_image edit_history! rendered_content_version!# type## search_tsvector',
  },
  usermessage: {must: 'user_profile>userprofile message>message flags_mask#', may: 'id', hasNoIds: true},
  attachment: {
    must: `file_name path_id owner>user realm>realm create_time@ size# content_type! messages scheduled_messages`,
    may: 'is_realm_public! is_web_public!',
    unique: ['path_id'],
  },
};

/** The tables of a real export that the importer does not need, and that are not checked. */
export const otherTables: readonly string[] = [
  'presencesequence',
  'realmauditlog',
  'realmexport',
  'onboardingusermessage',
  'botconfigdata',
  'externalauthid',
];

/** The required keys of the lists of files, by folder. */
export const recordRules: Readonly<Record<string, string>> = {
  uploads: 'realm_id user_profile_id path s3_path',
  avatars: 'realm_id user_profile_id avatar_version path s3_path',
  emoji: 'realm_id path s3_path file_name',
  realm_icons: 'realm_id path s3_path',
};

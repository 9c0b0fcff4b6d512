/**
 * The feature levels that this program compares, by name; those that only introduced a setting are in the tables of the
 * settings. A server of level N has everything introduced at N or below, so compare with `>=`.
 *
 * Each comment says what the level introduced and, where a client must behave differently below it, how.
 *
 * It is one long table on purpose: in the order of the levels it can be compared with Zulip's list of API changes, and most
 * levels concern several areas.
 */
export const levels = {
  /** Drafts are stored on the server. */
  drafts: 87,
  /** Groups have subgroups. */
  subgroups: 127,
  /** `GET /streams/{id}`. */
  getChannel: 132,
  /** Read receipts. */
  readReceipts: 137,
  /** Null means no edit limit; before: 0. */
  editLimitNull: 138,
  /** Only owners change allowed domains; before: administrators. */
  domainsByOwners: 143,
  /** Profile fields have `display_in_profile_summary`. */
  profileSummary: 146,
  /** `presence_enabled` replaces `away`. */
  invisibleMode: 148,
  /** Profile fields of type pronouns. */
  pronounsField: 151,
  /** Moving messages notifies only on request; before: by default. */
  moveNoticesOptIn: 152,
  /** `POST /messages/flags/narrow` and `include_anchor`; before: the `mark_*_as_read` endpoints. */
  narrowFlags: 155,
  /** Time limits for moving messages. */
  moveLimits: 162,
  /** Each user chooses who sees their e-mail address; before: the organization. */
  emailVisibilitySetting: 163,
  /** `ignored_parameters_unsupported` in responses. */
  ignoredParameters: 167,
  /** Muting twice is fine; before: an error. */
  repeatedMute: 169,
  /** `POST /user_topics` and policy unmuted; before: `PATCH …/muted_topics`. */
  setUserTopic: 170,
  /** List and delete scheduled messages. */
  scheduledMessages: 173,
  /** Message type `direct`; before: `private`. */
  typeDirect: 174,
  /** Linkifiers have `url_template`; before: `url_format`. */
  linkifierTemplates: 176,
  /** `dm`, `dm-including`, `is:dm`; before: `pm-with`, `group-pm-with`, `is:private`. */
  dmOperators: 177,
  /** Create scheduled messages, and their events. */
  createScheduledMessage: 179,
  /** Edit scheduled messages. */
  editScheduledMessage: 184,
  /** `REACTION_ALREADY_EXISTS` and `REACTION_DOES_NOT_EXIST`; before: `BAD_REQUEST`. */
  reactionErrors: 193,
  /** Operand of `id` may be a number; before: text. */
  integerIdOperand: 194,
  /** Playgrounds have `url_template`; before: `url_prefix`. */
  playgroundTemplates: 196,
  /** `can_mention_group` of a group. */
  groupMention: 198,
  /** A channel can be created as a default channel. */
  defaultChannelOnCreate: 200,
  /** Linkifiers can be reordered. */
  reorderLinkifiers: 202,
  /** Batched work returns `complete`; before: `result: partially_completed`. */
  complete: 211,
  /** `realm_jitsi_server_url`; before: `jitsi_server_url`. */
  jitsiUrls: 212,
  /** Channel typing by `stream_id`, event type `direct`; before: `to=[id]` and `private`. */
  typingChannelId: 215,
  /** A test notification can be sent to mobile devices. */
  testNotification: 217,
  /** Policy followed. */
  followed: 219,
  /** `web_home_view`; before: `default_view`. */
  webHomeView: 219,
  /** Deactivation is `realm_user/update` with `is_active`; before: `remove` and `add`. */
  deactivationUpdate: 222,
  /** Flags for channel and topic wildcards; before: `wildcard_mentioned`. */
  splitWildcards: 224,
  /** `GET /streams/{id}/email_address`; before: in the subscription. */
  channelEmail: 226,
  /** The values of `desktop_icon_count_display` were renumbered. */
  iconCountRenumbered: 227,
  /** Onboarding steps; before: hotspots. */
  onboardingSteps: 233,
  /** `read_by_sender`; before: a heuristic. */
  readBySender: 236,
  /** `*_announcements_stream_id`; before: `*notifications_stream_id`. */
  announcementNames: 241,
  /** Profile fields have `required`. */
  requiredField: 244,
  /** `@**channel**`; before: `@**stream**` and `@**all**`. */
  channelWildcard: 247,
  /** Message type `channel`; before: `stream`. */
  typeChannel: 248,
  /** `has:reaction`. */
  hasReaction: 249,
  /** `channel` and `channels`; before: `stream` and `streams`. */
  channelOperators: 250,
  /** Invitations may include the organization's default channels by name. */
  inviteToDefaultChannels: 261,
  /** `GET /users/{id}/status`. */
  getUserStatus: 262,
  /** Presence by `last_update_id`; before: `slim_presence`. */
  presenceUpdates: 263,
  /** `is:followed`. */
  isFollowed: 265,
  /** An inviter may do without the message that the person has joined. */
  notifyReferrer: 267,
  /** `with`; before: channel and topic. */
  withOperator: 271,
  /** An owner may change a user's email. */
  changeUserEmail: 285,
  /** `presence_history_limit_days`. */
  presenceHistory: 288,
  /** Subscribe returns user ids; before: e-mails. */
  subscribedById: 289,
  /** Groups have `deactivated`. */
  groupDeactivated: 290,
  /** Administrators see who allows exports of private data. */
  exportConsents: 295,
  /** Profile fields have `editable_by_user`. */
  editableField: 296,
  /** Saved snippets. */
  savedSnippets: 297,
  /** `GET /messages` by `message_ids`; before: ranges. */
  messageIds: 300,
  /** Exports of private data with consent. */
  exportTypes: 304,
  /** `PATCH /users/{email}`; before: find the id first. */
  userByEmail: 313,
  /** Archived channels stay visible to clients that request them. */
  archivedChannels: 315,
  /** `#**channel>topic@id**`; before: a Markdown link. */
  topicMessageLinks: 319,
  /** Invitations may add people to groups. */
  inviteToGroups: 322,
  /** `can_administer_channel_group`. */
  administerChannelGroup: 325,
  /** A channel for requests to moderators. */
  moderationRequests: 331,
  /** A deactivated organization may be deleted after some days. */
  deletionDelay: 332,
  /** `can_send_message_group`; before: `stream_post_policy`. */
  sendMessageGroup: 333,
  /** Topics may be empty; before: `(no topic)`. */
  emptyTopic: 334,
  /** Setting to hide AI features. */
  hideAiFeatures: 350,
  /** Typing notices while editing. */
  editTyping: 351,
  /** `include_all` in `GET /streams`; before: `include_all_active`. */
  includeAllChannels: 356,
  /** Edit history visibility has three values; before: a boolean. */
  historyVisibility: 358,
  /** `POST /messages/{id}/typing`; before: `/message_edit_typing`. */
  editTypingPath: 361,
  /** `is:muted`. */
  isMuted: 366,
  /** Edit saved snippets. */
  editSavedSnippet: 368,
  /** Archiving arrives as `stream/update`. */
  archiveEvents: 378,
  /** `prev_content_sha256`; before: last write wins. */
  editLocking: 379,
  /** Create reminders. */
  createReminder: 381,
  /** Report a message. */
  reportMessage: 382,
  /** A channel may open with the list of its topics. */
  topicListView: 383,
  /** `GET /users?user_ids=`; before: one by one. */
  usersByIds: 384,
  /** Groups can be reactivated. */
  groupReactivated: 386,
  /** Channels can be unarchived. */
  unarchive: 388,
  /** Channel folders. */
  channelFolders: 389,
  /** Navigation views. */
  navigationViews: 390,
  /** `topics_policy`; before: `realm_mandatory_topics`. */
  topicsPolicy: 392,
  /** `subscriber_count`; before: count the list. */
  subscriberCount: 394,
  /** `send_new_subscription_messages`. */
  subscriptionNotices: 397,
  /** List and delete reminders, and their events. */
  reminders: 399,
  /** A channel may open with its top unread topic. */
  topUnreadTopicView: 401,
  /** Encrypted mobile notifications. */
  encryptedPush: 406,
  /** Channel groups for deleting messages. */
  channelDeleteGroups: 407,
  /** Administrators may set another user's status. */
  setUserStatus: 407,
  /** `twenty_four_hour_time` may be null. */
  localeTime: 408,
  /** `include_subscribers=partial`. */
  partialSubscribers: 412,
  /** Channel folders are ordered. */
  folderOrder: 414,
  /** Reminders have a note. */
  reminderNote: 415,
  /** Invitations may have an own welcome message. */
  welcomeMessage: 416,
  /** `POST /channels/create`; before: subscribe. */
  createChannel: 417,
  /** A test of encrypted mobile notifications. */
  encryptedTestNotification: 420,
  /** `GET /users/{id}/channels`. */
  userChannels: 440,
  /** `can_create_topic_group`. */
  createTopicGroup: 441,
  /** `anchor=date`. */
  anchorDate: 445,
  /** `mentions`. */
  mentionsOperator: 446,
  /** The types of exports have names; before: numbers. */
  exportTypeNames: 449,
  /** Home view `recent`; before: `recent_topics`. */
  recentView: 454,
  /** Profile fields have `use_for_user_matching`. */
  fieldMatching: 455,
  /** Deactivating a user takes `actions`. */
  deactivationActions: 459,
  /** Video provider 6. */
  videoConstructor: 460,
  /** `GET /bots/{id}/api_key`. */
  botApiKey: 463,
  /** Video provider 7. */
  videoNextcloud: 465,
  /** Devices are registered before mobile notifications. */
  clientDevices: 468,
  /** Devices are removed at logout. */
  removeClientDevice: 470,
  /** Linkifiers have `example_input` and `reverse_template`. */
  reverseLinkifiers: 471,
  /** Paragraph fields may be in the profile summary. */
  paragraphSummary: 476,
  /** Linkifiers have `alternative_url_templates`. */
  alternativeTemplates: 478,
  /** Thumbnail status. */
  thumbnailStatus: 479,
  /** Topics and members of archived channels; before: 400. */
  archivedTopics: 480,
  /** `idle_queue_timeout`; before: fixed at 600 seconds. */
  idleQueueTimeout: 481,
  /** `channels:archived`. */
  channelsArchived: 489,
  /** Video provider 8 and its token. */
  conferenceCalls: 493,
  /** `default_push_notifications`. */
  defaultPush: 507,
} as const;

/** The level of each release's first version. */
export const releases = {
  '5.0': 122,
  '6.0': 156,
  '7.0': 185,
  '8.0': 237,
  '9.0': 277,
  '10.0': 371,
  '11.0': 421,
  '12.0': 498,
} as const;

/** The client does not support servers below this level. */
export const minimumLevel = 122;
/** The default level of the embedded server. */
export const currentLevel = 509;

/** The release after the last one of the table: what its levels do not have is new in it. */
const nextRelease = 13;

/** Returns the first release that has what a level introduced: `Zulip 11`. */
export function releaseWith(level: number): string {
  const release = Object.entries(releases).find(([, first]) => level <= first)?.[0];
  return `Zulip ${release === undefined ? nextRelease : Number.parseInt(release, 10)}`;
}

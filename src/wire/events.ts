import type {DecodeIssue} from './decode-issues.ts';
import {decodeTolerantly} from './decode-tolerantly.ts';
import {alertWordsEvent} from './events/alert-words.ts';
import {attachmentAdd, attachmentRemove, attachmentUpdate} from './events/attachment.ts';
import {channelFolderAdd, channelFolderReorder, channelFolderUpdate} from './events/channel-folder.ts';
import {customProfileFieldsEvent} from './events/custom-profile-fields.ts';
import {defaultStreamGroupsEvent, defaultStreamsEvent} from './events/default-streams.ts';
import {deleteMessageEvent} from './events/delete-message.ts';
import {draftsAdd, draftsRemove, draftsUpdate} from './events/drafts.ts';
import {heartbeatEvent} from './events/heartbeat.ts';
import {invitesChangedEvent} from './events/invites-changed.ts';
import {messageEvent} from './events/message.ts';
import {mutedUsersEvent} from './events/muted-users.ts';
import {navigationViewAdd, navigationViewRemove, navigationViewUpdate} from './events/navigation-view.ts';
import {presenceEvent} from './events/presence.ts';
import {reactionEvent} from './events/reaction.ts';
import {realmDeactivated, realmUpdate, realmUpdateDict} from './events/realm.ts';
import {realmBotAdd, realmBotDelete, realmBotRemove, realmBotUpdate} from './events/realm-bot.ts';
import {realmDomainsAdd, realmDomainsChange, realmDomainsRemove} from './events/realm-domains.ts';
import {realmEmojiAdd, realmEmojiUpdate, realmEmojiUpdateOne} from './events/realm-emoji.ts';
import {realmLinkifiersEvent} from './events/realm-linkifiers.ts';
import {realmPlaygroundsEvent} from './events/realm-playgrounds.ts';
import {realmUserAdd, realmUserRemove, realmUserUpdate} from './events/realm-user.ts';
import {remindersAdd, remindersRemove} from './events/reminders.ts';
import {restartEvent} from './events/restart.ts';
import {savedSnippetsAdd, savedSnippetsRemove, savedSnippetsUpdate} from './events/saved-snippets.ts';
import {scheduledMessagesAdd, scheduledMessagesRemove, scheduledMessagesUpdate} from './events/scheduled-messages.ts';
import {channelCreate, channelDelete, channelUpdate} from './events/stream.ts';
import {submessageEvent} from './events/submessage.ts';
import {peerAdd, peerRemove, subscriptionAdd, subscriptionRemove, subscriptionUpdate} from './events/subscription.ts';
import {typingEditEvent, typingEvent} from './events/typing.ts';
import {updateMessageEvent} from './events/update-message.ts';
import {addFlagsEvent, removeFlagsEvent} from './events/update-message-flags.ts';
import {
  userGroupAdd,
  userGroupAddMembers,
  userGroupAddSubgroups,
  userGroupRemove,
  userGroupRemoveMembers,
  userGroupRemoveSubgroups,
  userGroupUpdate,
} from './events/user-group.ts';
import {userSettingsUpdate} from './events/user-settings.ts';
import {userStatusEvent} from './events/user-status.ts';
import {mutedTopicsEvent, userTopicEvent} from './events/user-topic.ts';
import {decodeVideoToken, type VideoTokenEvent, type WireVideoTokenEvent} from './events/video-token.ts';
import {decode, type Infer, type Schema, s} from './schema.ts';

/** The schemas of events whose shape depends only on their type. */
const byType = {
  message: messageEvent,
  update_message: updateMessageEvent,
  delete_message: deleteMessageEvent,
  reaction: reactionEvent,
  submessage: submessageEvent,
  typing: typingEvent,
  typing_edit_message: typingEditEvent,
  presence: presenceEvent,
  user_status: userStatusEvent,
  default_streams: defaultStreamsEvent,
  default_stream_groups: defaultStreamGroupsEvent,
  user_topic: userTopicEvent,
  muted_topics: mutedTopicsEvent,
  muted_users: mutedUsersEvent,
  alert_words: alertWordsEvent,
  realm_linkifiers: realmLinkifiersEvent,
  realm_playgrounds: realmPlaygroundsEvent,
  custom_profile_fields: customProfileFieldsEvent,
  invites_changed: invitesChangedEvent,
  restart: restartEvent,
  heartbeat: heartbeatEvent,
} as const;

/** The schemas of events whose shape depends on their type and op. */
const byOp = {
  update_message_flags: {add: addFlagsEvent, remove: removeFlagsEvent},
  subscription: {
    add: subscriptionAdd,
    remove: subscriptionRemove,
    update: subscriptionUpdate,
    peer_add: peerAdd,
    peer_remove: peerRemove,
  },
  stream: {create: channelCreate, delete: channelDelete, update: channelUpdate},
  channel_folder: {add: channelFolderAdd, update: channelFolderUpdate, reorder: channelFolderReorder},
  realm_user: {add: realmUserAdd, remove: realmUserRemove, update: realmUserUpdate},
  realm_bot: {add: realmBotAdd, update: realmBotUpdate, delete: realmBotDelete, remove: realmBotRemove},
  user_group: {
    add: userGroupAdd,
    update: userGroupUpdate,
    add_members: userGroupAddMembers,
    remove_members: userGroupRemoveMembers,
    add_subgroups: userGroupAddSubgroups,
    remove_subgroups: userGroupRemoveSubgroups,
    remove: userGroupRemove,
  },
  drafts: {add: draftsAdd, update: draftsUpdate, remove: draftsRemove},
  saved_snippets: {add: savedSnippetsAdd, update: savedSnippetsUpdate, remove: savedSnippetsRemove},
  scheduled_messages: {
    add: scheduledMessagesAdd,
    update: scheduledMessagesUpdate,
    remove: scheduledMessagesRemove,
  },
  reminders: {add: remindersAdd, remove: remindersRemove},
  navigation_view: {add: navigationViewAdd, update: navigationViewUpdate, remove: navigationViewRemove},
  user_settings: {update: userSettingsUpdate},
  attachment: {add: attachmentAdd, update: attachmentUpdate, remove: attachmentRemove},
  realm: {update: realmUpdate, update_dict: realmUpdateDict, deactivated: realmDeactivated},
  realm_emoji: {add: realmEmojiAdd, update_one: realmEmojiUpdateOne, update: realmEmojiUpdate},
  realm_domains: {add: realmDomainsAdd, change: realmDomainsChange, remove: realmDomainsRemove},
} as const;

export const eventSchemas = {...byType, ...byOp};

type ByType = {[T in keyof typeof byType]: Infer<(typeof byType)[T]>}[keyof typeof byType];
type OpsOf<T> = {[O in keyof T]: T[O] extends s.GenericSchema ? Infer<T[O]> : never}[keyof T];
type ByOp = {[T in keyof typeof byOp]: OpsOf<(typeof byOp)[T]>}[keyof typeof byOp];

/** Any event of a known type. */
export type ServerEvent = ByType | ByOp | VideoTokenEvent;
export type EventType = ServerEvent['type'];
/** The events of one type, or of one type and op. */
export type EventOf<T extends EventType, O extends string = string> =
  Extract<ServerEvent, {type: T}> extends infer E
    ? E extends {op: infer P}
      ? P & O extends never
        ? never
        : E
      : E
    : never;

/** An event of an unknown type, or one that does not match its schema. It is acknowledged and ignored. */
export interface UnknownServerEvent {
  type: 'unknown';
  /** The event's id; -1 when it is missing. */
  id: number;
  original: unknown;
  /** Set when the type and op are known but the content does not match the schema. */
  reason?: string;
}

type WithoutId<E> = E extends unknown ? Omit<E, 'id'> : never;
/** An event that the server sends, before a queue assigns its id. */
export type OutgoingEvent = WithoutId<ByType | ByOp | WireVideoTokenEvent>;

const head = s.looseObject({id: s.number(), type: s.string(), op: s.optional(s.string())});

function schemaFor(type: string, op: string | undefined): Schema<ServerEvent> | undefined {
  if (Object.hasOwn(byType, type)) return byType[type as keyof typeof byType];
  if (op === undefined || !Object.hasOwn(byOp, type)) return undefined;
  const ops: Record<string, Schema<ServerEvent>> = byOp[type as keyof typeof byOp];
  return Object.hasOwn(ops, op) ? ops[op] : undefined;
}

/**
 * Decodes an event. It never throws: an event that cannot be decoded is an `UnknownServerEvent`. Parts that do not match are
 * dropped and reported to `onIssue`.
 */
export function decodeEvent(raw: unknown, onIssue?: (issue: DecodeIssue) => void): ServerEvent | UnknownServerEvent {
  const start = decode(head, raw);
  if (!start.ok) return {type: 'unknown', id: idOf(raw), original: raw};
  const {id, type, op} = start.value;
  const schema = schemaFor(type, op);
  if (schema === undefined) return decodeVideoToken(raw) ?? {type: 'unknown', id, original: raw};
  const decoded = decodeTolerantly(schema, raw);
  if (!decoded.ok) return {type: 'unknown', id, original: raw, reason: decoded.reason};
  if (onIssue !== undefined) for (const issue of decoded.issues.recorded) onIssue(issue);
  return decoded.value;
}

function idOf(raw: unknown): number {
  const id: unknown = typeof raw === 'object' && raw !== null && 'id' in raw ? raw.id : undefined;
  return typeof id === 'number' ? id : -1;
}

/** The event types that the client requests. Heartbeats are sent without a request. */
export const eventTypes: readonly string[] = [
  ...Object.keys(eventSchemas).filter((type) => type !== 'heartbeat' && type !== 'default_stream_groups'),
  'has_zoom_token',
  'has_webex_token',
  'has_conference_token',
];

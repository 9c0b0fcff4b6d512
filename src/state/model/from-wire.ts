import type {
  AccountSettings,
  AccountState,
  Attachment,
  Bot,
  Emoji,
  Linkifier,
  NavigationView,
  Playground,
  Presence,
  ProfileField,
  Realm,
  Reminder,
  ScheduledMessage,
  ServerDraft,
  ServerInfo,
  UserStatus,
  UserTopic,
} from '#state/state.ts';
import {camelKeys} from '#std/camel.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {type MutedTopic, visibilityPolicies, type WireUserTopic} from '#wire/objects/channel.ts';
import {
  playgroundTemplate,
  urlTemplate,
  type WireEmoji,
  type WireLinkifier,
  type WirePlayground,
} from '#wire/objects/organization.ts';
import {
  attachedMessageIds,
  attachmentCreatedAt,
  type WireAttachment,
  type WireDraft,
  type WireNavigationView,
  type WireReminder,
  type WireScheduledMessage,
} from '#wire/objects/personal.ts';
import {limitFields, modernRealm, realmFields, serverFields, type WireRealm} from '#wire/objects/realm.ts';
import {
  botDefaults,
  type WireBot,
  type WirePresence,
  type WireProfileField,
  type WireUserStatus,
} from '#wire/objects/user.ts';
import {modernSettings, userSettings, type WireUserSettings} from '#wire/objects/user-settings.ts';
import type {Channel} from './channel.ts';
import {directConversation, topicConversation, topicConversationKey} from './conversation.ts';
import type {DraftTarget} from './draft.ts';

const {jitsi_server_url: _alias, server_timestamp: _moment, ...serverInfoFields} = {...limitFields, ...serverFields};
const serverNames = Object.keys(serverInfoFields);
const {realm_rendered_description: _html, ...realmSettings} = realmFields;
const realmNames = Object.keys(realmSettings);
const settingNames = Object.keys(userSettings.entries);
const {avatar_url: _picture, ...botFields} = botDefaults;
const botNames = ['user_id', ...Object.keys(botFields)];

/** Converts the whole block of settings or a patch of it. */
export function realmFromWire(fields: WireRealm, level: number): Partial<Realm> {
  return camelKeys(pickFields(modernRealm(fields, level), realmNames, 'realm_'.length)) as Partial<Realm>;
}

/** Converts the server's fields, except those that need the whole response. */
export function serverFromWire(fields: WireRealm, level: number): Partial<ServerInfo> {
  return camelKeys(pickFields(modernRealm(fields, level), serverNames)) as Partial<ServerInfo>;
}

export function settingsFromWire(fields: WireUserSettings): Partial<AccountSettings> {
  return camelKeys(pickFields(modernSettings(fields), settingNames)) as Partial<AccountSettings>;
}

/** Returns only the fields that the schema names: responses contain more, but no events update the rest. */
function pickFields(fields: object, names: readonly string[], prefixLength = 0): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name of names) {
    const value: unknown = Reflect.get(fields, name);
    if (value !== undefined) picked[name.slice(prefixLength)] = value;
  }
  return picked;
}

export function botFromWire(wire: WireBot): Bot {
  return camelKeys(pickFields(wire, botNames)) as unknown as Bot;
}

export function emojiFromWire(wire: WireEmoji): Emoji {
  return camelKeys(wire);
}

/** Converts a whole folder or a patch of one. */
export function folderFields<T extends {rendered_description?: string | undefined}>(wire: T) {
  const {rendered_description: _html, ...rest} = wire;
  return camelKeys(rest);
}

export function profileFieldFromWire(wire: WireProfileField): ProfileField {
  return camelKeys(wire);
}

export function linkifierFromWire(wire: WireLinkifier): Linkifier {
  const {url_template: _template, url_format: _format, ...rest} = wire;
  return {...camelKeys(rest), urlTemplate: urlTemplate(wire)};
}

export function playgroundFromWire(wire: WirePlayground): Playground {
  const {url_template: _template, url_prefix: _prefix, ...rest} = wire;
  return {...camelKeys(rest), urlTemplate: playgroundTemplate(wire)};
}

export function attachmentFromWire(wire: WireAttachment): Attachment {
  const {message_ids: _ids, messages: _messages, ...rest} = wire;
  return {...camelKeys(rest), createTime: attachmentCreatedAt(wire), messageIds: attachedMessageIds(wire)};
}

export function draftFromWire(wire: WireDraft, selfId: number): ServerDraft {
  return {
    id: wire.id,
    target: draftTarget(wire, selfId),
    content: wire.content,
    timestamp: wire.timestamp ?? 0,
  };
}

/** An empty recipient list means that none is chosen yet: drafts to oneself name the user. */
function draftTarget({type, to, topic}: WireDraft, selfId: number): DraftTarget {
  const [first] = to;
  if (type === '' || first === undefined) return {kind: 'none', topic};
  return type === 'stream' ? topicConversation(first, topic) : directConversation(to, selfId);
}

export function scheduledFromWire(wire: WireScheduledMessage, selfId: number): ScheduledMessage {
  return {
    id: wire.scheduled_message_id,
    conversation: wire.type === 'stream' ? topicConversation(wire.to, wire.topic) : directConversation(wire.to, selfId),
    content: wire.content,
    scheduledDeliveryTimestamp: wire.scheduled_delivery_timestamp,
    failed: wire.failed ?? false,
  };
}

export function reminderFromWire(wire: WireReminder): Reminder {
  return {
    id: wire.reminder_id,
    content: wire.content,
    scheduledDeliveryTimestamp: wire.scheduled_delivery_timestamp,
    reminderTargetMessageId: wire.reminder_target_message_id,
    failed: wire.failed ?? false,
    note: wire.note ?? '',
  };
}

export function navigationViewFromWire(wire: WireNavigationView): NavigationView {
  return {fragment: wire.fragment, isPinned: wire.is_pinned, name: wire.name ?? null};
}

export function userTopicFromWire(wire: WireUserTopic): UserTopic {
  return {
    channelId: wire.stream_id,
    topic: wire.topic_name,
    policy: wire.visibility_policy,
    lastUpdated: wire.last_updated,
  };
}

export function presenceFromWire(wire: WirePresence): Presence {
  return {activeAt: wire.active_timestamp, idleAt: wire.idle_timestamp};
}

/** Merges two reports, which may arrive late: the newest time of each kind counts. */
export function newestPresence(a: Presence, b: Presence): Presence {
  return {activeAt: newest(a.activeAt, b.activeAt), idleAt: newest(a.idleAt, b.idleAt)};
}

function newest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

/**
 * Returns the fields that are set, or undefined when none is. `before` is the status that a change applies
 * to; empty text clears a field.
 */
export function statusFromWire(wire: WireUserStatus, before: UserStatus = {}): UserStatus | undefined {
  const statusText = wire.status_text ?? before.statusText ?? '';
  const emojiName = wire.emoji_name ?? before.emojiName ?? '';
  const away = wire.away ?? before.away ?? false;
  if (statusText === '' && emojiName === '' && !away) return undefined;
  return {
    ...(statusText !== '' && {statusText}),
    ...(emojiName !== '' && {
      emojiName,
      emojiCode: wire.emoji_code ?? before.emojiCode ?? '',
      reactionType: wire.reaction_type ?? before.reactionType ?? 'unicode_emoji',
    }),
    ...(away && {away}),
  };
}

export function userTopicMap(userTopics: Iterable<UserTopic>): AccountState['userTopics'] {
  return SortedMap.by(userTopics, ({channelId, topic}) => topicConversationKey(channelId, topic));
}

/**
 * Converts the muted topics of servers below level 134, which name channels; topics of unknown channels are dropped.
 */
export function userTopicsFromMuted(
  mutedTopics: readonly MutedTopic[],
  channels: Iterable<Channel>,
): AccountState['userTopics'] {
  if (mutedTopics.length === 0) return SortedMap.empty();
  const idsByName = new Map<string, number>();
  for (const {id, name} of channels) idsByName.set(name.toLowerCase(), id);
  const userTopics = mutedTopics.flatMap(([name, topic, lastUpdated = 0]): UserTopic[] => {
    const channelId = idsByName.get(name.toLowerCase());
    if (channelId === undefined) return [];
    return [{channelId, topic, policy: visibilityPolicies.muted, lastUpdated}];
  });
  return userTopicMap(userTopics);
}

import type {CamelKeys} from '#std/camel.ts';
import type {WireUserTopic} from '#wire/objects/channel.ts';
import type {
  WireDraft,
  WireNavigationView,
  WireReminder,
  WireScheduledMessage,
  WireSnippet,
} from '#wire/objects/personal.ts';
import type {WirePresence, WireUserStatus} from '#wire/objects/user.ts';
import {type Conversation, directConversation, topicConversation} from './conversation.ts';
import type {DraftTarget} from './draft.ts';

/** A draft as the server has it. */
export interface ServerDraft {
  readonly id: number;
  readonly target: DraftTarget;
  readonly content: string;
  /** UNIX seconds. */
  readonly timestamp: number;
}

export interface ScheduledMessage
  extends Omit<CamelKeys<WireScheduledMessage>, 'scheduledMessageId' | 'type' | 'to' | 'topic' | 'renderedContent'> {
  readonly id: number;
  readonly conversation: Conversation;
}

export interface Reminder extends Omit<CamelKeys<WireReminder>, 'reminderId' | 'type' | 'to' | 'renderedContent'> {
  readonly id: number;
}

export type Snippet = CamelKeys<WireSnippet>;
export type NavigationView = CamelKeys<WireNavigationView>;
/** Contains only the fields that are set. */
export type UserStatus = CamelKeys<WireUserStatus>;

export interface UserTopic {
  readonly channelId: number;
  readonly topic: string;
  /** 1 muted, 2 unmuted, 3 followed. */
  readonly policy: number;
  /** UNIX seconds. */
  readonly lastUpdated: number;
}

/** UNIX seconds; both are undefined for a user who was never seen. */
export interface Presence {
  readonly activeAt: number | undefined;
  readonly idleAt: number | undefined;
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

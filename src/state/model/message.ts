import type {MessageFacts} from '#content/message-facts.ts';
import {isResolution} from '#wire/objects/channel.ts';
import {type EditHistoryEntry, previousTopic, type WireMessage} from '#wire/objects/message.ts';
import {type ConversationKey, directConversation, directKey, topicConversationKey} from './conversation.ts';

export type MessageFlag = string;

export interface Reaction {
  readonly emojiName: string;
  readonly emojiCode: string;
  readonly reactionType: string;
  readonly userId: number;
}

/** A part of a poll, a to-do list or another widget. */
interface Submessage {
  readonly id: number;
  readonly senderId: number;
  readonly type: string;
  readonly content: string;
}

interface MessageBase {
  readonly id: number;
  readonly conversationKey: ConversationKey;
  readonly senderId: number;
  /** The name at sending time, for senders who are otherwise unknown. */
  readonly senderName: string;
  /** Markdown source. */
  readonly content: string;
  /** UNIX seconds. */
  readonly timestamp: number;
  readonly flags: readonly MessageFlag[];
  /** Oldest first. */
  readonly reactions: readonly Reaction[];
  readonly submessages: readonly Submessage[];
  readonly isMe: boolean;
  /** When its content was last edited. */
  readonly editedAt: number | undefined;
  /** When it was last moved to another topic or channel. */
  readonly movedAt: number | undefined;
  /** What the content does not say; absent until it is looked up, and after an edit. */
  readonly facts?: MessageFacts | undefined;
}

export interface ChannelMessage extends MessageBase {
  readonly kind: 'channel';
  readonly channelId: number;
  readonly topic: string;
  readonly topicLinks: readonly {readonly text: string; readonly url: string}[];
}

export interface DirectMessage extends MessageBase {
  readonly kind: 'direct';
  /** Ascending, without oneself. */
  readonly userIds: readonly number[];
  /** The names at sending time, for people who are otherwise unknown. */
  readonly names: Readonly<Record<number, string>>;
}

export type Message = ChannelMessage | DirectMessage;

const none: readonly never[] = [];

/** Leaves out `wildcard_mentioned` beside the flag that it stands for, because the event of an edit has only that. */
function withoutCommonName(flags: readonly string[]): readonly string[] {
  const isNamed = flags.includes('stream_wildcard_mentioned') || flags.includes('topic_wildcard_mentioned');
  return isNamed ? flags.filter((flag) => flag !== 'wildcard_mentioned') : flags;
}

/** Converts a message; `flags` are beside the message in events and inside it in responses. */
export function messageFromWire(wire: WireMessage, flags: readonly string[], selfId: number): Message {
  const common = {
    id: wire.id,
    senderId: wire.sender_id,
    senderName: wire.sender_full_name,
    content: wire.content,
    timestamp: wire.timestamp,
    flags: flags.length === 0 ? none : withoutCommonName(flags),
    reactions: wire.reactions.length === 0 ? none : wire.reactions.map(reactionFromWire),
    submessages: submessagesFromWire(wire),
    isMe: wire.is_me_message ?? false,
    editedAt: contentEditedAt(wire),
    movedAt: wire.last_moved_timestamp ?? movedAt(wire.edit_history),
  };
  if (wire.type === 'stream') {
    return {
      kind: 'channel',
      ...common,
      conversationKey: topicConversationKey(wire.stream_id, wire.subject),
      channelId: wire.stream_id,
      topic: wire.subject,
      topicLinks: wire.topic_links ?? none,
    };
  }
  const people = wire.display_recipient;
  const {userIds} = directConversation(
    people.map((person) => person.id),
    selfId,
  );
  return {
    kind: 'direct',
    ...common,
    conversationKey: directKey(userIds),
    userIds,
    names: Object.fromEntries(people.flatMap(({id, full_name}) => (full_name ? [[id, full_name]] : []))),
  };
}

/** Servers below level 328 may name the user inside `user` only. */
function reactionFromWire(wire: WireMessage['reactions'][number]): Reaction {
  return {
    emojiName: wire.emoji_name,
    emojiCode: wire.emoji_code,
    reactionType: wire.reaction_type,
    userId: wire.user_id,
  };
}

function submessagesFromWire(wire: WireMessage): readonly Submessage[] {
  if (wire.submessages === undefined || wire.submessages.length === 0) return none;
  return wire.submessages.map((part) => ({
    id: part.id,
    senderId: part.sender_id,
    type: part.msg_type,
    content: part.content,
  }));
}

/**
 * Returns when the content was last edited. Below level 365 `last_edit_timestamp` counts moves too, so the
 * history decides where there is one.
 */
function contentEditedAt(wire: WireMessage): number | undefined {
  if (wire.last_edit_timestamp === undefined || wire.edit_history === undefined) {
    return wire.last_edit_timestamp;
  }
  return wire.edit_history.find((entry) => entry.prev_content !== undefined || !isMoveEntry(entry))?.timestamp;
}

/** Returns when the message was last moved; servers below level 365 report it in the history only. */
function movedAt(history: readonly EditHistoryEntry[] | undefined): number | undefined {
  return history?.find((entry) => isMoveEntry(entry) && !isResolutionEntry(entry))?.timestamp;
}

function isResolutionEntry(entry: EditHistoryEntry): boolean {
  const before = previousTopic(entry);
  if (entry.prev_stream !== undefined || before === undefined || entry.topic === undefined) return false;
  return isResolution(before, entry.topic);
}

function isMoveEntry(entry: EditHistoryEntry): boolean {
  return entry.prev_topic !== undefined || entry.prev_subject !== undefined || entry.prev_stream !== undefined;
}

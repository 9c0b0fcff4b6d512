import {type Message, messageFromWire} from '#state/model/message.ts';
import {selfId} from '#test/support/state-builders.ts';
import type {WireMessage} from '#wire/objects/message.ts';
import {channelMessage, directMessage} from './wire-events.ts';

/** A message of the naive server. */
export interface Post {
  id: number;
  conversation: {channelId: number; topic: string} | {userIds: readonly number[]};
  senderId: number;
  content: string;
  flags: Set<string>;
  isUnread: boolean;
  reactors: Set<number>;
  editedAt: number | undefined;
  /** Whether views that name no channel show it. */
  isOwn: boolean;
}

export function flagsOf(post: Post): string[] {
  return [...post.flags, ...(post.isUnread ? [] : ['read'])];
}

export function wireOf(post: Post): WireMessage {
  const common = {
    id: post.id,
    sender_id: post.senderId,
    content: post.content,
    reactions: [...post.reactors].map((user_id) => ({
      emoji_name: 'tada',
      emoji_code: '1f389',
      reaction_type: 'unicode_emoji',
      user_id,
    })),
    ...(post.editedAt !== undefined && {last_edit_timestamp: post.editedAt}),
  };
  return 'topic' in post.conversation
    ? channelMessage({...common, stream_id: post.conversation.channelId, subject: post.conversation.topic})
    : directMessage({...common, with: post.conversation.userIds});
}

/** Returns the message as a response contains it now. */
export function messageInResponse(post: Post): Message {
  return messageFromWire(wireOf(post), [...post.flags], selfId);
}

import type {Conversation, ScriptMessage} from './chat-script.ts';
import {DataError, locating} from './demo-data-error.ts';
import {pastTime} from './relative-times.ts';

/** A message with its number and its moment. */
export interface Planned {
  readonly id: number;
  /** UNIX seconds. */
  readonly sentAt: number;
  readonly conversation: Conversation;
  readonly message: ScriptMessage;
}

/** All messages in the order of time (then of the files and lines), numbered in that order. */
export function timeline(conversations: readonly Conversation[], now: number, firstId: number): Planned[] {
  const all = conversations.flatMap((conversation) => timed(conversation, now));
  // Sorting is stable, so equal times keep the order of the data.
  all.sort((a, b) => a.sentAt - b.sentAt);
  return all.map((entry, index) => ({...entry, id: firstId + index}));
}

function timed(conversation: Conversation, now: number): Omit<Planned, 'id'>[] {
  let previous: number | undefined;
  return conversation.messages.map((message) => {
    const at = locating(message.source, () => pastTime(message.time ?? conversation.start, now, previous));
    if (at > now) throw new DataError(message.source, 'the message is in the future');
    if (previous !== undefined && at < previous) {
      throw new DataError(message.source, 'the message is older than the one before it');
    }
    previous = at;
    return {sentAt: Math.floor(at / 1000), conversation, message};
  });
}

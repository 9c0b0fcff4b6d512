import type {ScriptConversation, ScriptMessage} from './chat-script.ts';
import {DemoDataError, withSourcePosition} from './demo-data-error.ts';
import {parsePastTime} from './relative-times.ts';

/** A message with its number and its moment. */
export interface PlannedMessage {
  readonly id: number;
  /** UNIX seconds. */
  readonly sentAt: number;
  readonly conversation: ScriptConversation;
  readonly message: ScriptMessage;
}

/** All messages in the order of time (then of the files and lines), numbered in that order. */
export function planMessages(
  conversations: readonly ScriptConversation[],
  now: number,
  firstId: number,
): PlannedMessage[] {
  const all = conversations.flatMap((conversation) => timed(conversation, now));
  // Sorting is stable, so equal times keep the order of the data.
  all.sort((a, b) => a.sentAt - b.sentAt);
  return all.map((entry, index) => ({...entry, id: firstId + index}));
}

function timed(conversation: ScriptConversation, now: number): Omit<PlannedMessage, 'id'>[] {
  let previous: number | undefined;
  return conversation.messages.map((message) => {
    const at = withSourcePosition(message.source, () =>
      parsePastTime(message.time ?? conversation.start, now, previous),
    );
    if (at > now) throw new DemoDataError(message.source, 'the message is in the future');
    if (previous !== undefined && at < previous) {
      throw new DemoDataError(message.source, 'the message is older than the one before it');
    }
    previous = at;
    return {sentAt: Math.floor(at / 1000), conversation, message};
  });
}

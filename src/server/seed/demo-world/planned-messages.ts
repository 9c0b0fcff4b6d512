import type {ScriptConversation, ScriptMessage} from './chat-script.ts';
import {DemoDataError, withSourcePosition} from './demo-data-error.ts';
import {parsePastTime} from './relative-times.ts';

/** A message of a script with its id and the time it is sent. */
export interface PlannedMessage {
  readonly id: number;
  /** UNIX seconds. */
  readonly sentAt: number;
  readonly conversation: ScriptConversation;
  readonly message: ScriptMessage;
}

/** Returns all messages in the order of time (then of files and lines), with ids in that order. */
export function planMessages(
  conversations: readonly ScriptConversation[],
  now: number,
  firstId: number,
): PlannedMessage[] {
  const all = conversations.flatMap((conversation) => timed(conversation, now));
  // Sorting is stable, so messages of equal time stay in the order of the data.
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

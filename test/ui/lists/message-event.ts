import type {StateEvent} from '#state/local-events.ts';
import {buildMessageEvent, channelMessage} from '#test/state/messages/wire-events.ts';
import {bo, noonMs} from './list-fixture.ts';

/** Returns the event of a new message in a topic. */
export function newMessageEvent(
  {id, channelId, topic}: {readonly id: number; readonly channelId: number; readonly topic: string},
  flags: readonly string[] = [],
): StateEvent {
  const content = `message ${id}`;
  const sent = {sender_id: bo, content, timestamp: noonMs / 1000};
  return buildMessageEvent(channelMessage({id, stream_id: channelId, subject: topic, ...sent}), ...flags);
}

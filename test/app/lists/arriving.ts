import type {StateEvent} from '#state/apply-event.ts';
import {bo, noonMs} from './list-scene.ts';

/** Something new in a topic, as the server tells it. */
export function eventMessage(
  {id, channelId, topic}: {readonly id: number; readonly channelId: number; readonly topic: string},
  flags: readonly string[] = [],
): StateEvent {
  return {
    type: 'message',
    id,
    flags: [...flags],
    message: {
      type: 'stream',
      id,
      stream_id: channelId,
      subject: topic,
      sender_id: bo,
      sender_full_name: 'Bo Wu',
      sender_email: 'bo@example.com',
      display_recipient: 'channel',
      content: `message ${id}`,
      timestamp: noonMs / 1000,
      reactions: [],
    },
  };
}

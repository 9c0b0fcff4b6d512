import {
  type Conversation,
  conversationFromJson,
  directConversation,
  topicConversation,
} from '#state/model/conversation.ts';
import {mapById, withItems} from '#state/model/immutable-updates.ts';
import type {CamelKeys} from '#std/camel.ts';
import {SortedMap} from '#std/sorted-map.ts';
import type {WireScheduledMessage} from '#wire/objects/personal.ts';
import {savedMap} from './saved-json.ts';
import {fromSnapshot, type Slice} from './slice.ts';

export interface ScheduledMessage
  extends Omit<CamelKeys<WireScheduledMessage>, 'scheduledMessageId' | 'type' | 'to' | 'topic' | 'renderedContent'> {
  readonly id: number;
  readonly conversation: Conversation;
}

function scheduledFromWire(wire: WireScheduledMessage, selfId: number): ScheduledMessage {
  return {
    id: wire.scheduled_message_id,
    conversation: wire.type === 'stream' ? topicConversation(wire.to, wire.topic) : directConversation(wire.to, selfId),
    content: wire.content,
    scheduledDeliveryTimestamp: wire.scheduled_delivery_timestamp,
    failed: wire.failed ?? false,
  };
}

export const scheduled: Slice<SortedMap<number, ScheduledMessage>, 'scheduled_messages'> = {
  initial: SortedMap.empty(),
  registered: fromSnapshot(['scheduled_messages'], ({scheduled_messages = []}, {selfId}) =>
    mapById(scheduled_messages.map((wire) => scheduledFromWire(wire, selfId))),
  ),
  saved: savedMap('number', {id: 'number', conversation: conversationFromJson, content: 'string'}),
  appliers: {
    scheduled_messages: (before, event, {self}) => {
      if (event.op === 'remove') return before.without(event.scheduled_message_id);
      const changed = event.op === 'add' ? event.scheduled_messages : [event.scheduled_message];
      return withItems(
        before,
        changed.map((wire) => scheduledFromWire(wire, self.userId)),
      );
    },
  },
};

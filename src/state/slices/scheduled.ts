import {type Conversation, directConversation, topicConversation} from '#state/model/conversation.ts';
import type {CamelKeys} from '#std/camel.ts';
import type {WireScheduledMessage} from '#wire/objects/personal.ts';

export interface ScheduledMessage
  extends Omit<CamelKeys<WireScheduledMessage>, 'scheduledMessageId' | 'type' | 'to' | 'topic' | 'renderedContent'> {
  readonly id: number;
  readonly conversation: Conversation;
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

import type {Message} from '#state/model/message.ts';
import {deletedIds} from '#wire/events/messages.ts';
import type {ServerEvent} from '#wire/events.ts';
import {leavesOwnMessages} from './event-conversations.ts';
import type {EventInContext} from './event-log.ts';
import {flaggedMessage, reactedMessage, updatedMessage, withoutReadFlag, withSubmessage} from './message-changes.ts';

/** The messages of a response, and which of them are unread. */
export interface ReplayedMessages {
  readonly messages: ReadonlyMap<number, Message>;
  readonly unreadIds: ReadonlySet<number>;
}

/**
 * Returns a response's messages as they are after these events. Costs O(messages the events name), not events
 * times messages.
 */
export function replayEvents(
  messages: readonly Message[],
  unreadIds: readonly number[],
  since: readonly EventInContext[],
): ReplayedMessages {
  const replay = new Replay(messages, unreadIds);
  for (const event of since) replay.apply(event);
  return replay;
}

class Replay implements ReplayedMessages {
  readonly messages = new Map<number, Message>();
  readonly unreadIds: Set<number>;

  constructor(messages: readonly Message[], unreadIds: readonly number[]) {
    for (const message of messages) {
      const flags = withoutReadFlag(message.flags);
      this.messages.set(message.id, flags === message.flags ? message : {...message, flags});
    }
    this.unreadIds = new Set(unreadIds);
  }

  apply({event, subscriptions}: EventInContext): void {
    switch (event.type) {
      case 'update_message':
        this.#update(event, leavesOwnMessages({subscriptions}, event));
        break;
      case 'delete_message':
        for (const id of deletedIds(event)) this.messages.delete(id);
        break;
      case 'update_message_flags':
        if (event.flag === 'read') this.#markReadOrUnread(event);
        this.#change(event.messages, (message) => flaggedMessage(message, event));
        break;
      case 'reaction':
        this.#change([event.message_id], (message) => reactedMessage(message, event));
        break;
      case 'submessage':
        this.#change([event.message_id], (message) => withSubmessage(message, event));
        break;
    }
  }

  #update(event: Extract<ServerEvent, {type: 'update_message'}>, leavesOwn: boolean): void {
    this.#change([event.message_id, ...event.message_ids], (message) => updatedMessage(message, event, leavesOwn));
  }

  #change(ids: readonly number[], change: (message: Message) => Message): void {
    for (const id of ids) {
      const message = this.messages.get(id);
      if (message !== undefined) this.messages.set(id, change(message));
    }
  }

  #markReadOrUnread(event: Extract<ServerEvent, {type: 'update_message_flags'}>): void {
    if (event.op === 'add' && event.all === true) this.unreadIds.clear();
    for (const id of event.messages) {
      if (event.op === 'add') this.unreadIds.delete(id);
      else this.unreadIds.add(id);
    }
  }
}

import type {StateEvent} from '#state/state-event.ts';
import type {ServerEvent} from '#wire/events.ts';

/**
 * An event with the time it was heard at, where that matters: appliers have no clock. Everything a queue delivers passes
 * through here on its way to the cache. `now` is in milliseconds.
 */
export function withReceiptTime(event: ServerEvent, now: number): StateEvent {
  return event.type === 'typing' || event.type === 'typing_edit_message'
    ? {type: 'typing_heard', event, now}
    : event;
}

import {decodeEvent, type ServerEvent, type UnknownEvent} from '#wire/events.ts';

export interface EventBatch {
  /** Those not seen before, in order. */
  readonly events: readonly ServerEvent[];
  readonly unknown: readonly UnknownEvent[];
  /** The id that acknowledges all of them. */
  readonly lastEventId: number;
}

/** What of an answer is new: servers send again what was not acknowledged, and whatever we cannot read is still done. */
export function eventBatch(raw: readonly unknown[], lastEventId: number): EventBatch {
  const events: ServerEvent[] = [];
  const unknown: UnknownEvent[] = [];
  let last = lastEventId;
  for (const each of raw) {
    const event = decodeEvent(each);
    if (event.id <= last) continue;
    last = event.id;
    if (event.type === 'unknown') unknown.push(event);
    else events.push(event);
  }
  return {events, unknown, lastEventId: last};
}

/** For the log: what it is called, and what is wrong with it. */
export function unknownName({original, reason}: UnknownEvent): string {
  const {type, op} = (typeof original === 'object' && original !== null ? original : {}) as Record<
    string,
    unknown
  >;
  const name = [type, op].filter((part) => typeof part === 'string').join('/') || 'without a type';
  return reason === undefined ? name : `${name}, ${reason}`;
}

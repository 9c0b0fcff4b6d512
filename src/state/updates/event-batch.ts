import type {DecodeIssue} from '#wire/decode-issues.ts';
import {decodeEvent, type ServerEvent, type UnknownServerEvent} from '#wire/events.ts';

export interface EventBatch {
  /** Those not seen before, in order. */
  readonly events: readonly ServerEvent[];
  readonly unknown: readonly UnknownServerEvent[];
  /** What was left out of events because it is not what it should be. */
  readonly oddities: readonly DecodeIssue[];
  /** The id that acknowledges all of them. */
  readonly lastEventId: number;
}

/** What of an answer is new: servers send again what was not acknowledged, and whatever we cannot read is still done. */
export function decodeEventBatch(raw: readonly unknown[], lastEventId: number): EventBatch {
  const events: ServerEvent[] = [];
  const unknown: UnknownServerEvent[] = [];
  const odd: DecodeIssue[] = [];
  let last = lastEventId;
  for (const each of raw) {
    const event = decodeEvent(each, ({path, reason}) => odd.push({path: `${typeOf(each)}.${path}`, reason}));
    if (event.id <= last) continue;
    last = event.id;
    if (event.type === 'unknown') unknown.push(event);
    else events.push(event);
  }
  return {events, unknown, oddities: odd, lastEventId: last};
}

/** For the log: what it is called, and what is wrong with it. */
export function describeUnknownEvent({original, reason}: UnknownServerEvent): string {
  const name = typeOf(original);
  return reason === undefined ? name : `${name}, ${reason}`;
}

function typeOf(raw: unknown): string {
  const {type, op} = (typeof raw === 'object' && raw !== null ? raw : {}) as Record<string, unknown>;
  return [type, op].filter((part) => typeof part === 'string').join('/') || 'without a type';
}

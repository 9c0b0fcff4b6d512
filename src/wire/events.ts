import {channelEvents} from '#wire/events/channels.ts';
import {messageEvents} from '#wire/events/messages.ts';
import {organizationEvents} from '#wire/events/organization.ts';
import {peopleEvents} from '#wire/events/people.ts';
import {
  decodeVideoToken,
  personalEvents,
  type VideoTokenEvent,
  type WireVideoTokenEvent,
} from '#wire/events/personal.ts';
import type {WebClientEvent} from '#wire/objects/web-client-fields.ts';
import {type DecodeIssue, decodeTolerantly} from './decode-tolerantly.ts';
import {decode, type Infer, type Schema, s} from './schema.ts';

/** The schema of each event type, or of each op of the types whose shape depends on it. */
export const eventSchemas = {
  ...messageEvents,
  ...peopleEvents,
  ...channelEvents,
  ...personalEvents,
  ...organizationEvents,
};

type EventSchemas = typeof eventSchemas;
type AnyOp<T> = {[O in keyof T]: T[O] extends s.GenericSchema ? Infer<T[O]> : never}[keyof T];
type DescribedEvent = {
  [T in keyof EventSchemas]: EventSchemas[T] extends s.GenericSchema ? Infer<EventSchemas[T]> : AnyOp<EventSchemas[T]>;
}[keyof EventSchemas];

/** Any event of a known type. */
export type ServerEvent = DescribedEvent | VideoTokenEvent;
export type EventType = ServerEvent['type'];
/** The events of one type, or of one type and op. */
export type EventOf<T extends EventType, O extends string = string> =
  Extract<ServerEvent, {type: T}> extends infer E
    ? E extends {op: infer P}
      ? P & O extends never
        ? never
        : E
      : E
    : never;

/** An event of an unknown type, or one that does not match its schema. It is acknowledged and ignored. */
export interface UnknownServerEvent {
  type: 'unknown';
  /** The event's id; -1 when it is missing. */
  id: number;
  original: unknown;
  /** Set when the type and op are known but the content does not match the schema. */
  reason?: string;
}

type WithoutId<E> = E extends unknown ? Omit<E, 'id'> : never;
/** An event that the server sends, before a queue assigns its id. */
export type OutgoingEvent = WithoutId<DescribedEvent | WireVideoTokenEvent> | WebClientEvent;
export type OutgoingType = OutgoingEvent['type'];

type Plain = string | number | boolean | null | undefined;
/** A value that is only read: the server sends lists that it may not change. */
type Unchanged<T> = unknown extends T ? T : T extends Plain ? T : {readonly [K in keyof T]: Unchanged<T[K]>};
type WithoutType<E> = {readonly [K in keyof E as K extends 'type' ? never : K]: Unchanged<E[K]>};
type BodyOf<E, T> = E extends {type: infer U} ? (T extends U ? WithoutType<E> : never) : never;
/** The fields of the events of a type beside `type` and `id`. */
export type OutgoingBody<T extends OutgoingType> = BodyOf<OutgoingEvent, T>;

const head = s.looseObject({id: s.number(), type: s.string(), op: s.optional(s.string())});

function schemaFor(type: string, op = ''): Schema<ServerEvent> | undefined {
  if (!Object.hasOwn(eventSchemas, type)) return undefined;
  const entry = eventSchemas[type as keyof EventSchemas];
  if ('kind' in entry) return entry;
  const ops = entry as Record<string, Schema<ServerEvent>>;
  return Object.hasOwn(ops, op) ? ops[op] : undefined;
}

/**
 * Decodes an event. It never throws: an event that cannot be decoded is an `UnknownServerEvent`. Parts that do not match are
 * dropped and reported to `onIssue`.
 */
export function decodeEvent(raw: unknown, onIssue?: (issue: DecodeIssue) => void): ServerEvent | UnknownServerEvent {
  const start = decode(head, raw);
  if (!start.ok) return {type: 'unknown', id: idOf(raw), original: raw};
  const {id, type, op} = start.value;
  const schema = schemaFor(type, op);
  if (schema === undefined) return decodeVideoToken(raw) ?? {type: 'unknown', id, original: raw};
  const decoded = decodeTolerantly(schema, raw);
  if (!decoded.ok) return {type: 'unknown', id, original: raw, reason: decoded.reason};
  if (onIssue !== undefined) for (const issue of decoded.issues.recorded) onIssue(issue);
  return decoded.value;
}

function idOf(raw: unknown): number {
  const id: unknown = typeof raw === 'object' && raw !== null && 'id' in raw ? raw.id : undefined;
  return typeof id === 'number' ? id : -1;
}

/** The event types that the client requests. Heartbeats are sent without a request. */
export const eventTypes: readonly string[] = [
  ...Object.keys(eventSchemas).filter((type) => type !== 'heartbeat' && type !== 'default_stream_groups'),
  'has_zoom_token',
  'has_webex_token',
  'has_conference_token',
];

import type {ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import type {EventBody} from '#server/event-queues/event-queues.ts';
import type {ApiError} from '#server/http/errors.ts';
import type {OrganizationSettings} from '#server/organization/organization-settings.ts';
import type {Json, RequestParams, SentEvent} from './downgrade.ts';

/** The data that a rewrite may look up. */
export interface DowngradeContext {
  readonly server: ServerContext;
  readonly level: number;
}

/** The data that the rewrite of a request may look up. */
export interface RequestDowngradeContext extends DowngradeContext {
  readonly actor: UserRow | undefined;
}

/** Turns the newer form of an object or response into the older one. */
export type JsonRewrite = (value: Json, context: DowngradeContext) => Json;
/** Changes the parameters of an older request into those of a newer one, or refuses them. */
export type RequestRewrite = (params: RequestParams, context: RequestDowngradeContext) => void;
type EventRewrite = (body: EventBody, context: DowngradeContext) => readonly SentEvent[];

/**
 * One difference between a server before `level` and one from it on, as data. `before` turns the newer form into the
 * older one. Changes apply from the newest down to the one just above the simulated level.
 */
export type LevelChange = {readonly level: number} & (
  | {readonly kind: 'fields'; readonly object: ObjectName; readonly names: readonly string[]}
  | {readonly kind: 'object'; readonly object: ObjectName; readonly before: JsonRewrite}
  | {readonly kind: 'responseFields'; readonly endpoint: string; readonly without: readonly string[]}
  | {readonly kind: 'reshape'; readonly endpoint: string; readonly before: JsonRewrite}
  | {readonly kind: 'eventType'; readonly type: string}
  | {readonly kind: 'event'; readonly type: string; readonly before: EventRewrite}
  | {readonly kind: 'error'; readonly error: string; readonly before: (error: ApiError) => ApiError}
  | {readonly kind: 'request'; readonly endpoint: string; readonly before: RequestRewrite}
  /** Before the level, all clients have the capability, or none has it, whatever they sent. */
  | {readonly kind: 'capability'; readonly name: string; readonly before: boolean}
  /** Before the level, every organization has this value of the setting. */
  | {readonly kind: 'setting'; readonly before: Partial<OrganizationSettings>}
  /** Before the level, users with `role` may do at the endpoint what needs the role `now` from the level on. */
  | {readonly kind: 'role'; readonly endpoint: string; readonly role: number; readonly now: number}
);

/** The objects that occur in several responses and events; see `object-locations.ts`. */
export type ObjectName =
  | 'user'
  | 'channel'
  | 'message'
  | 'group'
  | 'linkifier'
  | 'attachment'
  | 'profileField'
  | 'reaction'
  | 'bot'
  | 'settings'
  | 'playground'
  | 'export';

/** Returns the object without some of its keys. */
export function without(value: Json, names: readonly string[]): Json {
  const rest = {...value};
  for (const name of names) delete rest[name];
  return rest;
}

/** Makes the change for fields that an object does not have before `level`. */
export function removedFields(level: number, object: ObjectName, ...names: string[]): LevelChange {
  return {kind: 'fields', level, object, names};
}

/** Makes the change for an endpoint's response that has another form before `level`. */
export function reshaped(level: number, endpoint: string, before: JsonRewrite): LevelChange {
  return {kind: 'reshape', level, endpoint, before};
}

/** Makes the change for fields that an endpoint's response does not have before `level`. */
export function removedResponseFields(level: number, endpoint: string, ...names: string[]): LevelChange {
  return {kind: 'responseFields', level, endpoint, without: names};
}

import type {ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import type {EventBody} from '#server/event-queues/emitted-event.ts';
import type {ApiError} from '#server/http/errors.ts';
import type {OrganizationSettings} from '#server/organization/organization-settings.ts';
import type {Json, RequestParams, SentEvent} from './downgrade.ts';

/** What a rewrite may look up to say the same thing in older words. */
export interface DowngradeContext {
  readonly world: ServerContext;
  readonly level: number;
}

/** What a request's rewrite may look up: also who asks. */
export interface RequestDowngradeContext extends DowngradeContext {
  readonly actor: UserRow | undefined;
}

/**
 * One difference between a server before `level` and one from it on, as data. `before` turns the newer form into the
 * older one; rows apply from the newest down to the one just above the simulated level.
 */
export type LevelChange = {readonly level: number} & (
  | {readonly kind: 'fields'; readonly object: ObjectName; readonly names: readonly string[]}
  | {
      readonly kind: 'object';
      readonly object: ObjectName;
      readonly before: (value: Json, past: DowngradeContext) => Json;
    }
  | {readonly kind: 'answer'; readonly endpoint: string; readonly without: readonly string[]}
  | {
      readonly kind: 'reshape';
      readonly endpoint: string;
      readonly before: (answer: Json, past: DowngradeContext) => Json;
    }
  | {readonly kind: 'eventType'; readonly type: string}
  | {
      readonly kind: 'event';
      readonly type: string;
      readonly before: (body: EventBody, past: DowngradeContext) => readonly SentEvent[];
    }
  | {readonly kind: 'error'; readonly error: string; readonly before: (error: ApiError) => ApiError}
  | {
      readonly kind: 'request';
      readonly endpoint: string;
      readonly before: (params: RequestParams, asked: RequestDowngradeContext) => void;
    }
  /** Every client counted as having it, or as not having it, whatever it said. */
  | {readonly kind: 'capability'; readonly name: string; readonly before: boolean}
  /** A setting of the organization that had this value everywhere. */
  | {readonly kind: 'setting'; readonly before: Partial<OrganizationSettings>}
  /** Whoever had `role` could do there what takes `now` from the level on. */
  | {readonly kind: 'rank'; readonly endpoint: string; readonly role: number; readonly now: number}
);

/** Objects that occur in several answers and events; `places.ts` says where. */
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
  | 'settings';

export function without(value: Json, names: readonly string[]): Json {
  const kept = {...value};
  for (const name of names) delete kept[name];
  return kept;
}

export const removedFields = (level: number, object: ObjectName, ...names: string[]): LevelChange => ({
  kind: 'fields',
  level,
  object,
  names,
});
export const removedResponseFields = (level: number, endpoint: string, ...names: string[]): LevelChange => ({
  kind: 'answer',
  level,
  endpoint,
  without: names,
});

import type {Users} from '#state/model/user.ts';
import type {EventType, ServerEvent} from '#wire/events.ts';
import type {Snapshot} from '#wire/register.ts';
import type {LocalSliceEvents} from './local-slice-events.ts';
import type {SavedFormat} from './saved-json.ts';
import type {ServerInfo} from './server.ts';

/** The facts about a registration that several slices need, or that its response may not contain. */
export interface Registration {
  /** The address of the server. */
  readonly url: string;
  readonly level: number;
  readonly selfId: number;
  /** The time of arrival, in milliseconds since the epoch. */
  readonly now: number;
  /** What the server calls its extra emoji; its settings say it, the response may not. */
  readonly extraEmojiType?: string;
  /** The users of an earlier response, which stay in use if nothing changed. */
  readonly knownUsers?: Users;
}

/** How a slice is read from a registration's response. */
interface SnapshotReader<Value> {
  /** The keys that it reads. They decide which event types the client fetches, see `wire/fetch-types.ts`. */
  readonly keys: readonly (keyof Snapshot)[];
  readonly read: (snapshot: Snapshot, registration: Registration) => Value;
}

/** Returns a reader. `read` sees the named keys only, so that none can be forgotten. */
export function fromSnapshot<Key extends keyof Snapshot, Value>(
  keys: readonly Key[],
  read: (snapshot: Pick<Snapshot, Key>, registration: Registration) => Value,
): SnapshotReader<Value> {
  return {keys, read};
}

export type LocalSliceEventOf<Type extends keyof LocalSliceEvents> = {readonly type: Type} & LocalSliceEvents[Type];
/** The types of events that a slice may have an applier for. */
type SliceEventType = EventType | keyof LocalSliceEvents;
type SliceEventOf<Type extends SliceEventType> = Type extends keyof LocalSliceEvents
  ? LocalSliceEventOf<Type>
  : Extract<ServerEvent, {type: Type}>;

/** The slices that the appliers of other slices may read. */
export interface ApplierContext {
  readonly self: {readonly userId: number};
  readonly server: ServerInfo;
}

/**
 * One slice of the account state: `state/slices.ts` lists them all, and the account state, its initial value, how it is read
 * from a registration, saved and changed by events follow from that list. `Type` has the event types that change this slice
 * by itself; `state/events/` has the appliers of those that change several slices together.
 */
export interface Slice<Value, Type extends SliceEventType = never> {
  readonly initial: Value;
  /** `initial`: a new registration resets it. `kept`: it is local, and a new registration does not change it. */
  readonly registered: SnapshotReader<Value> | 'initial' | 'kept';
  /** How the next start finds it; `no` for what is saved elsewhere or is valid only for a moment. */
  readonly saved: SavedFormat<Value> | 'no';
  /** Each returns the same value when nothing changed. */
  readonly appliers: {
    readonly [T in Type]: (value: Value, event: SliceEventOf<T>, context: ApplierContext) => Value;
  };
}

import type {ServerEvent} from '#wire/events.ts';
import type {LocalEvent} from './local-events.ts';
import type {AccountState} from './state.ts';

export type StateEvent = ServerEvent | LocalEvent;
export type StateEventOf<T extends StateEvent['type']> = Extract<StateEvent, {type: T}>;

/** One applier per event type: a new event type does not compile without one. */
export type Appliers = {
  readonly [T in StateEvent['type']]: (state: AccountState, event: StateEventOf<T>) => AccountState;
};

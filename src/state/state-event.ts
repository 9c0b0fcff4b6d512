import type {ServerEvent} from '#wire/events.ts';
import type {LocalEvent} from './local-events.ts';
import type {AccountState} from './state.ts';

export type StateEvent = ServerEvent | LocalEvent;
export type StateEventOf<T extends StateEvent['type']> = Extract<StateEvent, {type: T}>;

/** One applier for each type there is: a new event does not compile without. */
export type Appliers = {
  readonly [T in StateEvent['type']]: (state: AccountState, event: StateEventOf<T>) => AccountState;
};

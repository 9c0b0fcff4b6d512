import type {ServerEvent} from '#wire/events.ts';
import {appliers} from './events/appliers.ts';
import type {LocalEvent} from './local-events.ts';
import type {AccountState} from './state.ts';

export type StateEvent = ServerEvent | LocalEvent;
export type StateEventOf<T extends StateEvent['type']> = Extract<StateEvent, {type: T}>;

/** One applier for each type there is: a new event does not compile without. */
export type Appliers = {
  readonly [T in StateEvent['type']]: (state: AccountState, event: StateEventOf<T>) => AccountState;
};

/** `(state, event) → state`, the only way anything becomes known. Gives the same object back when nothing changed. */
export function applyEvent(state: AccountState, event: StateEvent): AccountState {
  // The table pairs each type with the applier for it, which a lookup by union cannot express.
  const apply = appliers[event.type] as (state: AccountState, event: StateEvent) => AccountState;
  return apply(state, event);
}

import {appliers} from './events/appliers.ts';
import type {AccountState} from './state.ts';
import type {StateEvent} from './state-event.ts';

/** `(state, event) → state`, the only way anything becomes known. Gives the same object back when nothing changed. */
export function applyEvent(state: AccountState, event: StateEvent): AccountState {
  // The table pairs each type with the applier for it, which a lookup by union cannot express.
  const apply = appliers[event.type] as (state: AccountState, event: StateEvent) => AccountState;
  return apply(state, event);
}

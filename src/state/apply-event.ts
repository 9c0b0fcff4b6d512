import {localAppliers} from '#state/events/local-appliers.ts';
import {messageAppliers} from '#state/events/message-appliers.ts';
import {organizationAppliers} from '#state/events/organization-appliers.ts';
import {personalAppliers} from '#state/events/personal-appliers.ts';
import {withAccessChanges} from './events/message-appliers.ts';
import type {Appliers, StateEvent} from './local-events.ts';
import type {AccountState} from './state.ts';

/** The applier of every event type. */
const appliers: Appliers = {
  ...messageAppliers,
  ...personalAppliers,
  ...organizationAppliers,
  ...localAppliers,
};

/**
 * Returns the state after an event; the state changes in no other way. Returns the same object when nothing changed.
 */
export function applyEvent(state: AccountState, event: StateEvent): AccountState {
  // The table pairs each type with its applier, which a lookup by union type cannot express.
  const apply = appliers[event.type] as (state: AccountState, event: StateEvent) => AccountState;
  return withAccessChanges(state, apply(state, event), event);
}

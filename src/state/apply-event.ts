import {localAppliers} from '#state/events/local-appliers.ts';
import {messageAppliers} from '#state/events/message-appliers.ts';
import {organizationAppliers} from '#state/events/organization-appliers.ts';
import {personalAppliers} from '#state/events/personal-appliers.ts';
import type {AccountState} from './state.ts';
import type {Appliers, StateEvent} from './state-event.ts';

/** Every event type and what it does. */
export const appliers: Appliers = {
  ...messageAppliers,
  ...personalAppliers,
  ...organizationAppliers,
  ...localAppliers,
};

/** `(state, event) → state`, the only way anything becomes known. Gives the same object back when nothing changed. */
export function applyEvent(state: AccountState, event: StateEvent): AccountState {
  // The table pairs each type with the applier for it, which a lookup by union cannot express.
  const apply = appliers[event.type] as (state: AccountState, event: StateEvent) => AccountState;
  return apply(state, event);
}

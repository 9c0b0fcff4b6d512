import {localAppliers} from '#state/events/local-appliers.ts';
import {messageAppliers, withAccessChanges} from '#state/events/message-appliers.ts';
import {organizationAppliers} from '#state/events/organization-appliers.ts';
import {personalAppliers} from '#state/events/personal-appliers.ts';
import type {Appliers, StateEvent} from './local-events.ts';
import {slices} from './slices.ts';
import type {AccountState} from './state.ts';

/** The appliers of event types that change several slices together, or none. */
const wholeStateAppliers: Appliers = {
  ...messageAppliers,
  ...personalAppliers,
  ...organizationAppliers,
  ...localAppliers,
};

type Applier = (state: AccountState, event: StateEvent) => AccountState;
type SliceAppliers = Readonly<Record<string, (value: unknown, event: StateEvent, state: AccountState) => unknown>>;

/** The applier of every event type. The tables pair each type with its applier, which a lookup by union type cannot express. */
const appliers = {...wholeStateAppliers, ...sliceAppliers()} as Readonly<Record<StateEvent['type'], Applier>>;

/** Returns the appliers of the slices by event type; if an event changes several, each changes its own. */
function sliceAppliers(): Readonly<Record<string, Applier>> {
  const found: Record<string, Applier> = {};
  for (const [name, slice] of Object.entries(slices)) {
    for (const [type, apply] of Object.entries(slice.appliers as unknown as SliceAppliers)) {
      const earlier = found[type];
      const applyToSlice: Applier = (state, event) => {
        const before = state[name as keyof AccountState];
        const after = apply(before, event, state);
        return after === before ? state : {...state, [name]: after};
      };
      found[type] = earlier === undefined ? applyToSlice : (state, event) => applyToSlice(earlier(state, event), event);
    }
  }
  return found;
}

/**
 * Returns the state after an event; the state changes in no other way. Returns the same object when nothing changed.
 */
export function applyEvent(state: AccountState, event: StateEvent): AccountState {
  return withAccessChanges(state, appliers[event.type](state, event), event);
}

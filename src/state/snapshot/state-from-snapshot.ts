import {initialState, stateOfSlices} from '#state/initial-state.ts';
import type {Registration} from '#state/slices/slice.ts';
import type {AccountState} from '#state/state.ts';
import {featureLevel} from '#wire/objects/server-settings.ts';
import type {Snapshot} from '#wire/register.ts';

/** The facts that a registration's response does not contain. */
interface SnapshotContext extends Omit<Registration, 'level' | 'selfId'> {
  /** The user, in case the response does not say. */
  readonly self?: {readonly userId: number};
}

/**
 * Converts a registration's response, of any feature level, to the account state. The slices that only this
 * machine knows, or that are fetched, have their initial values.
 */
export function stateFromSnapshot(snapshot: Snapshot, {self, ...context}: SnapshotContext): AccountState {
  const selfId = snapshot.user_id ?? self?.userId ?? initialState.self.userId;
  const registration = {...context, level: featureLevel(snapshot), selfId};
  return stateOfSlices(({initial, registered}) =>
    typeof registered === 'string' ? initial : registered.read(snapshot, registration),
  );
}

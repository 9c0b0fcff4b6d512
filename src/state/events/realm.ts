import {keepIfEqual, withSlices} from '#state/immutable-updates.ts';
import {realmFromWire} from '#state/model/organization.ts';
import type {AccountState} from '#state/state.ts';
import {type RealmEvent, realmPatch} from '#wire/events/realm.ts';

/** That the organization is closed is no fact of the state: whoever polls acts on it. */
export function applyRealm(state: AccountState, event: RealmEvent): AccountState {
  if (event.op === 'deactivated') return state;
  const realm = {...state.realm, ...realmFromWire(realmPatch(event), state.server.level)};
  return withSlices(state, {realm: keepIfEqual(state.realm, realm)});
}

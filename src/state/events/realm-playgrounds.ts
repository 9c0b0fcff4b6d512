import {keepIfEqual, withSlices} from '#state/immutable-updates.ts';
import {playgroundFromWire} from '#state/model/organization.ts';
import type {AccountState} from '#state/state.ts';
import type {RealmPlaygroundsEvent} from '#wire/events/realm-playgrounds.ts';

export function applyRealmPlaygrounds(state: AccountState, event: RealmPlaygroundsEvent): AccountState {
  const playgrounds = event.realm_playgrounds.map(playgroundFromWire);
  return withSlices(state, {playgrounds: keepIfEqual(state.playgrounds, playgrounds)});
}

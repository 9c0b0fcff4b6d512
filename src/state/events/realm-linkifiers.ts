import {keepIfEqual, withSlices} from '#state/immutable-updates.ts';
import {linkifierFromWire} from '#state/model/organization.ts';
import type {AccountState} from '#state/state.ts';
import type {RealmLinkifiersEvent} from '#wire/events/realm-linkifiers.ts';

export function applyRealmLinkifiers(state: AccountState, event: RealmLinkifiersEvent): AccountState {
  const linkifiers = event.realm_linkifiers.map(linkifierFromWire);
  return withSlices(state, {linkifiers: keepIfEqual(state.linkifiers, linkifiers)});
}

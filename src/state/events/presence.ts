import {keepIfEqual, withSlices} from '#state/immutable-updates.ts';
import {newestPresence, presenceFromWire} from '#state/model/personal.ts';
import type {AccountState} from '#state/state.ts';
import {type PresenceEvent, presencesOf} from '#wire/events/presence.ts';

/** Events only hasten what polling brings, so an older report never wins. */
export function applyPresence(state: AccountState, event: PresenceEvent): AccountState {
  const {presences} = state;
  let {byUser} = presences;
  for (const [id, wire] of Object.entries(presencesOf(event))) {
    const told = presenceFromWire(wire);
    const before = byUser.get(Number(id));
    const after = before === undefined ? told : keepIfEqual(before, newestPresence(before, told));
    if (after !== before) byUser = byUser.with(Number(id), after);
  }
  return byUser === presences.byUser ? state : withSlices(state, {presences: {...presences, byUser}});
}

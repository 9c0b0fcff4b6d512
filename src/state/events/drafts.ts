import {withSlices, withValue} from '#state/immutable-updates.ts';
import {draftFromWire} from '#state/model/personal.ts';
import type {AccountState} from '#state/state.ts';
import type {DraftsEvent} from '#wire/events/drafts.ts';

export function applyDrafts(state: AccountState, event: DraftsEvent): AccountState {
  if (event.op === 'remove') return withSlices(state, {drafts: state.drafts.without(event.draft_id)});
  let {drafts} = state;
  for (const wire of event.op === 'add' ? event.drafts : [event.draft]) {
    drafts = withValue(drafts, wire.id, draftFromWire(wire, state.self.userId));
  }
  return withSlices(state, {drafts});
}

import {keepIfEqual, withSlices} from '#state/immutable-updates.ts';
import type {AccountState} from '#state/state.ts';
import {SortedSet} from '#std/sorted-map.ts';
import type {DefaultStreamsEvent} from '#wire/events/default-streams.ts';
import {defaultChannelIds} from '#wire/register.ts';

export function applyDefaultStreams(state: AccountState, event: DefaultStreamsEvent): AccountState {
  const ids = defaultChannelIds({realm_default_streams: event.default_streams});
  return withSlices(state, {defaultChannels: keepIfEqual(state.defaultChannels, SortedSet.from(ids))});
}

import {applyEvent} from '#state/apply-event.ts';
import type {LocalEventOf, StateEvent, TimelinePage} from '#state/local-events.ts';
import type {Message} from '#state/model/message.ts';
import {type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import type {AccountState} from '#state/state.ts';
import * as eg from '#test/support/state-builders.ts';
import {checkMessages, checkTimelines, checkUnreads} from '#test/support/state-checks.ts';

/** Returns a state with three channels, the third of them not subscribed, the user and three others. */
export function threeChannelState(slices: Partial<AccountState> = {}): AccountState {
  return eg.state({
    users: eg.users(...[eg.selfId, 11, 12, 13].map((id) => eg.user({id}))),
    channels: eg.byId(...[1, 2, 3].map((id) => eg.channel({id, firstMessageId: 1}))),
    subscriptions: eg.subscribed(
      eg.subscription({channelId: 1}),
      eg.subscription({channelId: 2}),
      eg.subscription({channelId: 3, isSubscribed: false}),
    ),
    ...slices,
  });
}

/** Applies events and checks all invariants after each. */
export function applyChecked(state: AccountState, ...events: readonly StateEvent[]): AccountState {
  return events.reduce((before, event) => {
    const next = applyEvent(before, event);
    checkUnreads(next.unreads);
    checkMessages(next.messages);
    checkTimelines(next);
    return next;
  }, state);
}

export function fetched(
  messages: readonly Message[],
  page?: Partial<TimelinePage> & Pick<TimelinePage, 'narrow'>,
  fields: Partial<LocalEventOf<'messages_fetched'>> = {},
): LocalEventOf<'messages_fetched'> {
  return {
    type: 'messages_fetched',
    messages,
    unreadIds: [],
    since: undefined,
    page: page && {
      joins: 'replace',
      anchor: undefined,
      foundOldest: false,
      foundNewest: true,
      matches: [],
      ...page,
    },
    ...fields,
  };
}

/** Opens a view whose response contains these messages. */
export function opened(
  state: AccountState,
  narrow: Narrow,
  messages: readonly Message[],
  page: Partial<TimelinePage> = {},
): AccountState {
  return applyChecked(
    state,
    {type: 'timeline_opened', narrow},
    {type: 'fetch_started'},
    {type: 'timeline_loading', narrow, loading: 'first'},
    fetched(messages, {narrow, ...page}),
  );
}

export function timeline(state: AccountState, narrow: Narrow): Timeline {
  const found = state.timelines.get(narrowKey(narrow));
  if (found === undefined) throw new Error(`No timeline ${narrowKey(narrow)}`);
  return found;
}

export function shownIds(state: AccountState, narrow: Narrow): number[] {
  return timeline(state, narrow).ids.toArray();
}

/** Returns unread ids by conversation key. */
export function unreadIds({unreads}: AccountState): Record<string, number[]> {
  return Object.fromEntries([...unreads.conversations].map(([key, {ids}]) => [key, ids.toArray()]));
}

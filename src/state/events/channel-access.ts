import {withSlices} from '#state/immutable-updates.ts';
import {listsOwnMessages} from '#state/messages/event-conversations.ts';
import {topicConversationKey} from '#state/model/conversation.ts';
import {channelIdOfNarrow, conversationOfNarrow, type Narrow} from '#state/model/narrow.ts';
import {canReadChannel, isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import type {AccountState} from '#state/state.ts';
import type {StateEvent} from '#state/state-event.ts';
import {mapTimelines} from '#state/timelines/timeline-changes.ts';
import {deletedChannelIds} from '#wire/events/channels.ts';
import type {EventOf} from '#wire/events.ts';
import {applyDeleteMessage} from './delete-message.ts';

/**
 * Removes what the user may no longer read after an event, and marks views stale that lack what they may read now, or
 * what they missed without a subscription. Returns `after` when the event changes no access.
 */
export function withAccessChanges(before: AccountState, after: AccountState, event: StateEvent): AccountState {
  if (before === after) return after;
  return affectedChannelIds(before, event).reduce((state, id) => withChannelAccess(before, state, id), after);
}

function affectedChannelIds({self, channels}: AccountState, event: StateEvent): readonly number[] {
  switch (event.type) {
    case 'subscription':
      return event.op === 'add' || event.op === 'remove' ? event.subscriptions.map(({stream_id}) => stream_id) : [];
    case 'stream':
      if (event.op === 'update') return [event.stream_id];
      return event.op === 'delete' ? deletedChannelIds(event) : event.streams.map(({stream_id}) => stream_id);
    case 'update_message':
      return event.new_stream_id === undefined ? [] : [event.new_stream_id];
    case 'user_group':
      return [...channels.keys()];
    case 'realm_user':
      return event.op === 'update' && event.person.user_id === self.userId && event.person.role !== undefined
        ? [...channels.keys()]
        : [];
    default:
      return [];
  }
}

/** Returns whether the user may not be able to read some channel, or some moved message, any more after the event. */
export function mayHideChannels(event: StateEvent): boolean {
  switch (event.type) {
    case 'subscription':
      return event.op === 'remove';
    case 'stream':
      if (event.op === 'update') return event.property === 'invite_only' || event.property.startsWith('can_');
      return event.op === 'delete';
    case 'update_message':
      return event.new_stream_id !== undefined;
    case 'user_group':
      return true;
    case 'realm_user':
      return event.op === 'update' && event.person.role !== undefined;
    default:
      return false;
  }
}

function withChannelAccess(before: AccountState, after: AccountState, id: number): AccountState {
  if (isHidden(after, id)) return withoutMessagesOf(after, id);
  const channel = after.channels.get(id);
  if (channel === undefined) return after;
  if (!isReadable(before, id)) {
    // Nothing can be missing from a new channel.
    return channel.firstMessageId === null ? after : withStaleTimelines(after, (narrow) => mayShow(narrow, id));
  }
  if (isSubscribed(before, id) || !isSubscribed(after, id)) return after;
  return withStaleTimelines(after, (narrow) => channelIdOfNarrow(narrow) === id);
}

/**
 * Returns whether the user may not read the channel's messages any more. A channel that is unknown for another reason,
 * such as an event that is still to come, is not hidden.
 */
export function isHidden(state: AccountState, channelId: number): boolean {
  if (state.formerChannels.has(channelId)) return state.server.abilities.deletedChannelsAreGone;
  return state.channels.has(channelId) && !isReadable(state, channelId);
}

/** A member becomes a full member with time; events do not say so, so the time of the registration counts. */
function isReadable(state: AccountState, channelId: number): boolean {
  const channel = state.channels.get(channelId);
  const nowMs = state.presences.registeredAt ?? Number.MAX_SAFE_INTEGER;
  return channel !== undefined && canReadChannel(state, channel, nowMs);
}

/** Removes the messages and topics of a channel from every view. */
function withoutMessagesOf(state: AccountState, id: number): AccountState {
  const message_ids: number[] = [];
  const prefix = topicConversationKey(id, '');
  for (const [key, ids] of state.messages.byConversation.entries(prefix)) {
    if (!key.startsWith(prefix)) break;
    for (const messageId of ids) message_ids.push(messageId);
  }
  const after = withoutMessageIds(state, message_ids);
  return withSlices(after, {topics: after.topics.without(id)});
}

/** Removes messages as if they were deleted, except that the server still counts them as starred. */
export function withoutMessageIds(state: AccountState, message_ids: readonly number[]): AccountState {
  if (message_ids.length === 0) return state;
  const event: EventOf<'delete_message'> = {
    id: -1,
    type: 'delete_message',
    message_type: 'stream',
    message_ids: [...message_ids],
  };
  return withSlices(applyDeleteMessage(state, event), {starred: state.starred});
}

function withStaleTimelines(state: AccountState, isAffected: (narrow: Narrow) => boolean): AccountState {
  const timelines = mapTimelines(state, (timeline) => {
    const becameStaleWhileLoading = timeline.loading === 'first';
    if (!isAffected(timeline.narrow) || (timeline.isStale && !becameStaleWhileLoading)) return timeline;
    return {...timeline, isStale: true, becameStaleWhileLoading};
  });
  return withSlices(state, {timelines});
}

function mayShow(narrow: Narrow, channelId: number): boolean {
  if (conversationOfNarrow(narrow)?.kind === 'direct') return false;
  return listsOwnMessages(narrow) || (channelIdOfNarrow(narrow) ?? channelId) === channelId;
}

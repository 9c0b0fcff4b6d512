import {withSlices} from '#state/immutable-updates.ts';
import {withoutLatestMessages} from '#state/messages/latest-messages.ts';
import {conversationOf, withoutMessages} from '#state/messages/loaded-messages.ts';
import {withEdits} from '#state/messages/typing-users.ts';
import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import {mapTimelines, withoutMessageIds} from '#state/timelines/timeline-changes.ts';
import {removeUnreads} from '#state/unreads/unreads.ts';
import {deletedIds} from '#wire/events/messages.ts';
import type {EventOf} from '#wire/events.ts';

export function applyDeleteMessage(state: AccountState, event: EventOf<'delete_message'>): AccountState {
  const ids = deletedIds(event);
  const starred = ids.filter((id) => state.starred.has(id));
  const edits = ids.reduce((remaining, id) => remaining.without(id), state.typing.edits);
  const withoutDeleted = withSlices(state, {
    messages: withoutMessages(state.messages, ids),
    unreads: removeUnreads(state.unreads, ids),
    starred: starred.length === 0 ? state.starred : state.starred.withoutAll(starred),
    timelines: withoutIds(state, ids),
    typing: withEdits(state.typing, edits),
  });
  const deleted = new Set(ids);
  return conversationsOfDeleted(state, event, ids).reduce(
    (after, conversation) => withSlices(after, withoutLatestMessages(after, conversation, deleted)),
    withoutDeleted,
  );
}

function withoutIds(state: AccountState, ids: readonly number[]): AccountState['timelines'] {
  return mapTimelines(state, (timeline) => withoutMessageIds(timeline, ids));
}

/** Returns the conversations of deleted messages. Events about direct messages do not name the conversation. */
function conversationsOfDeleted(
  state: AccountState,
  event: EventOf<'delete_message'>,
  ids: readonly number[],
): Conversation[] {
  const conversations = new Map<string, Conversation>();
  const add = (conversation: Conversation) => conversations.set(conversationKey(conversation), conversation);
  if (event.stream_id !== undefined && event.topic !== undefined) {
    add({kind: 'topic', channelId: event.stream_id, topic: event.topic});
  }
  for (const id of ids) {
    const message = state.messages.byId.get(id);
    const key = state.unreads.byId.get(id);
    const unread = key === undefined ? undefined : state.unreads.conversations.get(key);
    const conversation = message === undefined ? unread?.conversation : conversationOf(message);
    if (conversation !== undefined) add(conversation);
  }
  if (event.message_type === 'private') {
    const deleted = new Set(ids);
    for (const {userIds, maxId} of state.directs.values()) {
      if (deleted.has(maxId)) add({kind: 'direct', userIds});
    }
  }
  return [...conversations.values()];
}

import {canBeUnread} from '#state/messages/event-conversations.ts';
import {directConversation, directKey} from '#state/model/conversation.ts';
import {noUnreads, type Unreads} from '#state/model/unread.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import type {Snapshot} from '#wire/register.ts';
import {unreadsFromWire} from './unreads-from-wire.ts';

type MessageSlices = Pick<AccountState, 'unreads' | 'starred' | 'directs' | 'maxMessageId'>;

/** Builds the slices about messages from a registration's response. */
export function messageSlices(
  snapshot: Snapshot,
  selfId: number,
  subscriptions: AccountState['subscriptions'],
): MessageSlices {
  const unreads = unreadsSlice(snapshot, selfId, subscriptions);
  const starred = SortedSet.from(snapshot.starred_messages ?? []);
  const directs = directsSlice(snapshot, selfId);
  const newestDirect = [...directs.values()].reduce((newest, {maxId}) => Math.max(newest, maxId), -1);
  return {
    unreads,
    starred,
    directs,
    maxMessageId: Math.max(
      snapshot.max_message_id ?? -1,
      unreads.byId.lastKey() ?? -1,
      starred.last() ?? -1,
      newestDirect,
    ),
  };
}

/**
 * Drops unread messages of channels that the user can no longer see, which some servers count: they could
 * never be read.
 */
function unreadsSlice(
  {unread_msgs, subscriptions: listed}: Snapshot,
  selfId: number,
  subscriptions: AccountState['subscriptions'],
): Unreads {
  if (unread_msgs === undefined) return noUnreads;
  return unreadsFromWire(
    unread_msgs,
    selfId,
    (conversation) => listed === undefined || canBeUnread({subscriptions}, conversation),
  );
}

function directsSlice(snapshot: Snapshot, selfId: number): AccountState['directs'] {
  const recent = snapshot.recent_private_conversations ?? [];
  return SortedMap.by(
    recent.map(({user_ids, max_message_id}) => ({
      userIds: directConversation(user_ids, selfId).userIds,
      maxId: max_message_id,
    })),
    ({userIds}) => directKey(userIds),
  );
}

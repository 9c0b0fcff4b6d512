import {type ConversationKey, directConversation, directKey} from '#state/model/conversation.ts';
import {SortedMap} from '#std/sorted-map.ts';
import type {Snapshot} from '#wire/register.ts';

/** The newest message of a direct conversation. */
export interface DirectSummary {
  readonly userIds: readonly number[];
  readonly maxId: number;
  /** The newest message was deleted: whether there are others, and which is the newest, the session asks the server. */
  readonly isGuess?: true;
}

export function directsSlice(snapshot: Snapshot, selfId: number): SortedMap<ConversationKey, DirectSummary> {
  const recent = snapshot.recent_private_conversations ?? [];
  return SortedMap.by(
    recent.map(({user_ids, max_message_id}) => ({
      userIds: directConversation(user_ids, selfId).userIds,
      maxId: max_message_id,
    })),
    ({userIds}) => directKey(userIds),
  );
}

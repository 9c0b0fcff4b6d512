import {type ConversationKey, directConversation, directKey} from '#state/model/conversation.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {savedMap} from './saved-json.ts';
import {fromSnapshot, type Slice} from './slice.ts';

/** The newest message of a direct conversation. */
interface DirectSummary {
  readonly userIds: readonly number[];
  readonly maxId: number;
  /** The newest message was deleted: whether there are others, and which is the newest, the session asks the server. */
  readonly isGuess?: true;
}

/** The newest message of each direct conversation; the server lists those among the ~1000 latest messages. */
export const directs: Slice<SortedMap<ConversationKey, DirectSummary>, 'newest_direct_fetched'> = {
  initial: SortedMap.empty(),
  registered: fromSnapshot(['recent_private_conversations'], ({recent_private_conversations = []}, {selfId}) => {
    const recent = recent_private_conversations.map(({user_ids, max_message_id: maxId}) => ({
      userIds: directConversation(user_ids, selfId).userIds,
      maxId,
    }));
    return SortedMap.by(recent, ({userIds}) => directKey(userIds));
  }),
  saved: savedMap('string', {userIds: 'array', maxId: 'number'}),
  appliers: {
    /** Events may have told the newest message meanwhile. */
    newest_direct_fetched: (before, {key, maxId}) => {
      const {isGuess, userIds = []} = before.get(key) ?? {};
      if (isGuess !== true) return before;
      return maxId === undefined ? before.without(key) : before.with(key, {userIds, maxId});
    },
  },
};

import type {Api} from '#api/api.ts';
import {isRefusal} from '#api/failure.ts';
import {directKey} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import type {ActionHandler} from './action-handler.ts';
import {type ConversationUnreadIds, flagsHandler, unreadIdsByConversation} from './message-flags.ts';

export interface MutedUserAction {
  readonly kind: 'mutedUser';
  readonly userId: number;
  readonly isMuted: boolean;
  /** For unmuting: the messages that muting marked as read. */
  readonly unread?: readonly ConversationUnreadIds[];
}

export const mutedUserHandler: ActionHandler<MutedUserAction> = {
  effective(state, action) {
    if (state.mutedUsers.has(action.userId) !== action.isMuted) return action;
    const isRestored =
      action.isMuted || flagsHandler.effective(state, unreadAction(action, groupIds(action.unread))) === undefined;
    return isRestored ? undefined : action;
  },

  optimisticEvents(state, action, now) {
    const {userId, isMuted} = action;
    const others = [...state.mutedUsers.values()].filter(({id}) => id !== userId);
    const muted = isMuted ? [...others, {id: userId, timestamp: Math.floor(now / 1000)}] : others;
    const unread = isMuted ? unreadFrom(state, userId) : groupIds(action.unread);
    const changed = flagsHandler.effective(state, unreadAction(action, unread));
    return [
      {type: 'muted_users', id: -1, muted_users: muted},
      ...(changed === undefined ? [] : flagsHandler.optimisticEvents(state, changed, now)),
    ];
  },

  inverse(state, {kind, userId, isMuted}) {
    const unread = isMuted ? unreadIdsByConversation(state, unreadFrom(state, userId)) : [];
    return {kind, userId, isMuted: !isMuted, ...(unread.length > 0 && {unread})};
  },

  async request(api, action) {
    await requestMute(api, action);
    const ids = groupIds(action.unread);
    if (!action.isMuted && ids.length > 0) {
      await api.updateFlags({messages: ids, op: 'remove', flag: 'read'});
    }
  },
};

/** Returns the unread messages known to be from the user: loaded ones and direct messages. */
function unreadFrom({unreads, messages}: AccountState, userId: number): number[] {
  const direct = unreads.conversations.get(directKey([userId]))?.ids;
  return [...unreads.byId.keys()].filter(
    (id) => direct?.has(id) === true || messages.byId.get(id)?.senderId === userId,
  );
}

function groupIds(groups: readonly ConversationUnreadIds[] = []): number[] {
  return groups.flatMap(({ids}) => ids);
}

function unreadAction({isMuted, unread = []}: MutedUserAction, ids: readonly number[]) {
  return {
    kind: 'flags',
    op: isMuted ? 'add' : 'remove',
    flag: 'read',
    ids,
    ...(!isMuted && {places: unread}),
  } as const;
}

/** Mutes or unmutes. Repeating a request is refused like any error, so a snapshot tells whether it is already done. */
async function requestMute(api: Api, {userId, isMuted}: MutedUserAction): Promise<void> {
  const args = {muted_user_id: userId};
  try {
    await (isMuted ? api.muteUser(args) : api.unmuteUser(args));
  } catch (error) {
    if (!isRefusal(error, 'BAD_REQUEST') || (await isMutedOnServer(api, userId)) !== isMuted) throw error;
  }
}

async function isMutedOnServer(api: Api, userId: number): Promise<boolean> {
  const state = await api.register({event_types: [], fetch_event_types: ['muted_users']});
  if (state.queue_id !== null) {
    await api.deleteQueue({queue_id: state.queue_id}).catch(() => {});
  }
  return state.muted_users?.some(({id}) => id === userId) ?? false;
}

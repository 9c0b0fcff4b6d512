import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import {conversationKey} from '#state/model/conversation.ts';
import type {ConversationUnreads} from '#state/model/unread.ts';
import type {AccountState} from '#state/state.ts';
import {memoBySlices} from '#std/memo.ts';
import {isMuted} from './signs.ts';

export interface ChannelCounts {
  /** What asks for attention: unmuted topics, and mentions wherever they are. */
  readonly unmuted: number;
  /** What is left out of every sum. */
  readonly muted: number;
  readonly mentions: number;
}

export interface UnreadCounts {
  /** Every unread message there is, muted ones too. */
  readonly all: number;
  /** What asks for attention: all but what is muted and does not mention one. */
  readonly total: number;
  readonly directs: number;
  /** Direct messages among them. */
  readonly mentions: number;
  readonly muted: number;
  readonly channels: ReadonlyMap<number, ChannelCounts>;
}

/** How many unread messages mention the user, by conversation. Those without are absent. */
export const mentionCounts = memoBySlices(
  ['unreads'],
  ({unreads}: AccountState): ReadonlyMap<ConversationKey, number> => {
    const counts = new Map<ConversationKey, number>();
    for (const id of unreads.mentions) {
      const key = unreads.byId.get(id);
      if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  },
);

export const unreadCounts = memoBySlices(
  ['unreads', 'userTopics', 'subscriptions', 'mutedUsers'],
  (state: AccountState): UnreadCounts => {
    const mentions = mentionCounts(state);
    const channels = new Map<number, ChannelCounts>();
    let directs = 0;
    let muted = 0;
    const mutedOnes = muting.of(state);
    for (const unread of state.unreads.conversations.values()) {
      const {conversation, ids} = unread;
      const hidden = mutedOnes.has(unread) ? ids.size - (mentions.get(unread.key) ?? 0) : 0;
      muted += hidden;
      if (conversation.kind === 'direct') {
        directs += ids.size - hidden;
        continue;
      }
      const before = channels.get(conversation.channelId);
      channels.set(conversation.channelId, {
        unmuted: (before?.unmuted ?? 0) + ids.size - hidden,
        muted: (before?.muted ?? 0) + hidden,
        mentions: (before?.mentions ?? 0) + (mentions.get(unread.key) ?? 0),
      });
    }
    const all = state.unreads.byId.size;
    return {all, total: all - muted, directs, mentions: state.unreads.mentions.size, muted, channels};
  },
);

/** Looked up anew only where something changed: whether a conversation is muted is asked of thousands, for each message. */
class MutedConversations {
  #of: Pick<AccountState, 'userTopics' | 'subscriptions' | 'mutedUsers'> | undefined;
  #known = new WeakMap<ConversationUnreads, boolean>();

  of(state: AccountState): this {
    const {userTopics, subscriptions, mutedUsers} = state;
    const before = this.#of;
    const isSame =
      before?.userTopics === userTopics &&
      before.subscriptions === subscriptions &&
      before.mutedUsers === mutedUsers;
    if (!isSame) this.#known = new WeakMap();
    this.#of = {userTopics, subscriptions, mutedUsers};
    return this;
  }

  has(unread: ConversationUnreads): boolean {
    let isHidden = this.#known.get(unread);
    if (isHidden === undefined && this.#of !== undefined) {
      isHidden = isMuted(this.#of, unread.conversation, unread.key);
      this.#known.set(unread, isHidden);
    }
    return isHidden === true;
  }
}

const muting = new MutedConversations();

const noCounts: ChannelCounts = {unmuted: 0, muted: 0, mentions: 0};

export function channelUnreads(state: AccountState, channelId: number): ChannelCounts {
  return unreadCounts(state).channels.get(channelId) ?? noCounts;
}

/** All unread messages of a conversation, muted or not. */
export function conversationUnreads(
  state: Pick<AccountState, 'unreads'>,
  conversation: Conversation,
): ConversationUnreads | undefined {
  return state.unreads.conversations.get(conversationKey(conversation));
}

export function conversationUnreadCount(
  state: Pick<AccountState, 'unreads'>,
  conversation: Conversation,
): number {
  return conversationUnreads(state, conversation)?.ids.size ?? 0;
}

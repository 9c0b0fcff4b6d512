import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import {conversationKey} from '#state/model/conversation.ts';
import type {DraftTarget, LocalDraft} from '#state/model/draft.ts';
import type {AccountState} from '#state/state.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {memoBySlices} from '#std/memo.ts';

type DraftConversations = ReadonlyMap<ConversationKey, Conversation>;

/**
 * Returns the conversations with drafts, most recently edited first. Returns the same map while it is equal: the text of a
 * draft changes with every few keys.
 */
export const draftConversations = memoBySlices(
  ['drafts', 'localDrafts'],
  (state: Pick<AccountState, 'drafts' | 'localDrafts'>, before: DraftConversations | undefined): DraftConversations => {
    const drafts = state.localDrafts.filter(isVisibleDraft).map(({target, editedAt}) => ({target, at: editedAt}));
    // A draft that exists on both sides is judged by its local version, even when that is deleted.
    const localServerIds = new Set(state.localDrafts.map(({serverId}) => serverId));
    for (const {id, target, timestamp} of state.drafts.values()) {
      if (!localServerIds.has(id)) drafts.push({target, at: timestamp * 1000});
    }
    drafts.sort((a, b) => b.at - a.at);
    const conversations = new Map(drafts.flatMap(({target}) => keyedConversation(target)));
    return before !== undefined && deepEqual([...before], [...conversations]) ? before : conversations;
  },
);

/** Returns the number of drafts, local and on the server. */
export const draftCount = memoBySlices(['drafts', 'localDrafts'], (state: AccountState): number => {
  const localServerIds = new Set(state.localDrafts.map(({serverId}) => serverId));
  const localCount = state.localDrafts.filter(isVisibleDraft).length;
  return localCount + [...state.drafts.keys()].filter((id) => !localServerIds.has(id)).length;
});

/** Returns whether a draft has text and is not deleted. */
export function isVisibleDraft({status, content}: LocalDraft): boolean {
  return status !== 'deleted' && content.trim() !== '';
}

function keyedConversation(target: DraftTarget): [ConversationKey, Conversation][] {
  return target.kind === 'none' ? [] : [[conversationKey(target), target]];
}

export function hasDraft(state: AccountState, conversation: Conversation): boolean {
  return draftConversations(state).has(conversationKey(conversation));
}

import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import {conversationKey} from '#state/model/conversation.ts';
import type {DraftTarget, LocalDraft} from '#state/model/draft.ts';
import type {AccountState} from '#state/state.ts';
import {memoBySlices} from '#std/memo.ts';

/** The conversations somebody began to write in, each once; those written in last come first. */
export const draftConversations = memoBySlices(
  ['drafts', 'localDrafts'],
  (state: Pick<AccountState, 'drafts' | 'localDrafts'>): ReadonlyMap<ConversationKey, Conversation> => {
    const written = state.localDrafts
      .filter(isVisibleDraft)
      .map(({target, editedAt}) => ({target, at: editedAt}));
    // What is here as well is judged by what is here, even when that says it is gone.
    const here = new Set(state.localDrafts.map(({serverId}) => serverId));
    for (const {id, target, timestamp} of state.drafts.values()) {
      if (!here.has(id)) written.push({target, at: timestamp * 1000});
    }
    written.sort((a, b) => b.at - a.at);
    return new Map(written.flatMap(({target}) => keyed(target)));
  },
);

/** How many there are, here and on the server. */
export const draftCount = memoBySlices(['drafts', 'localDrafts'], (state: AccountState): number => {
  const here = new Set(state.localDrafts.map(({serverId}) => serverId));
  const written = state.localDrafts.filter(isVisibleDraft).length;
  return written + [...state.drafts.keys()].filter((id) => !here.has(id)).length;
});

/** There is something in it, and nobody has done away with it. */
export function isVisibleDraft({status, content}: LocalDraft): boolean {
  return status !== 'deleted' && content.trim() !== '';
}

function keyed(target: DraftTarget): [ConversationKey, Conversation][] {
  return target.kind === 'none' ? [] : [[conversationKey(target), target]];
}

export function hasDraft(state: AccountState, conversation: Conversation): boolean {
  return draftConversations(state).has(conversationKey(conversation));
}

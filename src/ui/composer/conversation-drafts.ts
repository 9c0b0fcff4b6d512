import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import type {LocalDraft} from '#state/model/draft.ts';
import type {AccountState} from '#state/state.ts';
import type {ComposerState} from './composer-state.ts';

/** Returns the conversation's drafts, last edited first, without the draft of a delayed send. */
export function conversationDrafts(
  {localDrafts}: Pick<AccountState, 'localDrafts'>,
  conversation: Conversation,
  sendingDraftId: string | undefined,
): readonly LocalDraft[] {
  const key = conversationKey(conversation);
  return localDrafts
    .filter(({id, target, content}) => {
      const isHere = target.kind !== 'none' && conversationKey(target) === key;
      return isHere && content.trim() !== '' && id !== sendingDraftId;
    })
    .sort((a, b) => b.editedAt - a.editedAt);
}

/** Returns the drafts of the composer's conversation other than the one being edited. */
export function otherDrafts(
  account: Pick<AccountState, 'localDrafts'>,
  {target, draftId, delayedSend}: ComposerState,
): readonly LocalDraft[] {
  if (target.kind === 'none' || account.localDrafts.length === 0) return [];
  return conversationDrafts(account, target, delayedSend?.draftId).filter(({id}) => id !== draftId);
}

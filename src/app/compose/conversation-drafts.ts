import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import type {LocalDraft} from '#state/model/draft.ts';
import type {AccountState} from '#state/state.ts';
import type {ComposerState} from './composer-state.ts';

/** The drafts of a conversation, the one written in last first. One that is about to leave is none any more. */
export function conversationDrafts(
  {localDrafts}: Pick<AccountState, 'localDrafts'>,
  conversation: Conversation,
  leavingId: string | undefined,
): readonly LocalDraft[] {
  const key = conversationKey(conversation);
  return localDrafts
    .filter(({id, target, content}) => {
      const isHere = target.kind !== 'none' && conversationKey(target) === key;
      return isHere && content.trim() !== '' && id !== leavingId;
    })
    .sort((a, b) => b.editedAt - a.editedAt);
}

/** Those of the same conversation that the composer does not hold. */
export function otherDrafts(
  account: Pick<AccountState, 'localDrafts'>,
  {target, draftId, delayedSend: pending}: ComposerState,
): readonly LocalDraft[] {
  if (target.kind === 'none' || account.localDrafts.length === 0) return [];
  return conversationDrafts(account, target, pending?.draftId).filter(({id}) => id !== draftId);
}

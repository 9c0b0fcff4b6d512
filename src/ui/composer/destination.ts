import {conversationOf} from '#state/messages/loaded-messages.ts';
import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import type {DraftTarget, LocalDraft} from '#state/model/draft.ts';
import type {AccountState} from '#state/state.ts';
import {titleWithResolvedMark} from '#ui/format/conversation-name.ts';
import type {ComposerAnchor, ComposerState} from './composer-state.ts';

export function targetConversation(target: DraftTarget): Conversation | undefined {
  return target.kind === 'none' ? undefined : target;
}

export function destinationTitle(account: AccountState, target: DraftTarget): string {
  return target.kind === 'none' ? 'no recipient yet' : titleWithResolvedMark(account, target);
}

export function sameTarget(a: DraftTarget, b: DraftTarget | undefined): boolean {
  if (b === undefined || a.kind === 'none' || b.kind === 'none') return false;
  return conversationKey(a) === conversationKey(b);
}

/** Returns the conversation that the target has moved to since the composer opened; undefined when it has not moved. */
export function movedDestination(
  {messages}: Pick<AccountState, 'messages'>,
  {target, anchor, isOpen, editing}: ComposerState,
): Conversation | undefined {
  if (!isOpen || editing !== undefined || anchor === undefined || target.kind !== 'topic') return undefined;
  const message = messages.byId.get(anchor.messageId);
  const key = conversationKey(target);
  if (message === undefined || message.conversationKey === key) return undefined;
  if (!anchor.isRepliedTo && messages.byConversation.has(key)) return undefined;
  return conversationOf(message);
}

/** Returns the newest message as the anchor: it moves only when the whole conversation moves. */
export function newestMessageAnchor(
  {messages}: Pick<AccountState, 'messages'>,
  target: DraftTarget,
): ComposerAnchor | undefined {
  if (target.kind === 'none') return undefined;
  const messageId = messages.byConversation.get(conversationKey(target))?.last();
  return messageId === undefined ? undefined : {messageId, isRepliedTo: false};
}

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

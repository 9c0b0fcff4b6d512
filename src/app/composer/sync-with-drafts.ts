import type {App} from '#app/core/app.ts';
import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import {normalizedContent} from '#state/outbox/normalize-text.ts';
import type {AccountState} from '#state/state.ts';
import {emptyComposer} from '#ui/composer/composer-state.ts';
import {conversationDrafts, targetConversation} from '#ui/composer/destination.ts';
import {replaceAll} from '#ui/text/text-field.ts';
import {setComposer} from './change-composer.ts';
import {composerFor} from './open-composer.ts';

/** Follows draft changes from other clients, unless the user is editing the same text here. */
export function syncWithDrafts(app: App): void {
  const {composer} = app.screen;
  if (composer.editing !== undefined || app.composerPersistence.isUnsaved) return;
  const draft = composer.draftId === undefined ? undefined : app.session.drafts.get(composer.draftId);
  if (draft !== undefined) {
    if (draft.content !== composer.field.text) {
      setComposer(app, {field: replaceAll(composer.field, draft.content)});
    }
    return;
  }
  const conversation = targetConversation(composer.target);
  if (conversation === undefined) return;
  if (composer.isOpen) {
    if (composer.draftId !== undefined) clearIfSentElsewhere(app, conversation);
    return;
  }
  const [next] = conversationDrafts(app.state, conversation, composer.delayedSend?.draftId);
  if (next !== undefined || composer.draftId !== undefined) setComposer(app, composerFor(app, composer.target));
}

/**
 * Empties the composer when another client has sent its text: the next Enter would send it twice. Text whose draft
 * was only deleted elsewhere stays.
 */
function clearIfSentElsewhere(app: App, conversation: Conversation): void {
  const {composer} = app.screen;
  if (!isAlreadySent(app.state, conversation, composer.field.text)) return;
  app.composerPersistence.rememberField(composer.field);
  setComposer(app, {...emptyComposer(composer), isOpen: true, anchor: composer.anchor});
  app.toast('Already sent from another client');
}

/** The number of newest messages that are compared. */
const lookBack = 10;

/** Returns whether the same text is in the outbox for the conversation, or among its newest messages. */
function isAlreadySent(account: AccountState, conversation: Conversation, text: string): boolean {
  const key = conversationKey(conversation);
  const normalized = normalizedContent(text, account);
  const isSame = (content: string) => normalizedContent(content, account) === normalized;
  const {outbox, messages, self} = account;
  const isInOutbox = outbox.some(({conversation: to, content}) => conversationKey(to) === key && isSame(content));
  if (isInOutbox) return true;
  const ids = messages.byConversation.get(key);
  let id = ids?.last();
  for (let count = 0; id !== undefined && count < lookBack; count++) {
    const message = messages.byId.get(id);
    if (message?.senderId === self.userId && isSame(message.content)) return true;
    id = ids?.before(id);
  }
  return false;
}

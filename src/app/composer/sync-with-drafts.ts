import type {App} from '#app/core/app.ts';
import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import type {LocalDraft} from '#state/model/draft.ts';
import {normalizedContent} from '#state/outbox/normalize-text.ts';
import type {AccountState} from '#state/state.ts';
import {emptyComposer} from '#ui/composer/composer-state.ts';
import {conversationDrafts, targetConversation} from '#ui/composer/destination.ts';
import {replaceAll} from '#ui/text/text-field.ts';
import {setComposer} from './change-composer.ts';
import {composerFor, restoreDraft} from './open-composer.ts';

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
 * Puts a draft that an undo brought back into the composer if the user is there and has written nothing. Otherwise it stays a
 * draft, because undo must not take the keys away: the next one would be typed. Returns whether it is in the composer.
 */
export function restoreIfWriting(app: App, draft: LocalDraft): boolean {
  const {composer, focus} = app.screen;
  const isEmpty = composer.field.text.trim() === '' && composer.editing === undefined;
  const isWriting = focus === 'composer' && isEmpty;
  if (isWriting) restoreDraft(app, draft);
  else syncWithDrafts(app);
  return isWriting;
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

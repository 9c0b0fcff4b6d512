import type {App} from '#app/core/app.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {ignoreFailure} from '#app/requests/ignore-failure.ts';
import type {DraftTarget, LocalDraft} from '#state/model/draft.ts';
import {canPost} from '#state/selectors/permissions/channel-permissions.ts';
import {
  type ComposerAnchor,
  type ComposerField,
  type ComposerState,
  canRecall,
  emptyComposer,
} from '#ui/composer/composer-state.ts';
import {conversationDrafts, newestMessageAnchor, sameTarget, targetConversation} from '#ui/composer/destination.ts';
import {type Recipients, recipientsOf} from '#ui/composer/recipients.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {shownConversation} from '#ui/core/frame.ts';
import {type KeyOffer, withDraftsKey} from '#ui/core/toast-message.ts';
import {selectedMessage} from '#ui/message-pane/selected-message.ts';
import {clear, insertBlock, type TextField} from '#ui/text/text-field.ts';
import {afterTextChange, focusComposer, setComposer} from './change-composer.ts';

export interface ComposeOptions {
  readonly target: DraftTarget;
  /** The message being replied to. */
  readonly repliesTo?: number | undefined;
  /** The destination fields open first. */
  readonly recipients?: Recipients | undefined;
  readonly activePart?: ComposerField | undefined;
  /** Inserted at the cursor as a block. */
  readonly block?: string | undefined;
  readonly text?: ((field: TextField) => TextField) | undefined;
  /** Called after the next message is sent from here. */
  readonly onSent?: (() => void) | undefined;
}

/** Returns the reason why this session cannot send at all. */
export function composeProblem({info}: AppReader): string | undefined {
  return info.isReadOnly ? 'This session is read-only: nothing is sent' : undefined;
}

/**
 * Returns the reason why posting there is not allowed. Existing text there can still be opened, to read and copy it.
 */
export function destinationProblem({state, screen, clock}: AppReader, target: DraftTarget): string | undefined {
  if (target.kind !== 'topic') return undefined;
  const permission = canPost(state, target, clock.now());
  if (permission.ok) return undefined;
  const {composer} = screen;
  const isHere = sameTarget(composer.target, target) && composer.editing === undefined;
  const hasText = isHere
    ? composer.field.text !== ''
    : conversationDrafts(state, target, composer.delayedSend?.draftId).length > 0;
  return hasText ? undefined : permission.reason;
}

/**
 * Opens the composer for a destination, with its latest draft. Text written for another destination is saved as its
 * draft.
 */
export function openComposer(app: App, options: ComposeOptions): void {
  const problem =
    composeProblem(app) ?? (options.recipients === undefined ? destinationProblem(app, options.target) : undefined);
  if (app.warn(problem)) return;
  const {composer} = app.screen;
  const {target, recipients, activePart = 'text', repliesTo, onSent} = options;
  const isSameTarget = sameTarget(composer.target, target) && composer.editing === undefined;
  if (!isSameTarget) leaveText(app);
  const base = isSameTarget ? composer : composerFor(app, target);
  const anchor: ComposerAnchor | undefined =
    repliesTo === undefined ? newestMessageAnchor(app.state, target) : {messageId: repliesTo, isRepliedTo: true};
  focusComposer(app, {
    ...base,
    activePart,
    recipients: recipients ?? (isSameTarget ? base.recipients : undefined),
    anchor,
    onSent,
  });
  prefill(app, options);
  fetchDestinationInfo(app, target);
}

function prefill(app: App, {block, text}: ComposeOptions): void {
  const {composer} = app.screen;
  let {field} = composer;
  if (block !== undefined) field = insertBlock(field, block);
  if (text !== undefined) field = text(field);
  if (field === composer.field) return;
  setComposer(app, {field});
  afterTextChange(app);
}

/** Fetches the subscribers, which the warnings need, and the topics, which completion needs. */
function fetchDestinationInfo(app: App, target: DraftTarget): void {
  if (target.kind !== 'topic') return;
  ignoreFailure(app.session.fetchSubscribers(target.channelId));
  ignoreFailure(app.session.fetchTopics(target.channelId));
}

/** Returns the composer for a destination, with its last edited draft or empty. */
export function composerFor(app: App, target: DraftTarget): ComposerState {
  const before = app.screen.composer;
  const conversation = targetConversation(target);
  const draft =
    conversation === undefined
      ? undefined
      : conversationDrafts(app.state, conversation, before.delayedSend?.draftId)[0];
  return draft === undefined ? emptyComposer(before, target) : withDraft(app, before, draft);
}

function withDraft(app: App, before: ComposerState, {id, target, content}: LocalDraft): ComposerState {
  const field = app.composerPersistence.rememberedField(content, before.field.kills);
  return {...emptyComposer(before, target), field, draftId: id};
}

/** Saves the text, also on the server, and ends the typing notification. Returns false when the disk failed. */
function leaveText(app: App): boolean {
  const saver = app.composerPersistence;
  const isSaved = saver.flush();
  saver.rememberField(app.screen.composer.field);
  app.session.typing.stop();
  ignoreFailure(app.session.drafts.flush());
  return isSaved;
}

/** Resets the composer to the conversation of the view above it, with that conversation's draft. */
function resetToView(app: App): void {
  const conversation = shownConversation(app.screen);
  const target: DraftTarget = conversation ?? {kind: 'none', topic: ''};
  const {composer} = app.screen;
  const isSameTarget = sameTarget(composer.target, target) && composer.editing === undefined;
  const closed = isSameTarget
    ? {...emptyComposer(composer), field: composer.field, draftId: composer.draftId}
    : composerFor(app, target);
  setComposer(app, closed);
}

/** Called when another view opens: saves the current text with its conversation and shows the draft of the new one. */
export function syncComposerWithView(app: App): void {
  const {composer, view} = app.screen;
  const conversation = shownConversation({view});
  if (sameTarget(composer.target, conversation) && composer.editing === undefined) {
    app.composerPersistence.flush();
    return;
  }
  leaveText(app);
  resetToView(app);
}

/** Offers the key that continues the edit of a message, while the message is selected. */
export function continueOffer(app: App, messageId: number | undefined): KeyOffer | undefined {
  return selectedMessage(app)?.id === messageId ? {label: 'continues it', commands: ['msg.edit']} : undefined;
}

/** Closes the composer and saves its text. */
export function closeComposer(app: App): void {
  dropRecalledText(app);
  const {composer} = app.screen;
  const hasText = composer.field.text.trim() !== '';
  const isEdit = composer.editing !== undefined;
  const isEditChanged = composer.editing?.before !== composer.field.text;
  const isSaved = leaveText(app);
  resetToView(app);
  app.set({focus: 'main'});
  if (!isSaved) return;
  if (isEdit && isEditChanged) {
    app.toast({text: 'Edit saved as a draft', offer: continueOffer(app, composer.editing?.messageId)});
  } else if (hasText && !isEdit) app.toast(withDraftsKey('Draft saved'));
}

/** Replaces a sent text that was recalled and not changed by what was written before: it is no draft. */
function dropRecalledText(app: App): void {
  const {recall, field} = app.screen.composer;
  if (recall === undefined || !canRecall(recall, field.text)) return;
  setComposer(app, {field: recall.written, recall: undefined});
}

/** Saves the text as a draft and empties the composer. Returns false when there was no text. */
export function saveTextAsDraft(app: App): boolean {
  const {composer} = app.screen;
  if (composer.field.text.trim() === '' || composer.editing !== undefined) return false;
  app.composerPersistence.scheduleSave();
  if (!leaveText(app)) return false;
  const {recipients, activePart, anchor} = composer;
  setComposer(app, {
    ...emptyComposer(app.screen.composer),
    field: clear(composer.field),
    isOpen: true,
    recipients,
    activePart,
    anchor,
  });
  app.toast(withDraftsKey('Draft saved'));
  return true;
}

export interface RestoreOptions {
  /** Keeps the current view; the draft opens below it. */
  readonly keepsView?: boolean | undefined;
}

/** Opens a draft in its conversation. Text being written is saved as a draft first, and a toast says so. */
export function restoreDraft(app: App, draft: LocalDraft, {keepsView = false}: RestoreOptions = {}): void {
  if (app.warn(composeProblem(app))) return;
  dropRecalledText(app);
  const {composer} = app.screen;
  const wasWriting = composer.isOpen && composer.field.text.trim() !== '' && composer.draftId !== draft.id;
  const isSaved = leaveText(app);
  const conversation = targetConversation(draft.target);
  if (!keepsView && conversation !== undefined && !sameTarget(conversation, shownConversation(app.screen))) {
    openConversation(app, conversation);
  }
  const fresh = app.session.drafts.get(draft.id) ?? draft;
  focusComposer(app, {
    ...withDraft(app, app.screen.composer, fresh),
    anchor: newestMessageAnchor(app.state, fresh.target),
    activePart: conversation === undefined ? 'to' : 'text',
    recipients: conversation === undefined ? recipientsOf(app.state, fresh.target) : undefined,
  });
  if (wasWriting && isSaved) app.toast(withDraftsKey('Your text was saved as a draft'));
}

/** Opens the conversation that the composer sends to, with the composer still focused. */
export function openDestination(app: App): void {
  const {composer, focus} = app.screen;
  const conversation = targetConversation(composer.target);
  if (conversation === undefined) {
    const why = composer.isOpen
      ? 'Choose a destination first: Ctrl-T'
      : 'Only in the composer: press r, c or x to write';
    app.toast(why, 'warning');
    return;
  }
  openConversation(app, conversation);
  if (focus === 'composer') app.set({focus: 'composer'});
}

import type {App} from '#app/core/app.ts';
import {ignoreFailure, openConversation} from '#app/navigation/navigation.ts';
import {clear, insertBlock, replaceAll, type TextField} from '#app/text/text-field.ts';
import type {Conversation} from '#state/model/conversation.ts';
import type {DraftTarget, LocalDraft} from '#state/model/draft.ts';
import {canPost} from '#state/selectors/permissions/sending-permissions.ts';
import {afterTextChange, setComposer} from './change-composer.ts';
import {composerSaver} from './composer-saver.ts';
import {
  type ComposerAnchor,
  type ComposerField,
  type ComposerState,
  emptyComposer,
} from './composer-state.ts';
import {conversationDrafts} from './conversation-drafts.ts';
import {newestMessageAnchor, sameTarget, targetConversation, viewConversation} from './destination.ts';
import {isAlreadySent} from './is-already-sent.ts';
import {type Recipients, recipientsOf} from './recipients.ts';

export interface ComposeOptions {
  readonly target: DraftTarget;
  /** The message that is answered. */
  readonly repliesTo?: number | undefined;
  /** The destination is written first. */
  readonly recipients?: Recipients | undefined;
  readonly activePart?: ComposerField | undefined;
  /** Put in where one writes. */
  readonly block?: string | undefined;
  readonly text?: ((field: TextField) => TextField) | undefined;
  /** After the next message was sent from here. */
  readonly onSent?: (() => void) | undefined;
}

/** Why nothing can be written at all. */
export function composeProblem({info: facts}: App): string | undefined {
  return facts.isReadOnly ? 'This session is read-only: nothing is sent' : undefined;
}

/** Why nothing new is begun there: what was begun before is still there to be read and copied. */
function destinationProblem(app: App, {target, recipients}: ComposeOptions): string | undefined {
  const {state, screen, clock} = app;
  if (target.kind !== 'topic' || recipients !== undefined) return undefined;
  const may = canPost(state, target, clock.now());
  if (may.ok) return undefined;
  const isHere = sameTarget(screen.composer.target, target) && screen.composer.editing === undefined;
  const {field} = isHere ? screen.composer : composerFor(app, target);
  return field.text === '' ? may.reason : undefined;
}

/** Begins to write, or goes on with what was begun there. What was being written elsewhere is kept there. */
export function openComposer(app: App, options: ComposeOptions): void {
  const problem = composeProblem(app) ?? destinationProblem(app, options);
  if (problem !== undefined) {
    app.toast(problem, 'warning');
    return;
  }
  const {composer} = app.screen;
  const {target, recipients, activePart: place = 'text', repliesTo: answers, onSent} = options;
  const goesOn = sameTarget(composer.target, target) && composer.editing === undefined;
  if (!goesOn) saveAndStopTyping(app);
  const base = goesOn ? composer : composerFor(app, target);
  const anchor: ComposerAnchor | undefined =
    answers === undefined ? newestMessageAnchor(app.state, target) : {messageId: answers, isRepliedTo: true};
  setComposer(app, {
    ...base,
    isOpen: true,
    activePart: place,
    recipients: recipients ?? (goesOn ? base.recipients : undefined),
    anchor,
    onSent,
    sendKeys: {enterSends: app.settings.enterSends, reportsShiftEnter: app.device.reportsShiftEnter},
  });
  app.set({focus: 'composer'});
  prefill(app, options);
  fetchDestinationInfo(app, target);
}

function prefill(app: App, {block, text}: ComposeOptions): void {
  const {composer} = app.screen;
  let {field} = composer;
  if (block !== undefined) field = insertBlock(field, block);
  if (text !== undefined) field = text(field);
  if (field === composer.field) return;
  setComposer(app, {...composer, field});
  afterTextChange(app);
}

/** Who reads it decides about warnings; what topics there are, about completion. */
function fetchDestinationInfo(app: App, target: DraftTarget): void {
  if (target.kind !== 'topic') return;
  ignoreFailure(app, app.session.fetchSubscribers(target.channelId));
  ignoreFailure(app, app.session.fetchTopics(target.channelId));
}

/** The composer of a place, with the draft that was written in last, or empty. */
function composerFor(app: App, target: DraftTarget): ComposerState {
  const before = app.screen.composer;
  const conversation = targetConversation(target);
  const draft =
    conversation === undefined
      ? undefined
      : conversationDrafts(app.state, conversation, before.delayedSend?.draftId)[0];
  return draft === undefined ? emptyComposer(before, target) : withDraft(app, before, draft);
}

function withDraft(app: App, before: ComposerState, {id, target, content}: LocalDraft): ComposerState {
  const field = composerSaver(app).rememberedField(content, before.field.kills);
  return {...emptyComposer(before, target), field, draftId: id};
}

/** What is being written is kept, and nobody is told any more that one writes. */
function saveAndStopTyping(app: App): void {
  const keeper = composerSaver(app);
  keeper.flush();
  keeper.rememberField(app.screen.composer.field);
  app.session.typing.stop();
}

/** Back to what the view above is about, with what was begun there. */
function resetToView(app: App): void {
  const conversation = viewConversation(app.screen.view);
  const target: DraftTarget = conversation ?? {kind: 'none', topic: ''};
  const {composer} = app.screen;
  const goesOn = sameTarget(composer.target, target) && composer.editing === undefined;
  const closed = goesOn
    ? {...emptyComposer(composer), field: composer.field, draftId: composer.draftId}
    : composerFor(app, target);
  setComposer(app, closed);
}

/** Another view is shown: what was being written stays with its conversation, and what was begun here appears. */
export function syncComposerWithView(app: App): void {
  const {composer, view} = app.screen;
  const conversation = viewConversation(view);
  if (sameTarget(composer.target, conversation) && composer.editing === undefined) {
    composerSaver(app).flush();
    return;
  }
  saveAndStopTyping(app);
  resetToView(app);
}

/** Esc: nothing is lost by it. */
export function closeComposer(app: App): void {
  const {composer} = app.screen;
  const hasText = composer.field.text.trim() !== '';
  const isEdit = composer.editing !== undefined;
  const isEditChanged = composer.editing?.before !== composer.field.text;
  saveAndStopTyping(app);
  resetToView(app);
  app.set({focus: 'main'});
  if (isEdit && isEditChanged) app.toast('The edit is kept · e on the message goes on with it');
  else if (hasText && !isEdit) app.toast('Draft saved · d');
}

/** Keeps the text as a draft and begins with nothing; false when there was none. */
export function saveTextAsDraft(app: App): boolean {
  const {composer} = app.screen;
  if (composer.field.text.trim() === '' || composer.editing !== undefined) return false;
  composerSaver(app).scheduleSave();
  if (!composerSaver(app).flush()) return false;
  composerSaver(app).rememberField(composer.field);
  app.session.typing.stop();
  const {recipients, activePart: place, anchor} = composer;
  setComposer(app, {
    ...emptyComposer(app.screen.composer),
    field: clear(composer.field),
    isOpen: true,
    recipients,
    activePart: place,
    anchor,
  });
  app.toast('Draft saved · d');
  return true;
}

export interface RestoreOptions {
  /** The view stays what it is: the draft is written in beneath it. */
  readonly stays?: boolean | undefined;
}

/** Goes to where a draft belongs and on with it. What was being written becomes a draft first, and that is said. */
export function restoreDraft(app: App, draft: LocalDraft, {stays = false}: RestoreOptions = {}): void {
  const problem = composeProblem(app);
  if (problem !== undefined) {
    app.toast(problem, 'warning');
    return;
  }
  const {composer} = app.screen;
  const wasWriting = composer.isOpen && composer.field.text.trim() !== '' && composer.draftId !== draft.id;
  saveAndStopTyping(app);
  const conversation = targetConversation(draft.target);
  if (!stays && conversation !== undefined && !sameTarget(conversation, viewConversation(app.screen.view))) {
    openConversation(app, conversation);
  }
  const fresh = app.session.drafts.get(draft.id) ?? draft;
  setComposer(app, {
    ...withDraft(app, app.screen.composer, fresh),
    isOpen: true,
    anchor: newestMessageAnchor(app.state, fresh.target),
    activePart: conversation === undefined ? 'to' : 'text',
    recipients: conversation === undefined ? recipientsOf(app.state, fresh.target) : undefined,
    sendKeys: {enterSends: app.settings.enterSends, reportsShiftEnter: app.device.reportsShiftEnter},
  });
  app.set({focus: 'composer'});
  if (wasWriting) app.toast('What you were writing is kept as a draft · d');
}

/** Goes to the conversation that is written to, and on with writing. */
export function openDestination(app: App): void {
  const {composer, focus} = app.screen;
  const conversation = targetConversation(composer.target);
  if (conversation === undefined) {
    const why = composer.isOpen
      ? 'Say first where the message goes: Ctrl-T'
      : 'Only in the composer: press r, c or x to write';
    app.toast(why, 'warning');
    return;
  }
  openConversation(app, conversation);
  if (focus === 'composer') app.set({focus: 'composer'});
}

/** Drafts change elsewhere too: what is not being written here follows them. */
export function syncWithDrafts(app: App): void {
  const {composer} = app.screen;
  if (composer.editing !== undefined || composerSaver(app).isUnsaved) return;
  const draft = composer.draftId === undefined ? undefined : app.session.drafts.get(composer.draftId);
  if (draft !== undefined) {
    if (draft.content !== composer.field.text) {
      setComposer(app, {...composer, field: replaceAll(composer.field, draft.content)});
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
  if (next !== undefined || composer.draftId !== undefined)
    setComposer(app, composerFor(app, composer.target));
}

/**
 * The draft of what is being written is gone. Words in front of one's eyes stay, even if another client has done away with
 * them; those that another one has sent would be sent twice by the next Enter.
 */
function clearIfSentElsewhere(app: App, conversation: Conversation): void {
  const {composer} = app.screen;
  if (!isAlreadySent(app.state, conversation, composer.field.text)) return;
  composerSaver(app).rememberField(composer.field);
  setComposer(app, {...emptyComposer(composer), isOpen: true, anchor: composer.anchor});
  app.toast('This was sent from elsewhere');
}

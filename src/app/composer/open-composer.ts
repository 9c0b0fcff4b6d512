import type {App} from '#app/core/app.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {ignoreFailure} from '#app/requests/ignore-failure.ts';
import {currentChannelId} from '#app/targets/action-target.ts';
import {forwardMarkdown, mentionMarkdown, type QuotedMessage, quoteMarkdown} from '#content/composer-markdown.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {type Conversation, conversationKey, directConversation, topicConversation} from '#state/model/conversation.ts';
import type {DraftTarget, LocalDraft} from '#state/model/draft.ts';
import type {Message} from '#state/model/message.ts';
import {normalizedContent} from '#state/outbox/normalize-text.ts';
import {channelName} from '#state/selectors/names/names.ts';
import {
  canCreateTopic,
  canPost,
  canPostInChannel,
  hasNoTopics,
} from '#state/selectors/permissions/channel-permissions.ts';
import type {AccountState} from '#state/state.ts';
import {
  type ComposerAnchor,
  type ComposerField,
  type ComposerState,
  emptyComposer,
} from '#ui/composer/composer-state.ts';
import {conversationDrafts, newestMessageAnchor, sameTarget, targetConversation} from '#ui/composer/destination.ts';
import {noRecipients, type Recipients, recipientsOf} from '#ui/composer/recipients.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {shownConversation} from '#ui/core/frame.ts';
import {type KeyOffer, withDraftsKey} from '#ui/core/toast-message.ts';
import {messageUrl, selectedMessage, selectedOutboxEntry} from '#ui/message-pane/selected-message.ts';
import {channelLinkText} from '#ui/search/find-channels-and-topics.ts';
import {isAmbiguous} from '#ui/search/find-people.ts';
import {clear, insert, insertBlock, replaceAll, type TextField} from '#ui/text/text-field.ts';
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
  const {composer} = app.screen;
  const hasText = composer.field.text.trim() !== '';
  const isEdit = composer.editing !== undefined;
  const isEditChanged = composer.editing?.before !== composer.field.text;
  leaveText(app);
  resetToView(app);
  app.set({focus: 'main'});
  if (isEdit && isEditChanged) {
    app.toast({text: 'Edit saved as a draft', offer: continueOffer(app, composer.editing?.messageId)});
  } else if (hasText && !isEdit) app.toast(withDraftsKey('Draft saved'));
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
  const {composer} = app.screen;
  const wasWriting = composer.isOpen && composer.field.text.trim() !== '' && composer.draftId !== draft.id;
  leaveText(app);
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
  if (wasWriting) app.toast(withDraftsKey('Your text was saved as a draft'));
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

/** Replies in the conversation of the selected message, sent or not; without a selection, in the view's conversation. */
export function reply(app: App): void {
  const target = replyTarget(app);
  if (target !== undefined) openComposer(app, {target, repliesTo: selectedMessage(app)?.id});
  else app.toast('No message selected: c starts a topic, x a direct message', 'warning');
}

function replyTarget(app: AppReader, message = selectedMessage(app)): Conversation | undefined {
  if (message !== undefined) return conversationOf(message);
  return selectedOutboxEntry(app)?.conversation ?? shownConversation(app.screen);
}

/** Returns why the user cannot reply: not at all, or not there. */
export function replyProblem(app: AppReader, message = selectedMessage(app)): string | undefined {
  const target = replyTarget(app, message);
  return composeProblem(app) ?? (target && destinationProblem(app, target));
}

export function replyToSenderDirectly(app: App, message: Message): void {
  openComposer(app, {target: directConversation([message.senderId], app.state.self.userId)});
}

export function replyMentioning(app: App, message: Message): void {
  const {users} = app.state;
  const user = users.get(message.senderId) ?? {id: message.senderId, fullName: message.senderName};
  const known = users.get(message.senderId);
  const mention = mentionMarkdown(user, known === undefined || isAmbiguous(app.state, known), false);
  openComposer(app, {
    target: conversationOf(message),
    repliesTo: message.id,
    text: (field) => insert(field, `${mention} `),
  });
}

export function quote(app: App, message: Message): void {
  openComposer(app, {
    target: conversationOf(message),
    repliesTo: message.id,
    block: quoteMarkdown(quoted(app.state, message)),
  });
}

/** Opens the composer with the quoted message and asks for the destination. */
export function forward(app: App, message: Message): void {
  const channelLink =
    message.kind === 'channel'
      ? channelLinkText(
          app.state,
          {id: message.channelId, name: channelName(app.state, message.channelId)},
          message.topic,
        )
      : undefined;
  openWithRecipients(app, noRecipients('channel'), {block: forwardMarkdown(quoted(app.state, message), channelLink)});
}

function quoted(state: AccountState, message: Message): QuotedMessage {
  const {senderId, senderName, content} = message;
  const fullName = state.users.get(senderId)?.fullName ?? senderName;
  return {senderId, senderName: fullName, link: messageUrl(state, message), content};
}

/** Returns the reason why no topic can be started in the current channel. */
export function newTopicProblem(app: AppReader): string | undefined {
  const problem = composeProblem(app);
  const channelId = currentChannelId(app);
  const channel = channelId === undefined ? undefined : app.state.channels.get(channelId);
  if (problem !== undefined || channel === undefined) return problem;
  const now = app.clock.now();
  const permissions = [
    canPostInChannel(app.state, channel, now),
    // A channel without topics has nothing to create.
    ...(hasNoTopics(app.state, channel.id) ? [] : [canCreateTopic(app.state, channel.id, now)]),
  ];
  return permissions.flatMap((permission) => (permission.ok ? [] : [permission.reason]))[0];
}

/** Starts a topic in the current channel, or asks for the channel. */
export function startNewTopic(app: App): void {
  const channelId = currentChannelId(app);
  if (channelId === undefined) {
    openWithRecipients(app, noRecipients('channel'));
    return;
  }
  if (hasNoTopics(app.state, channelId)) {
    openComposer(app, {target: topicConversation(channelId, '')});
    return;
  }
  openWithRecipients(app, recipientsOf(app.state, {kind: 'topic', channelId, topic: ''}), {activePart: 'topic'});
}

export function startNewDirectMessage(app: App): void {
  openWithRecipients(app, noRecipients('people'));
}

/** Opens the composer for a message whose recipients are still to be typed. */
function openWithRecipients(app: App, recipients: Recipients, more: Partial<ComposeOptions> = {}): void {
  openComposer(app, {target: {kind: 'none', topic: ''}, recipients, activePart: 'to', ...more});
}

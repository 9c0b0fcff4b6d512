import {isUncertain} from '#api/failure.ts';
import type {App} from '#app/core/app.ts';
import {stickToNewest} from '#app/message-pane/selection.ts';
import {openPicker} from '#app/overlays/picker.ts';
import {reportFailure, requestFromServer} from '#app/requests/server-request.ts';
import {scheduleMessage} from '#state/actions/messages.ts';
import {type Conversation, topicConversation} from '#state/model/conversation.ts';
import {isBlank} from '#state/outbox/normalize-text.ts';
import {conversationTitle, topicDisplayName} from '#state/selectors/names/names.ts';
import {hasNoTopics} from '#state/selectors/permissions/channel-permissions.ts';
import {errorText} from '#std/error-text.ts';
import {parseMoment, withWorkday} from '#std/parse-moment.ts';
import {type ComposerState, type DelayedSend, emptyComposer} from '#ui/composer/composer-state.ts';
import {movedDestination, sameTarget, targetConversation} from '#ui/composer/destination.ts';
import {chosenTarget, recipientsOf, recipientsProblem, topicProblem} from '#ui/composer/recipients.ts';
import {type Frame, shownConversation} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {type KeyOffer, withUndoKey} from '#ui/core/toast-message.ts';
import {sendWarnings, type Warning} from '#ui/warnings/send-warnings.ts';
import {momentText, suggestedTimes} from '#wording/moment-text.ts';
import {placeholderFileName} from './attach-files.ts';
import {afterTextChange, editRecipients, setComposer} from './change-composer.ts';
import {saveEdit} from './edit-message.ts';
import {composeProblem, openComposer, restoreDraft, syncWithDrafts} from './open-composer.ts';

/** Sends the composed message after showing any warnings. Does not wait for the server: the outbox delivers it. */
export function sendComposedMessage(app: App): void {
  const {composer} = app.screen;
  if (composer.editing !== undefined) {
    saveEdit(app, composer.editing);
    return;
  }
  const checked = checkedMessage(app);
  if (checked !== undefined) sendChecked(app, checked);
}

export type CheckedMessage = NonNullable<ReturnType<typeof checkedMessage>>;

/** Returns the message if it can be sent now; otherwise shows the warnings or problems and returns undefined. */
export function checkedMessage(app: App) {
  if (app.warn(composeProblem(app))) return undefined;
  const {composer} = app.screen;
  if (acceptMovedDestination(app) || acceptTopicsPolicy(app)) return undefined;
  const conversation = targetConversation(chosenTarget(app.state, composer));
  if (conversation === undefined) {
    askRecipients(app);
    return undefined;
  }
  if (asksTopic(app, conversation)) return undefined;
  const warnings = warningsOf(app, conversation, composer);
  const isBlocked = warnings.some(({isBlocking}) => isBlocking);
  const isConfirmed = !isBlocked && sameWarnings(warnings, composer.warnings);
  if (warnings.length > 0 && !isConfirmed) {
    setComposer(app, {activePart: 'text', menu: undefined, pastePrompt: undefined, warnings});
    return undefined;
  }
  return {conversation, content: composer.field.text};
}

/** Refuses to send a draft that is being scheduled: it would be sent twice. */
export function heldWarnings(app: App, draftId: string | undefined): readonly Warning[] {
  if (draftId === undefined || !app.session.drafts.isHeld(draftId)) return [];
  const text = 'This text is being scheduled: wait until it is known whether that was done.';
  return [{kind: 'scheduled', text, isBlocking: true}];
}

function warningsOf(app: App, conversation: Conversation, composer: ComposerState): readonly Warning[] {
  const {draftId, field, upload} = composer;
  if (upload !== undefined && field.text.includes(upload.name)) {
    const text = `${upload.name} is still uploading: wait for it, or cancel it with Ctrl-C.`;
    return [{kind: 'empty', text, isBlocking: true}];
  }
  const held = heldWarnings(app, draftId);
  if (held.length > 0) return held;
  return [...lostUploads(field.text), ...sendWarnings(app.state, conversation, field.text, {nowMs: app.clock.now()})];
}

/** Warns about the placeholder of an upload that the end of the program interrupted. */
function lostUploads(text: string): readonly Warning[] {
  const name = placeholderFileName(text);
  if (name === undefined) return [];
  const warning = `${name} was not uploaded: attach it again with Ctrl-X a and remove its placeholder.`;
  return [{kind: 'empty', text: warning, isBlocking: false}];
}

/** Whether the user has already seen the same warnings; any change of the text clears them. */
function sameWarnings(now: readonly Warning[], shown: readonly Warning[]): boolean {
  return now.length === shown.length && now.every(({text}, at) => text === shown[at]?.text);
}

/** Focuses the missing part of the destination. */
function askRecipients(app: App): void {
  const {composer} = app.screen;
  const recipients = composer.recipients ?? recipientsOf(app.state, composer.target);
  setComposer(app, {recipients, activePart: 'to', menu: undefined});
  app.toast(recipientsProblem(app.state, recipients) ?? 'Choose a destination first.', 'warning');
}

/** Focuses the topic field when the channel requires a topic and there is none. Returns false when nothing is missing. */
function asksTopic(app: App, conversation: Conversation): boolean {
  if (conversation.kind !== 'topic' || conversation.topic !== '') return false;
  const problem = topicProblem(app.state, recipientsOf(app.state, conversation));
  if (problem === undefined) return false;
  editRecipients(app, 'last');
  app.toast(problem, 'warning');
  return true;
}

/** Follows the conversation to where it moved. Returns false when it did not move. */
export function acceptMovedDestination(app: App): boolean {
  const {composer} = app.screen;
  const moved = movedDestination(app.state, composer);
  if (moved === undefined) return false;
  setComposer(app, {target: moved, warnings: [], recipients: undefined});
  app.composerPersistence.scheduleSave();
  app.toast(`Destination changed to ${conversationTitle(app.state, moved)}`);
  return true;
}

/** Changes the destination when the channel has no topics any more. Returns false when the destination stays. */
function acceptTopicsPolicy(app: App): boolean {
  const {composer} = app.screen;
  const {target: before} = composer;
  if (before.kind !== 'topic' || before.topic === '' || !hasNoTopics(app.state, before.channelId)) return false;
  const target = topicConversation(before.channelId, '');
  setComposer(app, {target, warnings: [], recipients: undefined, anchor: undefined});
  app.composerPersistence.scheduleSave();
  app.toast(`This channel has no topics: now to ${topicDisplayName(app.state, '')}`, 'warning');
  return true;
}

/** Keeps the original destination. Returns false when the conversation did not move. */
export function keepDestination(app: App): boolean {
  const {composer} = app.screen;
  if (movedDestination(app.state, composer) === undefined) return false;
  setComposer(app, {anchor: undefined});
  return true;
}

/** Sends, empties the composer and keeps it open for the next message. */
function sendChecked(app: App, message: CheckedMessage): void {
  const {composer} = app.screen;
  const seconds = app.settings.undoSendSeconds;
  try {
    if (seconds > 0) sendAfterDelay(app, message, seconds);
    else sendNow(app, message, composer.draftId);
  } catch (error) {
    // The text stays in the composer.
    app.toast(`Not sent: ${errorText(error)}`, 'error');
    return;
  }
  afterSending(app, message.conversation);
}

function sendNow(app: App, {conversation, content}: CheckedMessage, draftId: string | undefined): void {
  const {id} = app.session.outbox.send({conversation, content, draftId});
  pushSent(app, id, conversation);
}

/** The offer of a toast about a message that was sent to a conversation that is not shown. */
export const openSentOffer: KeyOffer = {label: 'opens it', commands: ['compose.narrow']};

/** Empties the composer after sending and calls `onSent`. */
export function afterSending(app: App, conversation: Conversation): void {
  const {composer, view} = app.screen;
  const saver = app.composerPersistence;
  saver.cancelSave();
  saver.rememberField(composer.field);
  app.session.typing.stop();
  setComposer(app, {
    ...emptyComposer(app.screen.composer, conversation),
    isOpen: true,
    anchor: composer.anchor,
  });
  if (sameTarget(conversation, shownConversation({view}))) stickToNewest(app);
  else if (composer.onSent === undefined && app.screen.composer.delayedSend === undefined) {
    app.toast({text: sendStatusText(app, conversation), offer: openSentOffer});
  }
  composer.onSent?.();
}

/** Returns "Sent" only while online, so that a queued message is not taken for delivered. */
function sendStatusText({state}: App, conversation: Conversation): string {
  const title = conversationTitle(state, conversation);
  return state.connection.phase === 'online' ? `Sent to ${title}` : `Waiting for the connection: to ${title}`;
}

export function isEmptyComposer({field, upload}: ComposerState): boolean {
  return isBlank(field.text) && upload === undefined;
}

/**
 * Sends after a delay, during which the user can undo. Until then the text is a draft on disk, so that a crash cannot
 * lose it.
 */
function sendAfterDelay(
  app: App,
  message: {readonly conversation: Conversation; readonly content: string},
  seconds: number,
): void {
  sendDelayedNow(app);
  const saver = app.composerPersistence;
  saver.scheduleSave();
  saver.flush();
  const {draftId} = app.screen.composer;
  const id = app.session.outbox.newEntryId();
  const cancel = app.clock.after(seconds * 1000, () => sendDelayedNow(app));
  setComposer(app, {delayedSend: {...message, id, seconds, draftId, cancel}});
  pushSent(app, id, message.conversation);
  app.toast({
    text: `Sending to ${conversationTitle(app.state, message.conversation)} in ${seconds} s`,
    offer: {label: 'undo', commands: ['edit.undo', 'undo']},
  });
}

/** Sends the delayed message now, if there is one. */
export function sendDelayedNow(app: App): void {
  const {delayedSend} = app.screen.composer;
  if (delayedSend === undefined) return;
  clearDelayedSend(app, delayedSend);
  const {id, conversation, content, draftId} = delayedSend;
  try {
    app.session.outbox.send({id, conversation, content, draftId});
  } catch (error) {
    app.toast(`Not sent, saved as a draft: ${errorText(error)}`, 'error');
  }
}

function clearDelayedSend(app: App, {cancel}: DelayedSend): void {
  cancel();
  setComposer(app, {delayedSend: undefined});
}

/** Puts the text of a delayed message back into the composer. Returns what to show; undefined when it has been sent. */
export function cancelDelayedSend(app: App, id = app.screen.composer.delayedSend?.id): string | undefined {
  const {delayedSend} = app.screen.composer;
  if (delayedSend === undefined || delayedSend.id !== id) return undefined;
  clearDelayedSend(app, delayedSend);
  const {conversation, content, draftId} = delayedSend;
  openComposer(app, {target: conversation});
  const {composer} = app.screen;
  if (composer.field.text.trim() === '' || composer.draftId === draftId) {
    const field = app.composerPersistence.rememberedField(content, composer.field.kills);
    setComposer(app, {field, draftId});
    afterTextChange(app);
  }
  return `Not sent to ${conversationTitle(app.state, conversation)}`;
}

/** Adds a message in the outbox to the undo history. */
export function pushSent(app: App, id: string, conversation: Conversation): void {
  app.undoStack.pushStep(`Sent to ${conversationTitle(app.state, conversation)}`, {kind: 'sent', id});
}

const presets = ['in 1 hour', 'in 3 hours', 'tomorrow 9:00', 'tomorrow 14:00', 'monday 9:00'] as const;
/** Zulip's apps schedule nothing that is due sooner. */
const minAheadMinutes = 5;

/** Opens a picker for the time of sending: presets, or a time in words. */
export function openSchedulePicker(app: App): void {
  const message = checkedMessage(app);
  if (message === undefined) return;
  openPicker(app, {
    id: 'schedule',
    title: 'Schedule message',
    placeholder: timePlaceholder(app),
    hint: {Enter: 'schedules', 'g s': 'lists scheduled messages'},
    rows: scheduleRows,
    accept: (from, {key}) => {
      from.closeOverlay();
      schedule(from, message, chosenTime(from, key));
    },
  });
}

/** Returns examples of times that can be typed. */
export function timePlaceholder({state, display}: App): string {
  return suggestedTimes(state, 'fri 16:00, in 2 hours, 2026-05-12 14:30', display.locale);
}

/** Returns the time of a chosen row in seconds, from now on: the rows are only as exact as the clock on the screen. */
export function chosenTime({clock, display}: App, written: string): number {
  const now = clock.now();
  return Math.ceil((parseMoment(written, now, display.zone, display.locale) ?? now) / 1000);
}

/** Returns the times to choose from. The key of a row is its time in words, for `chosenTime`. */
export function scheduleRows(frame: Frame, query: string): readonly PickerRow[] {
  const {minute, display} = frame;
  const {zone, locale} = display;
  const written = query.trim();
  const moment = written === '' ? undefined : parseMoment(written, minute, zone, locale);
  const own = moment === undefined ? [] : [rowOf(frame, written, moment)];
  const usedTimes = new Set([moment]);
  const usual = presets
    .map((preset) => suggestedTimes(frame.account, withWorkday(preset, locale), locale))
    .filter((preset) => preset.toLowerCase().includes(written.toLowerCase()))
    .flatMap((preset) => {
      const at = parseMoment(preset, minute, zone, locale);
      if (at === undefined || usedTimes.has(at)) return [];
      usedTimes.add(at);
      return [rowOf(frame, preset, at)];
    });
  const rows = [...own, ...usual];
  if (rows.length > 0) return rows;
  const reason = `“${written}” is not a time: try “${suggestedTimes(frame.account, 'tomorrow 14:00', locale)}” or “in 2 hours”`;
  return [{key: 'none', label: reason, disabled: reason}];
}

function rowOf(frame: Frame, label: string, at: number): PickerRow {
  const isSoon = at < frame.minute + minAheadMinutes * 60_000;
  return {
    key: label,
    label,
    detail: momentText(frame, at),
    ...(isSoon && {disabled: `Pick a time at least ${minAheadMinutes} minutes from now`}),
  };
}

/** Schedules the message. Its text stays a draft until the server confirms. */
function schedule(app: App, message: CheckedMessage, at: number): void {
  const saver = app.composerPersistence;
  saver.scheduleSave();
  if (!saver.flush()) return;
  const {draftId} = app.screen.composer;
  afterSending(app, message.conversation);
  scheduleDraft(app, message, at, draftId);
}

function scheduleDraft(app: App, message: CheckedMessage, at: number, draftId: string | undefined): void {
  const {context, drafts} = app.session;
  const reversal = app.undoStack.awaitReversal();
  const when = momentText(app.frame, at * 1000);
  const title = conversationTitle(app.state, message.conversation);
  app.toast(`Scheduling for ${when}: ${title}…`);
  const release = draftId === undefined ? () => {} : drafts.hold(draftId);
  scheduleMessage(context, {...message, at}).then(
    (id) => {
      release();
      const isUnchanged = drafts.get(draftId ?? '')?.content === message.content;
      if (draftId !== undefined && isUnchanged) drafts.remove(draftId);
      const label = `Scheduled for ${when}: ${title}`;
      let restored: string | undefined;
      app.undoStack.push({
        label,
        undo: () => unscheduleToComposer(app, id, message, (draft) => (restored = draft)),
        redo: () => scheduleAgain(app, message, at, restored),
      });
      reversal?.confirm();
      app.toast(withUndoKey(label));
    },
    (error: unknown) => {
      release();
      reversal?.fail();
      const progressText = `Scheduling for ${when}, saved as a draft`;
      reportFailure(app, error, {failureText: 'Not scheduled, saved as a draft', progressText});
      if (isUncertain(error) || context.signal.aborted) return;
      const draft = draftId === undefined ? undefined : drafts.get(draftId);
      const {composer} = app.screen;
      if (draft !== undefined && composer.isOpen && composer.field.text === '') restoreDraft(app, draft);
    },
  );
}

/** Schedules a message again that is a draft since the undo, unless the draft was changed. */
function scheduleAgain(app: App, message: CheckedMessage, at: number, draftId: string | undefined): undefined {
  const {composer} = app.screen;
  const isInComposer = composer.isOpen && composer.draftId === draftId;
  const text = isInComposer ? composer.field.text : app.session.drafts.get(draftId ?? '')?.content;
  if (text !== message.content) throw new Error('the draft was changed or sent since.');
  if (isInComposer) schedule(app, message, at);
  else scheduleDraft(app, message, at, draftId);
}

function unscheduleToComposer(
  app: App,
  id: number,
  {conversation, content}: CheckedMessage,
  onRestored: (draftId: string | undefined) => void,
): string {
  requestFromServer(app, {
    send: () => app.session.context.api.deleteScheduledMessage({scheduled_message_id: id}),
    doneText: () => {
      const draft = app.session.drafts.edit(undefined, {target: conversation, content});
      onRestored(draft?.id);
      if (draft !== undefined && app.screen.composer.field.text === '') restoreDraft(app, draft);
      return `Unscheduled: the message to ${conversationTitle(app.state, conversation)} is a draft again`;
    },
    failureText: 'Still scheduled',
  });
  return 'Unscheduling…';
}

/** Starts following draft changes from other clients, and sends a delayed message when the app ends. */
export function watchComposer(app: App): void {
  app.onEnd(app.session.cache.subscribe(['localDrafts'], () => syncWithDrafts(app)));
  app.onEnd(() => sendDelayedNow(app));
}

import type {App} from '#app/core/app.ts';
import {openCard} from '#app/overlays/cards.ts';
import {failureReason, toastResult, unknownResultText} from '#app/requests/server-request.ts';
import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';
import {editMessage} from '#state/actions/messages.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {conversationKey} from '#state/model/conversation.ts';
import type {DraftTarget} from '#state/model/draft.ts';
import type {Message} from '#state/model/message.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {canEditContent} from '#state/selectors/permissions/message-permissions.ts';
import {refusalReason} from '#state/selectors/permissions/permission.ts';
import {emptyComposer, type MessageEdit} from '#ui/composer/composer-state.ts';
import {withUndoKey} from '#ui/core/toast-message.ts';
import {fittedLine} from '#ui/layout/ui-line.ts';
import {emptyField, setText} from '#ui/text/text-field.ts';
import {editWarnings, lengthCounter} from '#ui/warnings/send-warnings.ts';
import {isUncertain} from '#wire/failure.ts';
import {focusComposer, setComposer} from './change-composer.ts';
import {showsWarnings} from './check-message.ts';
import {hideUnsavedEdit, persistEdit, persistedEdit, removePersistedEdit, showUnsavedEdits} from './composer-saver.ts';
import {closeComposer, composeProblem, continueOffer} from './open-composer.ts';

/** The toasts about an edit that is not saved stay until another one replaces them. */
const unsavedEditMs = 3_600_000;
/** The number of messages searched for an editable one. */
const lookBack = 1000;

/** Edits the user's own message, continuing an unsaved edit; shows the source of other messages. */
export function editOrShowSource(app: App, message: Message): void {
  const permission = canEditContent(app.state, message, app.clock.now());
  if (permission.ok && composeProblem(app) === undefined) startEdit(app, message);
  else showSource(app, message, refusalReason(permission));
}

export function startEdit(app: App, message: Message): void {
  const saver = app.composerPersistence;
  saver.flush();
  saver.rememberField(app.screen.composer.field);
  app.session.typing.stop();
  const unsaved = persistedEdit(app, message.id);
  const {composer} = app.screen;
  const editing: MessageEdit = {messageId: message.id, before: unsaved?.before ?? message.content};
  focusComposer(app, {
    ...emptyComposer(composer, conversationOf(message)),
    editing,
    field: {...setText(emptyField, unsaved?.text ?? message.content), kills: composer.field.kills},
  });
  if (unsaved !== undefined) app.toast('Continuing your unsaved edit');
}

/** Sends the edit to the server. The text stays on disk until the server confirms it. */
export function saveEdit(app: App, editing: MessageEdit): void {
  const {text} = app.screen.composer.field;
  if (text.trim() === '') {
    app.toast('A message cannot be empty: press Delete on it to delete it', 'warning');
    return;
  }
  if ((lengthCounter(app.state, text)?.left ?? 0) < 0) {
    app.toast('Message too long', 'warning');
    return;
  }
  const {target} = app.screen.composer;
  const edit = {before: editing.before, after: text};
  const warnings = target.kind === 'none' ? [] : editWarnings(app.state, target, edit, {nowMs: app.clock.now()});
  if (showsWarnings(app, warnings)) return;
  const saver = app.composerPersistence;
  saver.scheduleSave();
  if (!saver.flush()) return;
  setComposer(app, {editing: {...editing, before: text}});
  closeComposer(app);
  if (text === editing.before) return;
  app.toast('Saving the edit…', 'plain', unsavedEditMs);
  hideUnsavedEdit(app, editing.messageId);
  const answered = app.undoStack.awaitAnswer();
  void editMessage(app.session.context, editing.messageId, {before: editing.before, after: text}).then(
    (outcome) => {
      if (outcome.kind === 'edited') {
        removePersistedEdit(app, editing.messageId);
        answered(() => pushEdit(app, {messageId: editing.messageId, before: editing.before, after: text}));
        app.toast(withUndoKey('Edited'));
        return;
      }
      answered(() => {});
      // The next edit starts from the server's current text, so the user sees it before overwriting it.
      persistEdit(app, {messageId: editing.messageId, before: outcome.theirs ?? editing.before}, text);
      showUnsavedEdits(app);
      app.toast({text: outcome.problem, offer: continueOffer(app, editing.messageId)}, 'error');
    },
    (error: unknown) => {
      answered(() => {});
      showUnsavedEdits(app);
      const reason = failureReason(error);
      if (reason === undefined) return;
      const sentence = isUncertain(error) ? `Edit: ${unknownResultText(reason)}` : `Edit not saved: ${reason}`;
      app.toast({text: sentence, offer: continueOffer(app, editing.messageId)}, 'error', unsavedEditMs);
    },
  );
}

function pushEdit(app: App, edit: {readonly messageId: number; readonly before: string; readonly after: string}): void {
  const message = app.state.messages.byId.get(edit.messageId);
  const place = message && conversationTitle(app.state, conversationOf(message));
  app.undoStack.pushStep('Edited your message', {kind: 'edit', ...edit}, place);
}

/** Returns the user's newest message there that is still editable, or with `from` the next older or newer one. */
export function editableOwnMessage(
  app: App,
  target: DraftTarget,
  from?: {readonly id: number; readonly step: 1 | -1},
): Message | undefined {
  if (target.kind === 'none') return undefined;
  const {messages, self} = app.state;
  const ids = messages.byConversation.get(conversationKey(target));
  const now = app.clock.now();
  let newer: Message | undefined;
  let looked = 0;
  for (const id of ids?.reversed() ?? []) {
    if (++looked > lookBack) break;
    if (from !== undefined && from.step === 1 && id <= from.id) return newer;
    if (from !== undefined && from.step === -1 && id >= from.id) continue;
    const message = messages.byId.get(id);
    if (message?.senderId !== self.userId || !canEditContent(app.state, message, now).ok) continue;
    if (from?.step !== 1) return message;
    newer = message;
  }
  return newer;
}

/** Shows the message's Markdown source. */
export function showSource(app: App, {content}: Message, reason?: string): void {
  openCard(app, {
    id: 'source',
    title: 'Source',
    hint: {c: 'copies', Esc: 'closes'},
    lines: (_frame, width) => [
      ...(reason === undefined ? [] : [fittedLine([{text: reason, role: 'dim'}], width), fittedLine([], width)]),
      ...content
        .split('\n')
        .flatMap((line) => wrapSpans([{text: sanitizeText(line), role: 'text' as const}], {width, verbatim: true})),
    ],
    onKey: (from, key) => {
      if (key.name !== 'c') return false;
      toastResult(from, from.device.copy(content));
      return true;
    },
  });
}

import {failureReason} from '#app/actions/server-request.ts';
import type {App} from '#app/core/app.ts';
import {fittedLine} from '#app/layout/ui-line.ts';
import {openCard} from '#app/overlays/cards.ts';
import {emptyField, setText} from '#app/text/text-field.ts';
import {lengthCounter} from '#app/warnings/message-length.ts';
import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';
import {editMessage} from '#state/actions/edit-message.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {conversationKey} from '#state/model/conversation.ts';
import type {DraftTarget} from '#state/model/draft.ts';
import type {Message} from '#state/model/message.ts';
import {canEditContent} from '#state/selectors/permissions/message-permissions.ts';
import {setComposer} from './change-composer.ts';
import {composerSaver} from './composer-saver.ts';
import {emptyComposer, type MessageEdit} from './composer-state.ts';
import {closeComposer, composeProblem} from './open-composer.ts';
import {persistEdit, persistedEdit, removePersistedEdit} from './persisted-edits.ts';

/** Messages to look through for one's own. */
const lookBack = 1000;

/** Changes one's own message in the composer, going on with what was begun; shows the source of others. */
export function editOrShowSource(app: App, message: Message): void {
  const permission = canEditContent(app.state, message, app.clock.now());
  if (permission.ok && composeProblem(app) === undefined) startEdit(app, message);
  else showSource(app, message, permission.ok ? undefined : permission.reason);
}

export function startEdit(app: App, message: Message): void {
  const keeper = composerSaver(app);
  keeper.flush();
  keeper.rememberField(app.screen.composer.field);
  app.session.typing.stop();
  const kept = persistedEdit(app, message.id);
  const {composer} = app.screen;
  const editing: MessageEdit = {messageId: message.id, before: kept?.before ?? message.content};
  setComposer(app, {
    ...emptyComposer(composer, conversationOf(message)),
    isOpen: true,
    editing,
    field: {...setText(emptyField, kept?.text ?? message.content), kills: composer.field.kills},
    sendKeys: {enterSends: app.settings.enterSends, reportsShiftEnter: app.device.reportsShiftEnter},
  });
  app.set({focus: 'composer'});
  if (kept !== undefined) app.toast('Going on with the edit that you began');
}

/** Asks the server for it. The text is on disk until the server has it. */
export function saveEdit(app: App, editing: MessageEdit): void {
  const {text} = app.screen.composer.field;
  if (text.trim() === '') {
    app.toast('A message cannot become empty: Delete on the message deletes it', 'warning');
    return;
  }
  if ((lengthCounter(app.state, text)?.left ?? 0) < 0) {
    app.toast('This is too long for one message', 'warning');
    return;
  }
  const keeper = composerSaver(app);
  keeper.scheduleSave();
  if (!keeper.flush()) return;
  setComposer(app, {...app.screen.composer, editing: {...editing, before: text}});
  closeComposer(app);
  if (text === editing.before) return;
  app.toast('Saving the edit…');
  void editMessage(app.session.context, editing.messageId, {before: editing.before, after: text}).then(
    (outcome) => {
      if (outcome.kind === 'edited') {
        removePersistedEdit(app, editing.messageId);
        app.toast('Edited');
        return;
      }
      // Whoever opens it again has seen what it says now, and may write over it.
      persistEdit(app, {messageId: editing.messageId, before: outcome.theirs ?? editing.before}, text);
      app.toast(`${outcome.problem} · e goes on with it`, 'error');
    },
    (error: unknown) => {
      const reason = failureReason(error);
      if (reason !== undefined) app.toast(`Not saved, but kept: ${reason} · e goes on with it`, 'error');
    },
  );
}

/** The newest of one's own messages there that may still be changed, or the next older or newer than one of them. */
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

/** The Markdown that a message was written in. */
export function showSource(app: App, {content}: Message, reason?: string): void {
  openCard(app, {
    id: 'source',
    title: 'Source',
    hint: 'c copies it · Esc closes',
    lines: (_frame, width) => [
      ...(reason === undefined
        ? []
        : [fittedLine([{text: reason, role: 'dim'}], width), fittedLine([], width)]),
      ...content
        .split('\n')
        .flatMap((line) =>
          wrapSpans([{text: sanitizeText(line), role: 'text' as const}], {width, verbatim: true}),
        ),
    ],
    onKey: (from, key) => {
      if (key.name !== 'c') return false;
      void from.device.copy(content).then((said) => from.toast(said));
      return true;
    },
  });
}

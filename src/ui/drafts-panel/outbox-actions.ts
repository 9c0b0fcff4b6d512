import type {OutboxEntry, OutboxStatus} from '#state/model/outbox.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {type RestoreOptions, restoreDraft} from '#ui/composer/open-composer.ts';
import {pushSent} from '#ui/composer/push-sent.ts';
import type {App} from '#ui/core/app.ts';
import {withDraftsKey, withUndoKey} from '#ui/core/toast-message.ts';
import {excerpt} from '#ui/format/excerpt.ts';
import {messageContext} from '#ui/format/message-context.ts';
import {confirm} from '#ui/overlays/confirm.ts';

const alreadySendingText = 'This message is being sent: it cannot be changed now.';

/** The question before a message is sent again, by its status; no question where it is sent without it. */
const resendQuestions: Readonly<Partial<Record<OutboxStatus, readonly [title: string, yes: string]>>> = {
  unconfirmed: ['Send again? It may have arrived already', 'Send again'],
  failed: ['Try to send this message again?', 'Send again'],
  held: ['Send this message now?', 'Send now'],
};

/** Asks whether to send again a message that failed, may have arrived, or waited long. */
export function confirmResend(app: App, {id, status, content, conversation}: OutboxEntry): void {
  const question = resendQuestions[status];
  if (question === undefined) {
    app.toast(status === 'queued' ? 'This message is sent when the server is reachable' : alreadySendingText);
    return;
  }
  const [title, yes] = question;
  confirm(app, {
    title,
    yes,
    detail: excerpt(content, messageContext(app.state)),
    onYes: (from) => {
      const isQueued = from.session.outbox.resend(id);
      if (isQueued) pushSent(from, id, conversation);
      const isGone = from.state.outbox.every((entry) => entry.id !== id);
      from.toast(isQueued ? 'Sending again' : isGone ? 'This message has arrived' : alreadySendingText);
    },
  });
}

/** Moves an unsent message back into the composer. */
export function editUnsent(app: App, {id}: OutboxEntry, options: RestoreOptions = {}): void {
  const draft = app.session.outbox.toDraft(id);
  if (draft === undefined) app.toast(alreadySendingText, 'warning');
  else restoreDraft(app, draft, options);
}

export function unsentToDrafts(app: App, {id}: OutboxEntry): void {
  const draft = app.session.outbox.toDraft(id);
  app.toast(
    draft === undefined ? alreadySendingText : withDraftsKey('Saved as a draft'),
    draft === undefined ? 'warning' : 'plain',
  );
}

/** Discards unsent messages. Undo restores them as drafts, so that nothing is sent twice. */
export function discardUnsent(app: App, entries: readonly OutboxEntry[]): void {
  const {session} = app;
  const discarded = entries.flatMap(({id}) => session.outbox.discard(id) ?? []);
  const [first, ...others] = discarded;
  if (first === undefined) {
    app.toast('Already being sent', 'warning');
    return;
  }
  const label =
    others.length === 0
      ? `Not sent to ${conversationTitle(app.state, first.conversation)}`
      : `Not sent: ${discarded.length} messages`;
  app.undoStack.push({
    label,
    undo: () => {
      for (const {conversation, content} of discarded) {
        session.drafts.edit(undefined, {target: conversation, content});
      }
      return others.length === 0 ? 'Restored as a draft' : 'Restored as drafts';
    },
  });
  app.toast(withUndoKey(label));
}

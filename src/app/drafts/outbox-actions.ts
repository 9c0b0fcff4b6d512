import {type RestoreOptions, restoreDraft} from '#app/compose/open-composer.ts';
import {pushSent} from '#app/compose/push-sent.ts';
import type {App} from '#app/core/app.ts';
import {draftsKeyOffer, undoKeyOffer} from '#app/core/key-offer.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';

const alreadySendingText = 'This message is being sent: it cannot be changed now.';

/** Sends again a message that failed, may not have arrived, or waits for confirmation. */
export function retryUnsent(app: App, {id, conversation}: OutboxEntry): void {
  const isSent = app.session.outbox.resend(id);
  if (isSent) pushSent(app, id, conversation);
  app.toast(isSent ? 'Sending again' : alreadySendingText);
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
    draft === undefined ? alreadySendingText : `Saved as a draft${draftsKeyOffer()}`,
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
  app.toast(`${label}${undoKeyOffer()}`);
}

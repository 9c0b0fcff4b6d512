import type {App} from '#app/core/app.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';

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
  app.toast(`${label} · z undo`);
}

import {type RestoreOptions, restoreDraft} from '#app/compose/open-composer.ts';
import type {App} from '#app/core/app.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';

const onItsWay = 'This message is on its way: it cannot be changed now.';

/** Sends once more what was refused, is in doubt or waits for a word. */
export function retryUnsent(app: App, {id}: OutboxEntry): void {
  app.toast(app.session.outbox.resend(id) ? 'Sending again' : onItsWay);
}

/** Takes it back into the composer, to be sent from there. */
export function editUnsent(app: App, {id}: OutboxEntry, options: RestoreOptions = {}): void {
  const draft = app.session.outbox.toDraft(id);
  if (draft === undefined) app.toast(onItsWay, 'warning');
  else restoreDraft(app, draft, options);
}

export function unsentToDrafts(app: App, {id}: OutboxEntry): void {
  const draft = app.session.outbox.toDraft(id);
  app.toast(
    draft === undefined ? onItsWay : 'Kept as a draft · d',
    draft === undefined ? 'warning' : 'plain',
  );
}

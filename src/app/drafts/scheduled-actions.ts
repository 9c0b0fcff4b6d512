import {failureReason, requestFromServer} from '#app/actions/server-request.ts';
import {restoreDraft} from '#app/compose/open-composer.ts';
import {pushSent} from '#app/compose/push-sent.ts';
import type {App} from '#app/core/app.ts';
import {undoKeyOffer} from '#app/core/key-offer.ts';
import {scheduleMessage, unscheduleMessage} from '#state/actions/schedule.ts';
import type {ScheduledMessage} from '#state/model/personal.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';

/**
 * Turns a scheduled message into a draft. The draft is on disk before the request to unschedule, so that nothing is
 * lost in between.
 */
export function unscheduleToDraft(app: App, message: ScheduledMessage, keepsView: boolean): void {
  replaceByDraft(app, message, (draft) => {
    const label = `Unscheduled: ${conversationTitle(app.state, message.conversation)}`;
    app.undoStack.pushPermanent(label, {problem: 'It is a draft now: schedule it again there'});
    restoreDraft(app, draft, {keepsView});
  });
}

/** Unschedules the message, then puts it into the outbox: it is never in both. */
export function sendScheduledNow(app: App, message: ScheduledMessage): void {
  const {conversation, content} = message;
  replaceByDraft(app, message, (draft) => {
    const {id} = app.session.outbox.send({conversation, content, draftId: draft.id});
    pushSent(app, id, conversation);
    app.toast(`Sent to ${conversationTitle(app.state, conversation)}`);
  });
}

type Draft = NonNullable<ReturnType<App['session']['drafts']['edit']>>;

function replaceByDraft(app: App, {id, conversation, content}: ScheduledMessage, then: (draft: Draft) => void): void {
  const {drafts, context} = app.session;
  const draft = drafts.edit(undefined, {target: conversation, content});
  if (draft === undefined) return;
  unscheduleMessage(context, id).then(
    () => then(draft),
    (error: unknown) => {
      drafts.remove(draft.id);
      app.toast(`Still scheduled: ${failureReason(error) ?? 'no answer'}`, 'error');
    },
  );
}

/** Unschedules messages. Undo schedules them again, if their time has not passed. */
export function deleteScheduled(app: App, messages: readonly ScheduledMessage[]): void {
  const {context} = app.session;
  const [first] = messages;
  if (first === undefined) return;
  const label =
    messages.length === 1
      ? `Unscheduled: ${conversationTitle(app.state, first.conversation)}`
      : `Unscheduled: ${messages.length} messages`;
  const undo = () => {
    for (const message of messages) scheduleAgain(app, message);
    return 'Scheduling again…';
  };
  requestFromServer(app, {
    send: () => Promise.all(messages.map(({id}) => unscheduleMessage(context, id))),
    doneText: () => {
      app.undoStack.push({label, undo});
      return `${label}${undoKeyOffer()}`;
    },
    failureText: 'Still scheduled',
  });
}

/** Schedules a message again; if the server refuses, saves it as a draft. */
function scheduleAgain(app: App, {conversation, content, scheduledDeliveryTimestamp: at}: ScheduledMessage): void {
  scheduleMessage(app.session.context, {conversation, content, at}).then(
    () => app.toast('Scheduled again'),
    (error: unknown) => {
      app.session.drafts.edit(undefined, {target: conversation, content});
      app.toast(`Saved as a draft: ${failureReason(error) ?? 'no answer'}`, 'error');
    },
  );
}

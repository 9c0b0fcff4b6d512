import {scheduleMessage, unscheduleMessage} from '#state/actions/schedule.ts';
import {isUncertain} from '#state/lost-responses.ts';
import type {ScheduledMessage} from '#state/model/personal.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {reportFailure, requestFromServer} from '#ui/actions/server-request.ts';
import {restoreDraft} from '#ui/composer/open-composer.ts';
import {pushSent} from '#ui/composer/push-sent.ts';
import type {App} from '#ui/core/app.ts';
import {undoKeyOffer} from '#ui/core/key-offer.ts';
import {excerpt} from '#ui/format/excerpt.ts';
import {messageContext} from '#ui/format/message-context.ts';
import {confirm} from '#ui/overlays/confirm.ts';

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

/** Asks, unschedules the message, then puts it into the outbox: it is never in both. */
export function sendScheduledNow(app: App, message: ScheduledMessage): void {
  const {conversation, content} = message;
  const title = conversationTitle(app.state, conversation);
  confirm(app, {
    title: `Send to ${title} now?`,
    yes: 'Send',
    detail: excerpt(content, messageContext(app.state)),
    onYes: (opened) =>
      replaceByDraft(opened, message, (draft) => {
        const {id} = opened.session.outbox.send({conversation, content, draftId: draft.id});
        pushSent(opened, id, conversation);
        opened.toast(`Sent to ${title}`);
      }),
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
      // If the message may be unscheduled, the draft is the only copy.
      if (!isUncertain(error)) drafts.remove(draft.id);
      reportFailure(app, error, {failureText: 'Still scheduled', progressText: 'Unscheduling, saved as a draft'});
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
      const texts = {failureText: 'Saved as a draft', progressText: 'Scheduling again, saved as a draft'};
      reportFailure(app, error, {...texts, isUndo: true});
    },
  );
}

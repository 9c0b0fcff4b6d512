import {checkDraftsSynchronized, createDrafts, deleteDraft, editDraft} from '#server/actions/personal/drafts.ts';
import {
  addNavigationView,
  editNavigationView,
  removeNavigationView,
} from '#server/actions/personal/navigation-views.ts';
import {createSnippet, deleteSnippet, editSnippet} from '#server/actions/personal/snippets.ts';
import {createReminder, deleteReminder} from '#server/actions/schedule/reminders.ts';
import {
  deleteScheduledMessage,
  editScheduledMessage,
  scheduleMessage,
} from '#server/actions/schedule/scheduled-messages.ts';
import {draftsOf} from '#server/db/drafts.ts';
import {navigationViewsOf} from '#server/db/navigation-views.ts';
import {remindersOf, scheduledOf} from '#server/db/scheduled-messages.ts';
import {snippetsOf} from '#server/db/snippets.ts';
import {type Route, route} from '#server/http/route.ts';
import {draftView} from '#server/views/draft.ts';
import {navigationViewView} from '#server/views/navigation-view.ts';
import {reminderView, scheduledMessageView} from '#server/views/scheduled-message.ts';
import {snippetView} from '#server/views/snippet.ts';
import {endpoints} from '#wire/endpoints.ts';

const draftRoutes: readonly Route[] = [
  route(endpoints.getDrafts, ({db, actor}) => {
    checkDraftsSynchronized(actor);
    const drafts = draftsOf(db, actor.id).reverse().map(draftView);
    return {count: drafts.length, drafts};
  }),

  route(endpoints.createDrafts, (call, {drafts}) => {
    checkDraftsSynchronized(call.actor);
    return {ids: createDrafts(call, call.actor, drafts)};
  }),

  route(endpoints.editDraft, (call, {draft_id, draft}) => {
    checkDraftsSynchronized(call.actor);
    editDraft(call, call.actor, draft_id, draft);
  }),

  route(endpoints.deleteDraft, (call, {draft_id}) => {
    checkDraftsSynchronized(call.actor);
    deleteDraft(call, call.actor, draft_id);
  }),
];

const snippetRoutes: readonly Route[] = [
  route(endpoints.getSnippets, ({db, actor}) => ({
    saved_snippets: snippetsOf(db, actor.id).map(snippetView),
  })),

  route(endpoints.createSnippet, (call, params) => ({
    saved_snippet_id: createSnippet(call, call.actor, params),
  })),

  route(endpoints.editSnippet, (call, {saved_snippet_id, title, content}) =>
    editSnippet(call, call.actor, saved_snippet_id, {title, content}),
  ),

  route(endpoints.deleteSnippet, (call, {saved_snippet_id}) => deleteSnippet(call, call.actor, saved_snippet_id)),
];

const scheduleRoutes: readonly Route[] = [
  route(endpoints.getScheduledMessages, (call) => ({
    scheduled_messages: scheduledOf(call.db, call.actor.id).map((row) => scheduledMessageView(call, row, true)),
  })),

  route(endpoints.createScheduledMessage, (call, params) => ({
    scheduled_message_id: scheduleMessage(call, {
      type: params.type,
      to: params.to,
      topic: params.topic,
      content: params.content,
      deliverAt: params.scheduled_delivery_timestamp,
      readBySender: params.read_by_sender,
    }),
  })),

  route(endpoints.editScheduledMessage, (call, params) =>
    editScheduledMessage(call, call.actor, params.scheduled_message_id, {
      type: params.type,
      to: params.to,
      topic: params.topic,
      content: params.content,
      deliverAt: params.scheduled_delivery_timestamp,
    }),
  ),

  route(endpoints.deleteScheduledMessage, (call, {scheduled_message_id}) =>
    deleteScheduledMessage(call, call.actor, scheduled_message_id),
  ),

  route(endpoints.getReminders, (call) => ({
    reminders: remindersOf(call.db, call.actor.id).map((row) => reminderView(call, row)),
  })),

  route(endpoints.createReminder, (call, {message_id, scheduled_delivery_timestamp, note}) => ({
    reminder_id: createReminder(call, {
      messageId: message_id,
      deliverAt: scheduled_delivery_timestamp,
      note,
    }),
  })),

  route(endpoints.deleteReminder, (call, {reminder_id}) => deleteReminder(call, call.actor, reminder_id)),
];

const navigationRoutes: readonly Route[] = [
  route(endpoints.getNavigationViews, ({db, actor}) => ({
    navigation_views: navigationViewsOf(db, actor.id).map(navigationViewView),
  })),

  route(endpoints.addNavigationView, (call, {fragment, is_pinned, name}) =>
    addNavigationView(call, call.actor, {fragment, isPinned: is_pinned, name: name ?? undefined}),
  ),

  route(endpoints.editNavigationView, (call, {fragment, is_pinned, name}) =>
    editNavigationView(call, call.actor, fragment, {isPinned: is_pinned, name: name ?? undefined}),
  ),

  route(endpoints.removeNavigationView, (call, {fragment}) => removeNavigationView(call, call.actor, fragment)),
];

export const personalRoutes: readonly Route[] = [
  ...draftRoutes,
  ...snippetRoutes,
  ...scheduleRoutes,
  ...navigationRoutes,
];

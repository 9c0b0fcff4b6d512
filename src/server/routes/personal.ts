import {userSettings} from '#server/accounts/user-settings.ts';
import {checkDraftsSynchronized, createDrafts, deleteDraft, editDraft} from '#server/actions/personal/drafts.ts';
import {
  addNavigationView,
  createSnippet,
  deleteSnippet,
  editNavigationView,
  editSnippet,
  removeNavigationView,
} from '#server/actions/personal/personal-items.ts';
import {createReminder, deleteReminder} from '#server/actions/schedule/reminders.ts';
import {
  deleteScheduledMessage,
  editScheduledMessage,
  scheduleMessage,
} from '#server/actions/schedule/scheduled-messages.ts';
import {setUserStatus} from '#server/actions/users/own-lists.ts';
import {reportPresence} from '#server/actions/users/presence.ts';
import type {RequestContext} from '#server/context.ts';
import {
  draftsOf,
  navigationViewsOf,
  remindersOf,
  scheduledOf,
  snippetsOf,
  statusOf,
} from '#server/db/personal-items.ts';
import type {UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {type Route, route} from '#server/http/route.ts';
import {
  requireAccessibleUser,
  requireAccessibleUserByEmail,
  requireActivePerson,
  requireAdmin,
} from '#server/permissions/user-access.ts';
import {
  draftView,
  navigationViewView,
  reminderView,
  scheduledMessageView,
  snippetView,
  statusView,
} from '#server/views/personal-items.ts';
import {presenceTable, serverTimestamp, singlePresenceView} from '#server/views/presence.ts';
import type {ParamsOf, ResultOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {LegacyPresences} from '#wire/objects/presence.ts';

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
    scheduled_message_id: scheduleMessage(call, params),
  })),

  route(endpoints.editScheduledMessage, (call, params) => editScheduledMessage(call, call.actor, params)),

  route(endpoints.deleteScheduledMessage, (call, {scheduled_message_id}) =>
    deleteScheduledMessage(call, call.actor, scheduled_message_id),
  ),

  route(endpoints.getReminders, (call) => ({
    reminders: remindersOf(call.db, call.actor.id).map((row) => reminderView(call, row)),
  })),

  route(endpoints.createReminder, (call, params) => ({reminder_id: createReminder(call, params)})),

  route(endpoints.deleteReminder, (call, {reminder_id}) => deleteReminder(call, call.actor, reminder_id)),
];

const navigationRoutes: readonly Route[] = [
  route(endpoints.getNavigationViews, ({db, actor}) => ({
    navigation_views: navigationViewsOf(db, actor.id).map(navigationViewView),
  })),

  route(endpoints.addNavigationView, (call, params) => addNavigationView(call, call.actor, params)),

  route(endpoints.editNavigationView, (call, params) => editNavigationView(call, call.actor, params)),

  route(endpoints.removeNavigationView, (call, {fragment}) => removeNavigationView(call, call.actor, fragment)),
];

export const personalRoutes: readonly Route[] = [
  ...draftRoutes,
  ...snippetRoutes,
  ...scheduleRoutes,
  ...navigationRoutes,
];

const defaultHistoryDays = 14;

export const presenceRoutes: readonly Route[] = [
  route(endpoints.updatePresence, updatePresence),
  route(endpoints.getUserPresence, (call, params) =>
    userPresence(call, requireAccessibleUser(call, call.actor, params.user_id), String(params.user_id)),
  ),
  route(endpoints.getUserPresenceByEmail, (call, params) =>
    userPresence(call, requireAccessibleUserByEmail(call, call.actor, params.email), params.email),
  ),
  route(endpoints.getRealmPresence, (call) => {
    const query = {modern: false, historyDays: defaultHistoryDays};
    // The query asks for the legacy format, so the table has this type.
    const presences = presenceTable(call, call.actor, query).presences as LegacyPresences;
    return {presences, server_timestamp: serverTimestamp(call)};
  }),
  route(endpoints.updateStatus, (call, params) => setUserStatus(call, call.actor, params)),
  route(endpoints.getUserStatus, (call, params) => {
    const user = requireActivePerson(call, call.actor, params.user_id);
    return {status: statusView(statusOf(call.db, user.id))};
  }),
  route(endpoints.updateUserStatus, (call, params) => {
    const {user_id, ...changes} = params;
    const user = requireActivePerson(call, call.actor, user_id);
    requireAdmin(call.actor);
    setUserStatus(call, user, changes);
  }),
];

function updatePresence(
  call: RequestContext,
  params: ParamsOf<typeof endpoints.updatePresence>,
): ResultOf<typeof endpoints.updatePresence> {
  reportPresence(call, call.actor, params.status, userSettings(call.actor).presence_enabled);
  const sinceId = params.last_update_id;
  // No presences are returned, so the client's last update id stays the same.
  if (params.ping_only) return {presence_last_update_id: sinceId ?? -1};
  const {presences, lastUpdateId} = presenceTable(call, call.actor, {
    modern: sinceId !== undefined || params.slim_presence,
    sinceId,
    historyDays: params.history_limit_days ?? defaultHistoryDays,
  });
  return {presences, presence_last_update_id: lastUpdateId, server_timestamp: serverTimestamp(call)};
}

function userPresence(
  call: RequestContext,
  user: UserRow,
  requested: string,
): ResultOf<typeof endpoints.getUserPresence> {
  if (user.is_active === 0 || user.is_system_bot === 1) throw badRequest('No such user');
  if (user.is_bot === 1) throw badRequest('Presence is not supported for bot users.');
  const presence = singlePresenceView(call, user);
  if (presence === undefined) throw badRequest(`No presence data for ${requested}`);
  return {presence, server_timestamp: serverTimestamp(call)};
}

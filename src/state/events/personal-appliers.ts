import {keepIfEqual, withFields, withSlices, withValue} from '#state/immutable-updates.ts';
import {topicConversationKey} from '#state/model/conversation.ts';
import {attachmentFromWire, settingsFromWire} from '#state/model/organization.ts';
import {
  draftFromWire,
  navigationViewFromWire,
  newestPresence,
  presenceFromWire,
  reminderFromWire,
  scheduledFromWire,
  statusFromWire,
  userTopicFromWire,
} from '#state/model/personal.ts';
import {userTopicsFromMuted} from '#state/model/user-topics.ts';
import type {AccountState} from '#state/state.ts';
import type {Appliers} from '#state/state-event.ts';
import {withMutingChanged, withTimelinesRechecked} from '#state/unreads/muting-changes.ts';
import {camelKeys} from '#std/camel.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {presencesOf} from '#wire/events/people.ts';
import {settingsPatch} from '#wire/events/personal.ts';
import type {EventOf} from '#wire/events.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';
import {applySubscription} from './subscription.ts';

/** Events only speed up what polling reports anyway, so an older report never replaces a newer one. */
function applyPresence(state: AccountState, event: EventOf<'presence'>): AccountState {
  const {presences} = state;
  let {byUser} = presences;
  for (const [id, wire] of Object.entries(presencesOf(event))) {
    const reported = presenceFromWire(wire);
    const before = byUser.get(Number(id));
    const after = before === undefined ? reported : keepIfEqual(before, newestPresence(before, reported));
    if (after !== before) byUser = byUser.with(Number(id), after);
  }
  return byUser === presences.byUser ? state : withSlices(state, {presences: {...presences, byUser}});
}

function applyUserStatus(state: AccountState, event: EventOf<'user_status'>): AccountState {
  const {statuses} = state;
  const status = statusFromWire(event, statuses.get(event.user_id));
  return withSlices(state, {
    statuses: status === undefined ? statuses.without(event.user_id) : withValue(statuses, event.user_id, status),
  });
}

function applyUserTopic(state: AccountState, event: EventOf<'user_topic'>): AccountState {
  const {userTopics} = state;
  const key = topicConversationKey(event.stream_id, event.topic_name);
  // The server keeps the spelling that the topic had when it first got a policy.
  const topic = userTopics.get(key)?.topic ?? event.topic_name;
  const after = withSlices(state, {
    userTopics:
      event.visibility_policy === visibilityPolicies.none
        ? userTopics.without(key)
        : withValue(userTopics, key, {...userTopicFromWire(event), topic}),
  });
  return withMutingChanged(state, after, event, event.stream_id, event.topic_name);
}

/** Below level 134 the event contains the whole list, and muting is the only policy. */
function applyMutedTopics(state: AccountState, event: EventOf<'muted_topics'>): AccountState {
  const userTopics = userTopicsFromMuted(event.muted_topics, state.channels.values());
  const after = withSlices(state, {userTopics: keepIfEqual(state.userTopics, userTopics)});
  return after === state ? state : withTimelinesRechecked(after, event);
}

function applyMutedUsers(state: AccountState, event: EventOf<'muted_users'>): AccountState {
  const mutedUsers = SortedMap.by(event.muted_users, ({id}) => id);
  const after = withSlices(state, {mutedUsers: keepIfEqual(state.mutedUsers, mutedUsers)});
  return after === state ? state : withTimelinesRechecked(after, event);
}

function applyDrafts(state: AccountState, event: EventOf<'drafts'>): AccountState {
  if (event.op === 'remove') return withSlices(state, {drafts: state.drafts.without(event.draft_id)});
  let {drafts} = state;
  for (const wire of event.op === 'add' ? event.drafts : [event.draft]) {
    drafts = withValue(drafts, wire.id, draftFromWire(wire, state.self.userId));
  }
  return withSlices(state, {drafts});
}

function applyNavigationView(state: AccountState, event: EventOf<'navigation_view'>): AccountState {
  return withSlices(state, {navigationViews: navigationViewsAfter(state.navigationViews, event)});
}

function navigationViewsAfter(
  views: AccountState['navigationViews'],
  event: EventOf<'navigation_view'>,
): AccountState['navigationViews'] {
  switch (event.op) {
    case 'add':
      return withValue(views, event.navigation_view.fragment, navigationViewFromWire(event.navigation_view));
    case 'update':
      return withFields(views, event.fragment, camelKeys(event.data));
    case 'remove':
      return views.without(event.fragment);
  }
}

function applySavedSnippets(state: AccountState, event: EventOf<'saved_snippets'>): AccountState {
  const {snippets} = state;
  return withSlices(state, {
    snippets:
      event.op === 'remove'
        ? snippets.without(event.saved_snippet_id)
        : withValue(snippets, event.saved_snippet.id, camelKeys(event.saved_snippet)),
  });
}

function applyScheduledMessages(state: AccountState, event: EventOf<'scheduled_messages'>): AccountState {
  let {scheduled} = state;
  if (event.op === 'remove') {
    return withSlices(state, {scheduled: scheduled.without(event.scheduled_message_id)});
  }
  for (const wire of event.op === 'add' ? event.scheduled_messages : [event.scheduled_message]) {
    scheduled = withValue(scheduled, wire.scheduled_message_id, scheduledFromWire(wire, state.self.userId));
  }
  return withSlices(state, {scheduled});
}

function applyReminders(state: AccountState, event: EventOf<'reminders'>): AccountState {
  let {reminders} = state;
  if (event.op === 'remove') return withSlices(state, {reminders: reminders.without(event.reminder_id)});
  for (const wire of event.reminders) {
    reminders = withValue(reminders, wire.reminder_id, reminderFromWire(wire));
  }
  return withSlices(state, {reminders});
}

function applyAlertWords(state: AccountState, event: EventOf<'alert_words'>): AccountState {
  return withSlices(state, {alertWords: keepIfEqual(state.alertWords, event.alert_words)});
}

function applyUserSettings(state: AccountState, event: EventOf<'user_settings'>): AccountState {
  const patch = settingsPatch(event);
  if (patch === undefined) return state;
  const settings = {...state.settings, ...settingsFromWire(patch)};
  // Turning the synchronization off deletes the server's drafts without events.
  const drafts: AccountState['drafts'] =
    settings.enableDraftsSynchronization === false ? SortedMap.empty() : state.drafts;
  const after = withSlices(state, {settings: keepIfEqual(state.settings, settings), drafts});
  // Becoming invisible changes one's own status without an event of its own.
  if (typeof patch.presence_enabled !== 'boolean') return after;
  return applyUserStatus(after, {
    type: 'user_status',
    id: event.id,
    user_id: state.self.userId,
    away: !patch.presence_enabled,
  });
}

function applyAttachment(state: AccountState, event: EventOf<'attachment'>): AccountState {
  const {attachments} = state;
  return withSlices(state, {
    attachments:
      event.op === 'remove'
        ? attachments.without(event.attachment.id)
        : withValue(attachments, event.attachment.id, attachmentFromWire(event.attachment)),
  });
}

function applyVideoToken(state: AccountState, event: EventOf<'video_token'>): AccountState {
  const videoTokens = {...state.videoTokens, [event.provider]: event.value};
  return withSlices(state, {videoTokens: keepIfEqual(state.videoTokens, videoTokens)});
}

/** The appliers of events about the user's own data, and about presence and status. */
export const personalAppliers = {
  presence: applyPresence,
  user_status: applyUserStatus,
  user_topic: applyUserTopic,
  muted_topics: applyMutedTopics,
  muted_users: applyMutedUsers,
  drafts: applyDrafts,
  navigation_view: applyNavigationView,
  saved_snippets: applySavedSnippets,
  scheduled_messages: applyScheduledMessages,
  reminders: applyReminders,
  alert_words: applyAlertWords,
  user_settings: applyUserSettings,
  attachment: applyAttachment,
  video_token: applyVideoToken,
  subscription: applySubscription,
} satisfies Partial<Appliers>;

import type {Appliers} from '#state/state-event.ts';
import {applyAlertWords} from './alert-words.ts';
import {applyAttachment} from './attachment.ts';
import {applyDrafts} from './drafts.ts';
import {applyMutedUsers} from './muted-users.ts';
import {applyNavigationView} from './navigation-view.ts';
import {applyPresence} from './presence.ts';
import {applyReminders} from './reminders.ts';
import {applySavedSnippets} from './saved-snippets.ts';
import {applyScheduledMessages} from './scheduled-messages.ts';
import {applySubscription} from './subscription.ts';
import {applyUserSettings} from './user-settings.ts';
import {applyUserStatus} from './user-status.ts';
import {applyMutedTopics, applyUserTopic} from './user-topic.ts';
import {applyVideoToken} from './video-token.ts';

/** What concerns one person: their own things, and how people are. */
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

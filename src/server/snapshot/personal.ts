import {userSettings} from '#server/accounts/user-settings.ts';
import {draftsOf} from '#server/db/drafts.ts';
import {navigationViewsOf} from '#server/db/navigation-views.ts';
import {remindersOf, scheduledOf} from '#server/db/scheduled-messages.ts';
import {snippetsOf} from '#server/db/snippets.ts';
import {draftView} from '#server/views/draft.ts';
import {navigationViewView} from '#server/views/navigation-view.ts';
import {reminderView, scheduledMessageView} from '#server/views/scheduled-message.ts';
import {snippetView} from '#server/views/snippet.ts';
import type {SnapshotBlocks} from './snapshot-block.ts';

const maxDrafts = 1000;

/** Drafts, snippets, scheduled messages, reminders and navigation views. */
export const personalBlocks: SnapshotBlocks = {
  drafts: ({act, viewer}) => ({
    drafts: userSettings(viewer).enable_drafts_synchronization
      ? draftsOf(act.db, viewer.id, maxDrafts).map(draftView)
      : [],
  }),
  saved_snippets: ({act, viewer}) => ({
    saved_snippets: snippetsOf(act.db, viewer.id).map(snippetView),
  }),
  scheduled_messages: ({act, viewer, options}) => ({
    scheduled_messages: scheduledOf(act.db, viewer.id).map((row) =>
      scheduledMessageView(act, row, options.capabilities.empty_topic_name === true),
    ),
  }),
  reminders: ({act, viewer}) => ({
    reminders: remindersOf(act.db, viewer.id).map((row) => reminderView(act, row)),
  }),
  navigation_views: ({act, viewer}) => ({
    navigation_views: navigationViewsOf(act.db, viewer.id).map(navigationViewView),
  }),
};

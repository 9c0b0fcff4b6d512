import {alertWords} from '#state/slices/alert-words.ts';
import {attachments} from '#state/slices/attachments.ts';
import {bots} from '#state/slices/bots.ts';
import {channels, defaultChannels, formerChannels, subscribers, subscriptions} from '#state/slices/channels.ts';
import {connection} from '#state/slices/connection.ts';
import {directs} from '#state/slices/directs.ts';
import {domains} from '#state/slices/domains.ts';
import {drafts, localDrafts} from '#state/slices/drafts.ts';
import {emoji, unicodeEmoji} from '#state/slices/emoji.ts';
import {log} from '#state/slices/event-log.ts';
import {folders} from '#state/slices/folders.ts';
import {groups} from '#state/slices/groups.ts';
import {linkifiers} from '#state/slices/linkifiers.ts';
import {arrivals, maxMessageId, messages, starred} from '#state/slices/messages.ts';
import {navigationViews} from '#state/slices/navigation-views.ts';
import {outbox} from '#state/slices/outbox.ts';
import {playgrounds} from '#state/slices/playgrounds.ts';
import {presences} from '#state/slices/presences.ts';
import {profileFields} from '#state/slices/profile-fields.ts';
import {realm} from '#state/slices/realm.ts';
import {reminders} from '#state/slices/reminders.ts';
import {scheduled} from '#state/slices/scheduled.ts';
import {server} from '#state/slices/server.ts';
import {settings} from '#state/slices/settings.ts';
import {snippets} from '#state/slices/snippets.ts';
import {statuses} from '#state/slices/statuses.ts';
import {timelines} from '#state/slices/timelines.ts';
import {topics} from '#state/slices/topics.ts';
import {typing} from '#state/slices/typing.ts';
import {unreads} from '#state/slices/unreads.ts';
import {userTopics} from '#state/slices/user-topics.ts';
import {mutedUsers, self, users} from '#state/slices/users.ts';
import {videoTokens} from '#state/slices/video-tokens.ts';

/** All slices of the account state. A slice that is listed here is complete: its record says everything about it. */
export const slices = {
  self,
  server,
  realm,
  settings,
  users,
  bots,
  groups,
  channels,
  formerChannels,
  subscriptions,
  subscribers,
  defaultChannels,
  folders,
  messages,
  unreads,
  starred,
  timelines,
  topics,
  directs,
  userTopics,
  mutedUsers,
  presences,
  statuses,
  typing,
  drafts,
  scheduled,
  reminders,
  snippets,
  navigationViews,
  alertWords,
  emoji,
  unicodeEmoji,
  linkifiers,
  playgrounds,
  domains,
  profileFields,
  videoTokens,
  attachments,
  maxMessageId,
  arrivals,
  outbox,
  localDrafts,
  connection,
  log,
};

import {alertWords} from './slices/alert-words.ts';
import {attachments} from './slices/attachments.ts';
import {bots} from './slices/bots.ts';
import {channels, defaultChannels, formerChannels, subscribers, subscriptions} from './slices/channels.ts';
import {connection} from './slices/connection.ts';
import {directs} from './slices/directs.ts';
import {domains} from './slices/domains.ts';
import {drafts, localDrafts} from './slices/drafts.ts';
import {emoji, unicodeEmoji} from './slices/emoji.ts';
import {log} from './slices/event-log.ts';
import {folders} from './slices/folders.ts';
import {groups} from './slices/groups.ts';
import {linkifiers} from './slices/linkifiers.ts';
import {arrivals, maxMessageId, messages, starred} from './slices/messages.ts';
import {navigationViews} from './slices/navigation-views.ts';
import {outbox} from './slices/outbox.ts';
import {playgrounds} from './slices/playgrounds.ts';
import {presences} from './slices/presences.ts';
import {profileFields} from './slices/profile-fields.ts';
import {realm} from './slices/realm.ts';
import {reminders} from './slices/reminders.ts';
import {scheduled} from './slices/scheduled.ts';
import {server} from './slices/server.ts';
import {settings} from './slices/settings.ts';
import {snippets} from './slices/snippets.ts';
import {statuses} from './slices/statuses.ts';
import {timelines} from './slices/timelines.ts';
import {topics} from './slices/topics.ts';
import {typing} from './slices/typing.ts';
import {unreads} from './slices/unreads.ts';
import {userTopics} from './slices/user-topics.ts';
import {mutedUsers, self, users} from './slices/users.ts';
import {videoTokens} from './slices/video-tokens.ts';

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

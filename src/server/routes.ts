import {archiveRoutes} from '#server/actions/channels/archive-channel.ts';
import {folderRoutes} from '#server/actions/channels/channel-folders.ts';
import {defaultChannelGroupRoutes} from '#server/actions/channels/default-channels.ts';
import {channelRoutes} from '#server/actions/channels/update-channel.ts';
import {groupMemberRoutes} from '#server/actions/groups/group-members.ts';
import {groupRoutes} from '#server/actions/groups/groups.ts';
import {deletionRoutes} from '#server/actions/messages/delete-message.ts';
import {reactionRoutes} from '#server/actions/messages/reactions.ts';
import {reportRoutes} from '#server/actions/messages/report-message.ts';
import {submessageRoutes} from '#server/actions/messages/submessages.ts';
import {typingRoutes} from '#server/actions/messages/typing.ts';
import {exportRoutes} from '#server/actions/organization/data-exports.ts';
import {inviteRoutes} from '#server/actions/organization/invites.ts';
import {imageRoutes} from '#server/actions/organization/organization-images.ts';
import {organizationListRoutes} from '#server/actions/organization/organization-lists.ts';
import {profileFieldRoutes} from '#server/actions/organization/profile-fields.ts';
import {organizationRoutes} from '#server/actions/organization/update-organization.ts';
import {callRoutes} from '#server/actions/organization/video-calls.ts';
import {draftRoutes} from '#server/actions/personal/drafts.ts';
import {personalItemRoutes} from '#server/actions/personal/personal-items.ts';
import {reminderRoutes} from '#server/actions/schedule/reminders.ts';
import {scheduleRoutes} from '#server/actions/schedule/scheduled-messages.ts';
import {subscriptionRoutes} from '#server/actions/subscriptions/subscribe.ts';
import {subscriptionSettingRoutes} from '#server/actions/subscriptions/subscription-settings.ts';
import {topicRoutes} from '#server/actions/topics/user-topics.ts';
import {uploadRoutes} from '#server/actions/uploads/attachments.ts';
import {apiKeyRoutes} from '#server/actions/users/api-keys.ts';
import {avatarRoutes} from '#server/actions/users/avatars.ts';
import {botRoutes} from '#server/actions/users/bots.ts';
import {createUserRoutes} from '#server/actions/users/create-user.ts';
import {deactivationRoutes} from '#server/actions/users/deactivate-user.ts';
import {ownListRoutes} from '#server/actions/users/own-lists.ts';
import {presenceRoutes} from '#server/actions/users/presence.ts';
import {profileDataRoutes} from '#server/actions/users/profile-data.ts';
import {settingsRoutes} from '#server/actions/users/update-account.ts';
import {userRoutes} from '#server/actions/users/update-user.ts';
import type {Route, WebRoute} from '#server/http/route.ts';
import {administrationLogRoutes} from '#server/organization/administration-log.ts';
import {eventsRoutes, registerRoutes} from '#server/routes/events.ts';
import {fetchMessagesRoutes} from '#server/routes/fetch-messages.ts';
import {messagesRoutes} from '#server/routes/messages.ts';
import {webhookRoutes} from '#server/routes/webhooks.ts';
import {homeWebRoutes} from '#server/web/home.ts';
import {avatarWebRoutes, emojiWebRoutes, iconWebRoutes} from '#server/web/images.ts';
import {joinWebRoutes, setPasswordWebRoutes} from '#server/web/join.ts';
import {resetPasswordWebRoutes} from '#server/web/reset-password.ts';
import {uploadWebRoutes} from '#server/web/uploads.ts';

/** The routes of the REST API, under `/api/v1`. */
export const routes: readonly Route[] = [
  ...administrationLogRoutes,
  ...apiKeyRoutes,
  ...archiveRoutes,
  ...avatarRoutes,
  ...botRoutes,
  ...callRoutes,
  ...channelRoutes,
  ...createUserRoutes,
  ...deactivationRoutes,
  ...defaultChannelGroupRoutes,
  ...deletionRoutes,
  ...draftRoutes,
  ...eventsRoutes,
  ...exportRoutes,
  ...fetchMessagesRoutes,
  ...folderRoutes,
  ...groupMemberRoutes,
  ...groupRoutes,
  ...imageRoutes,
  ...inviteRoutes,
  ...messagesRoutes,
  ...organizationListRoutes,
  ...organizationRoutes,
  ...ownListRoutes,
  ...personalItemRoutes,
  ...presenceRoutes,
  ...profileDataRoutes,
  ...profileFieldRoutes,
  ...reactionRoutes,
  ...registerRoutes,
  ...reminderRoutes,
  ...reportRoutes,
  ...scheduleRoutes,
  ...settingsRoutes,
  ...submessageRoutes,
  ...subscriptionRoutes,
  ...subscriptionSettingRoutes,
  ...topicRoutes,
  ...typingRoutes,
  ...uploadRoutes,
  ...userRoutes,
  ...webhookRoutes,
];

/** All routes outside `/api/v1`. */
export const webRoutes: readonly WebRoute[] = [
  ...avatarWebRoutes,
  ...emojiWebRoutes,
  ...homeWebRoutes,
  ...iconWebRoutes,
  ...joinWebRoutes,
  ...resetPasswordWebRoutes,
  ...setPasswordWebRoutes,
  ...uploadWebRoutes,
];

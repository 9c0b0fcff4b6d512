import {defaultChannelRoutes} from '#server/actions/channels/default-channels.ts';
import {folderRoutes} from '#server/actions/channels/folders.ts';
import {channelRoutes} from '#server/actions/channels/update-channel.ts';
import {groupRoutes} from '#server/actions/groups/groups.ts';
import {flagRoutes} from '#server/actions/messages/change-flags.ts';
import {deletionRoutes} from '#server/actions/messages/delete-messages.ts';
import {messagesRoutes} from '#server/actions/messages/messages.ts';
import {reactionRoutes} from '#server/actions/messages/reactions.ts';
import {reportRoutes} from '#server/actions/messages/report-message.ts';
import {submessageRoutes} from '#server/actions/messages/submessages.ts';
import {emojiRoutes} from '#server/actions/organization/custom-emoji.ts';
import {exportRoutes} from '#server/actions/organization/data-exports.ts';
import {domainRoutes} from '#server/actions/organization/domains.ts';
import {inviteRoutes} from '#server/actions/organization/invites.ts';
import {linkifierRoutes} from '#server/actions/organization/linkifiers.ts';
import {organizationImageRoutes} from '#server/actions/organization/organization-images.ts';
import {playgroundRoutes} from '#server/actions/organization/playgrounds.ts';
import {profileFieldRoutes} from '#server/actions/organization/profile-fields.ts';
import {serverSettingsRoutes} from '#server/actions/organization/server-settings.ts';
import {organizationRoutes} from '#server/actions/organization/update-organization.ts';
import {videoCallRoutes} from '#server/actions/organization/video-calls.ts';
import {alertWordRoutes} from '#server/actions/personal/alert-words.ts';
import {deviceRoutes} from '#server/actions/personal/devices.ts';
import {draftRoutes} from '#server/actions/personal/drafts.ts';
import {mutedUserRoutes} from '#server/actions/personal/muted-users.ts';
import {navigationViewRoutes} from '#server/actions/personal/navigation-views.ts';
import {onboardingRoutes} from '#server/actions/personal/onboarding-steps.ts';
import {slashCommandRoutes} from '#server/actions/personal/slash-commands.ts';
import {snippetRoutes} from '#server/actions/personal/snippets.ts';
import {reminderRoutes} from '#server/actions/schedule/reminders.ts';
import {scheduleRoutes} from '#server/actions/schedule/scheduled-messages.ts';
import {subscriptionRoutes} from '#server/actions/subscriptions/subscribe.ts';
import {subscriptionSettingRoutes} from '#server/actions/subscriptions/subscription-settings.ts';
import {topicRoutes} from '#server/actions/topics/user-topics.ts';
import {uploadRoutes} from '#server/actions/uploads/attachments.ts';
import {apiKeyRoutes} from '#server/actions/users/api-keys.ts';
import {avatarRoutes} from '#server/actions/users/avatars.ts';
import {botStorageRoutes} from '#server/actions/users/bot-storage.ts';
import {botRoutes} from '#server/actions/users/bots.ts';
import {createUserRoutes} from '#server/actions/users/create-user.ts';
import {deactivationRoutes} from '#server/actions/users/deactivate-user.ts';
import {presenceRoutes} from '#server/actions/users/presence.ts';
import {profileDataRoutes} from '#server/actions/users/profile-data.ts';
import {sshKeyRoutes} from '#server/actions/users/ssh-keys.ts';
import {typingRoutes} from '#server/actions/users/typing.ts';
import {settingsRoutes} from '#server/actions/users/update-account.ts';
import {userRoutes} from '#server/actions/users/update-user.ts';
import {statusRoutes} from '#server/actions/users/user-status.ts';
import {administrationLogRoutes} from '#server/organization/administration-log.ts';
import {accountWebRoutes} from '#server/web/account-pages.ts';
import {healthWebRoutes} from '#server/web/health.ts';
import {avatarWebRoutes, emojiWebRoutes, iconWebRoutes} from '#server/web/images.ts';
import {uploadWebRoutes} from '#server/web/uploads.ts';
import {webhookRoutes} from '#server/webhooks/webhook-routes.ts';
import {eventsRoutes} from './events.ts';
import type {Route, WebRoute} from './route.ts';

/** The routes of the REST API, under `/api/v1`. */
export const routes: readonly Route[] = [
  ...administrationLogRoutes,
  ...alertWordRoutes,
  ...apiKeyRoutes,
  ...avatarRoutes,
  ...botRoutes,
  ...botStorageRoutes,
  ...channelRoutes,
  ...createUserRoutes,
  ...deactivationRoutes,
  ...defaultChannelRoutes,
  ...deletionRoutes,
  ...deviceRoutes,
  ...domainRoutes,
  ...draftRoutes,
  ...emojiRoutes,
  ...eventsRoutes,
  ...exportRoutes,
  ...flagRoutes,
  ...folderRoutes,
  ...groupRoutes,
  ...inviteRoutes,
  ...linkifierRoutes,
  ...messagesRoutes,
  ...mutedUserRoutes,
  ...navigationViewRoutes,
  ...onboardingRoutes,
  ...organizationImageRoutes,
  ...organizationRoutes,
  ...playgroundRoutes,
  ...presenceRoutes,
  ...profileDataRoutes,
  ...profileFieldRoutes,
  ...reactionRoutes,
  ...reminderRoutes,
  ...reportRoutes,
  ...scheduleRoutes,
  ...serverSettingsRoutes,
  ...settingsRoutes,
  ...slashCommandRoutes,
  ...snippetRoutes,
  ...sshKeyRoutes,
  ...statusRoutes,
  ...submessageRoutes,
  ...subscriptionRoutes,
  ...subscriptionSettingRoutes,
  ...topicRoutes,
  ...typingRoutes,
  ...uploadRoutes,
  ...userRoutes,
  ...videoCallRoutes,
  ...webhookRoutes,
];

/** All routes outside `/api/v1`. */
export const webRoutes: readonly WebRoute[] = [
  ...accountWebRoutes,
  ...avatarWebRoutes,
  ...emojiWebRoutes,
  ...healthWebRoutes,
  ...iconWebRoutes,
  ...uploadWebRoutes,
];

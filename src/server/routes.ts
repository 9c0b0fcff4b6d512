import {defaultChannelGroupRoutes} from '#server/actions/channels/create-channel.ts';
import {channelRoutes} from '#server/actions/channels/update-channel.ts';
import {groupRoutes} from '#server/actions/groups/groups.ts';
import {deletionRoutes} from '#server/actions/messages/message-audience.ts';
import {reactionRoutes} from '#server/actions/messages/reactions.ts';
import {exportRoutes} from '#server/actions/organization/data-exports.ts';
import {inviteRoutes} from '#server/actions/organization/invites.ts';
import {organizationListRoutes} from '#server/actions/organization/organization-lists.ts';
import {organizationRoutes} from '#server/actions/organization/update-organization.ts';
import {personalItemRoutes} from '#server/actions/personal/personal-items.ts';
import {scheduleRoutes} from '#server/actions/schedule/scheduled-messages.ts';
import {subscriptionRoutes} from '#server/actions/subscriptions/subscribe.ts';
import {subscriptionSettingRoutes} from '#server/actions/subscriptions/subscribe-users.ts';
import {topicRoutes} from '#server/actions/topics/user-topics.ts';
import {uploadRoutes} from '#server/actions/uploads/attachments.ts';
import {botRoutes} from '#server/actions/users/bots.ts';
import {createUserRoutes} from '#server/actions/users/create-user.ts';
import {presenceRoutes} from '#server/actions/users/presence.ts';
import {settingsRoutes} from '#server/actions/users/update-account.ts';
import {userRoutes} from '#server/actions/users/update-user.ts';
import {administrationLogRoutes} from '#server/organization/administration-log.ts';
import {eventsRoutes} from '#server/routes/events.ts';
import {messagesRoutes} from '#server/routes/messages.ts';
import {webhookRoutes} from '#server/routes/webhooks.ts';
import {accountWebRoutes} from '#server/web/account-pages.ts';
import {avatarWebRoutes, emojiWebRoutes, iconWebRoutes} from '#server/web/images.ts';
import {uploadWebRoutes} from '#server/web/uploads.ts';
import type {Route, WebRoute} from './route.ts';

/** The routes of the REST API, under `/api/v1`. */
export const routes: readonly Route[] = [
  ...administrationLogRoutes,
  ...botRoutes,
  ...channelRoutes,
  ...createUserRoutes,
  ...defaultChannelGroupRoutes,
  ...deletionRoutes,
  ...eventsRoutes,
  ...exportRoutes,
  ...groupRoutes,
  ...inviteRoutes,
  ...messagesRoutes,
  ...organizationListRoutes,
  ...organizationRoutes,
  ...personalItemRoutes,
  ...presenceRoutes,
  ...reactionRoutes,
  ...scheduleRoutes,
  ...settingsRoutes,
  ...subscriptionRoutes,
  ...subscriptionSettingRoutes,
  ...topicRoutes,
  ...uploadRoutes,
  ...userRoutes,
  ...webhookRoutes,
];

/** All routes outside `/api/v1`. */
export const webRoutes: readonly WebRoute[] = [
  ...accountWebRoutes,
  ...avatarWebRoutes,
  ...emojiWebRoutes,
  ...iconWebRoutes,
  ...uploadWebRoutes,
];

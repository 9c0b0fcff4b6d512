import type {Route, WebRoute} from '#server/http/route.ts';
import {accountServicesRoutes, accountsRoutes, botsRoutes, invitesRoutes} from '#server/routes/accounts.ts';
import {channelsRoutes, foldersRoutes, subscriptionsRoutes, topicsRoutes} from '#server/routes/channels.ts';
import {eventsRoutes, registerRoutes} from '#server/routes/events.ts';
import {fetchMessagesRoutes} from '#server/routes/fetch-messages.ts';
import {messagesRoutes, uploadsRoutes} from '#server/routes/messages.ts';
import {administrationRoutes, organizationRoutes} from '#server/routes/organization.ts';
import {personalRoutes, presenceRoutes} from '#server/routes/personal.ts';
import {avatarRoutes, groupsRoutes, settingsRoutes, usersRoutes} from '#server/routes/users.ts';
import {webhookRoutes} from '#server/routes/webhooks.ts';
import {avatarWebRoutes, emojiWebRoutes, iconWebRoutes} from '#server/web/images.ts';
import {joinWebRoutes, setPasswordWebRoutes} from '#server/web/join.ts';
import {resetPasswordWebRoutes} from '#server/web/reset-password.ts';
import {uploadWebRoutes} from '#server/web/uploads.ts';

/** The routes of the REST API, under `/api/v1`. */
export const routes: readonly Route[] = [
  ...accountsRoutes,
  ...accountServicesRoutes,
  ...administrationRoutes,
  ...avatarRoutes,
  ...botsRoutes,
  ...channelsRoutes,
  ...eventsRoutes,
  ...fetchMessagesRoutes,
  ...foldersRoutes,
  ...groupsRoutes,
  ...invitesRoutes,
  ...organizationRoutes,
  ...personalRoutes,
  ...presenceRoutes,
  ...registerRoutes,
  ...messagesRoutes,
  ...settingsRoutes,
  ...subscriptionsRoutes,
  ...topicsRoutes,
  ...uploadsRoutes,
  ...usersRoutes,
  ...webhookRoutes,
];

/** All routes outside `/api/v1`. */
export const webRoutes: readonly WebRoute[] = [
  ...avatarWebRoutes,
  ...emojiWebRoutes,
  ...iconWebRoutes,
  ...joinWebRoutes,
  ...resetPasswordWebRoutes,
  ...setPasswordWebRoutes,
  ...uploadWebRoutes,
];

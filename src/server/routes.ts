import {fetchMessagesRoutes} from '#server/routes/fetch-messages.ts';
import {messagesRoutes} from '#server/routes/messages.ts';
import type {Route} from './http/route.ts';
import {accountServicesRoutes} from './routes/account-services.ts';
import {accountsRoutes} from './routes/accounts.ts';
import {administrationRoutes} from './routes/administration.ts';
import {channelsRoutes} from './routes/channels.ts';
import {eventsRoutes} from './routes/events.ts';
import {foldersRoutes} from './routes/folders.ts';
import {groupsRoutes} from './routes/groups.ts';
import {organizationRoutes} from './routes/organization.ts';
import {personalRoutes} from './routes/personal.ts';
import {presenceRoutes} from './routes/presence.ts';
import {registerRoutes} from './routes/register.ts';
import {subscriptionsRoutes} from './routes/subscriptions.ts';
import {topicsRoutes} from './routes/topics.ts';
import {uploadsRoutes} from './routes/uploads.ts';
import {usersRoutes} from './routes/users.ts';
import {webhookRoutes} from './routes/webhooks.ts';

/** The routes of the REST API, under `/api/v1`. */
export const routes: readonly Route[] = [
  ...accountsRoutes,
  ...accountServicesRoutes,
  ...administrationRoutes,
  ...channelsRoutes,
  ...eventsRoutes,
  ...fetchMessagesRoutes,
  ...foldersRoutes,
  ...groupsRoutes,
  ...organizationRoutes,
  ...personalRoutes,
  ...presenceRoutes,
  ...registerRoutes,
  ...messagesRoutes,
  ...subscriptionsRoutes,
  ...topicsRoutes,
  ...uploadsRoutes,
  ...usersRoutes,
  ...webhookRoutes,
];

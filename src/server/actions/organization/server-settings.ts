import {asyncRoute, type Route} from '#server/route.ts';
import {serverSettings} from '#server/views/server-settings.ts';
import {endpoints} from '#wire/endpoints.ts';

export const serverSettingsRoutes: readonly Route[] = [
  asyncRoute(endpoints.getServerSettings, 'public', async ({server}) => serverSettings(server)),
];

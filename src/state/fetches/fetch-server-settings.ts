import type {SessionContext} from '#state/session-context.ts';
import {getServerSettings} from '#wire/endpoints/session.ts';
import type {ServerSettings} from '#wire/objects/server-settings.ts';

/** Fetches the server's settings. The level of the connection stays that of the registration, which the state is made for. */
export function fetchServerSettings({api, signal}: SessionContext): Promise<ServerSettings> {
  return api.connection.call(getServerSettings, {}, {signal});
}

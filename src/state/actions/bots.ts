import type {FileSource} from '#api/multipart.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';

export type NewBot = ArgsOf<Endpoints['createBot']>;
export type BotChange = Omit<ArgsOf<Endpoints['updateBot']>, 'bot_id'>;

/** Returns the bot's API key. */
export async function createBot({api, signal}: SessionContext, bot: NewBot): Promise<{id: number; apiKey: string}> {
  const {user_id: id, api_key: apiKey} = await api.createBot(bot, {signal});
  return {id, apiKey};
}

export async function updateBot({api, signal}: SessionContext, botId: number, change: BotChange): Promise<void> {
  await api.updateBot({bot_id: botId, ...change}, {signal});
}

export async function uploadBotAvatar({api, signal}: SessionContext, botId: number, file: FileSource): Promise<void> {
  await api.uploadBotAvatar({bot_id: botId, file}, {signal});
}

export async function deactivateBot({api, signal}: SessionContext, botId: number): Promise<void> {
  await api.deactivateBot({bot_id: botId}, {signal});
}

export async function botApiKey({api, signal}: SessionContext, botId: number): Promise<string> {
  return (await api.getBotApiKey({bot_id: botId}, {signal})).api_key;
}

/** Replaces the bot's API key; programs with the old one are logged out. */
export async function regenerateBotApiKey({api, signal}: SessionContext, botId: number): Promise<string> {
  return (await api.regenerateBotApiKey({bot_id: botId}, {signal})).api_key;
}

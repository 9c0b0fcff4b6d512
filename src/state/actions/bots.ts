import type {SessionContext} from '#state/session-context.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';

export type NewBot = ArgsOf<Endpoints['createBot']>;
export type BotChange = Omit<ArgsOf<Endpoints['updateBot']>, 'bot_id'>;

/** Returns the bot's API key. */
export async function createBot({api}: SessionContext, bot: NewBot): Promise<{id: number; apiKey: string}> {
  const {user_id: id, api_key: apiKey} = await api.createBot(bot);
  return {id, apiKey};
}

export async function botApiKey({api}: SessionContext, botId: number): Promise<string> {
  return (await api.getBotApiKey({bot_id: botId})).api_key;
}

/** Replaces the bot's API key; programs with the old one are logged out. */
export async function regenerateBotApiKey({api}: SessionContext, botId: number): Promise<string> {
  return (await api.regenerateBotApiKey({bot_id: botId})).api_key;
}

import type {FileSource} from '#api/multipart.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';

export type BotChange = Omit<ArgsOf<Endpoints['updateBot']>, 'bot_id'>;

/** Resolves with the API key of the new bot. */
export async function createBot({api}: SessionContext, bot: ArgsOf<Endpoints['createBot']>) {
  return (await api.createBot(bot)).api_key;
}

export function updateBot({api}: SessionContext, id: number, change: BotChange) {
  return api.updateBot({bot_id: id, ...change});
}

export function setBotPicture({api}: SessionContext, id: number, file: FileSource) {
  return api.uploadBotAvatar({bot_id: id, file});
}

/** Not a query: a key is not kept in memory longer than it is shown. */
export async function fetchBotKey({api}: SessionContext, id: number) {
  return (await api.getBotApiKey({bot_id: id})).api_key;
}

/** Makes the old key invalid, and resolves with the new one. */
export async function replaceBotKey({api}: SessionContext, id: number) {
  return (await api.regenerateBotApiKey({bot_id: id})).api_key;
}

export function deactivateBot({api}: SessionContext, id: number) {
  return api.deactivateBot({bot_id: id});
}

import {regenerateApiKey} from '#server/actions/users/api-keys.ts';
import {setAvatar} from '#server/actions/users/avatars.ts';
import {createBot, updateBot} from '#server/actions/users/bots.ts';
import {deactivateUser} from '#server/actions/users/deactivate-user.ts';
import type {RequestContext} from '#server/context.ts';
import {listBots} from '#server/db/bots.ts';
import {findUser} from '#server/db/users.ts';
import {asyncRoute, type Route, route} from '#server/http/route.ts';
import {requireManagedBot} from '#server/permissions/bots.ts';
import {botAvatar, botDefaults, ownedBotView} from '#server/views/bot.ts';
import {apiEmail} from '#server/views/user.ts';
import type {ParamsOf, ResultOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {storeAvatar} from './avatars.ts';

export const botsRoutes: readonly Route[] = [
  route(endpoints.getBots, (call) => ({
    bots: listBots(call.db, call.actor.id)
      .filter((bot) => bot.is_active === 1)
      .map((bot) => ownedBotView(call, bot)),
  })),
  route(endpoints.createBot, (call, params) => {
    const bot = createBot(call, call.actor, {
      fullName: params.full_name,
      shortName: params.short_name,
      type: params.bot_type,
      payloadUrl: params.payload_url,
      interfaceType: params.interface_type,
      defaults: params,
    });
    return {
      user_id: bot.id,
      api_key: call.server.secrets.apiKey(bot),
      avatar_url: botAvatar(bot),
      ...botDefaults(call, bot.id),
    };
  }),
  asyncRoute(endpoints.updateBot, async (request, params) => {
    const {upload} = request;
    if (upload === undefined) return request.runAction((call) => changeBot(call, params));
    // Before the file is stored, so that nobody can store one for a bot of others.
    request.runAction((call) => requireManagedBot(call, call.actor, params.bot_id));
    return storeAvatar(request, {id: params.bot_id}, upload, (call, name) => {
      setAvatar(call, requireManagedBot(call, call.actor, params.bot_id), name);
      return changeBot(call, params);
    });
  }),
  route(endpoints.deactivateBot, (call, params) => {
    const bot = requireManagedBot(call, call.actor, params.bot_id);
    if (bot.is_active === 1) deactivateUser(call, bot);
  }),
  route(endpoints.getBotApiKey, (call, params) => ({
    api_key: call.server.secrets.apiKey(requireManagedBot(call, call.actor, params.bot_id)),
  })),
  route(endpoints.regenerateBotApiKey, (call, params) => ({
    api_key: regenerateApiKey(call, requireManagedBot(call, call.actor, params.bot_id)),
  })),
];

function changeBot(
  call: RequestContext,
  params: ParamsOf<typeof endpoints.updateBot>,
): ResultOf<typeof endpoints.updateBot> {
  const bot = requireManagedBot(call, call.actor, params.bot_id);
  const updated = updateBot(call, call.actor, bot, {
    fullName: params.full_name,
    role: params.role,
    ownerId: params.bot_owner_id,
    defaults: params,
  });
  const owner = updated.bot_owner_id === null ? undefined : findUser(call.db, updated.bot_owner_id);
  return {
    full_name: updated.full_name,
    avatar_url: botAvatar(updated),
    // Bots of this server have no service.
    service_interface: params.service_interface ?? 1,
    service_payload_url: null,
    config_data: null,
    ...botDefaults(call, bot.id),
    ...(owner === undefined ? {} : {bot_owner: apiEmail(call.server, owner)}),
  };
}

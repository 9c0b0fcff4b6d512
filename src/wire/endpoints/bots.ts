import {endpoint, fallback, flag, json, number, optional, pathId, quoted, text} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {ownedBot} from '#wire/objects/bot.ts';
import {botType, botTypes, knownRole} from '#wire/objects/user.ts';
import {int, nullableText, object, s} from '#wire/schema.ts';

const apiKey = object({api_key: s.string()});
const config = optional(json(s.record(s.string(), s.string())));

const defaults = {
  default_sending_stream: optional(text),
  default_events_register_stream: optional(text),
  default_all_public_streams: optional(flag),
};

const described = {
  avatar_url: nullableText,
  default_sending_stream: nullableText,
  default_events_register_stream: nullableText,
  default_all_public_streams: s.boolean(),
};

export const getBots = endpoint('bot.list', 'GET /bots', {result: object({bots: s.array(ownedBot)})});

export const createBot = endpoint('bot.create', 'POST /bots', {
  params: {
    full_name: text,
    short_name: text,
    bot_type: fallback(json(botType), botTypes.generic),
    payload_url: optional(quoted(s.string())),
    service_name: optional(text),
    interface_type: optional(number),
    config_data: config,
    ...defaults,
  },
  result: object({user_id: int, api_key: s.string()}, described),
});

/** Changes a bot. The body may be multipart, with a file that is the bot's picture. */
export const updateBot = endpoint('bot.update', 'PATCH /bots/{bot_id}', {
  upload: true,
  params: {
    bot_id: pathId,
    full_name: optional(text),
    role: optional(json(knownRole)),
    bot_owner_id: optional(number),
    service_payload_url: optional(quoted(s.string())),
    service_interface: optional(number),
    config_data: config,
    ...defaults,
  },
  result: object(
    {},
    {
      full_name: s.string(),
      bot_owner: s.string(),
      service_interface: int,
      service_payload_url: nullableText,
      config_data: s.unknown(),
      ...described,
    },
  ),
});

export const deactivateBot = endpoint('bot.deactivate', 'DELETE /bots/{bot_id}', {params: {bot_id: pathId}});

export const getBotApiKey = endpoint('bot.key', 'GET /bots/{bot_id}/api_key', {
  since: levels.botApiKey,
  params: {bot_id: pathId},
  result: apiKey,
});

export const regenerateBotApiKey = endpoint('bot.regenerate-key', 'POST /bots/{bot_id}/api_key/regenerate', {
  params: {bot_id: pathId},
  result: apiKey,
});

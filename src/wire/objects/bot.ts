import {type Infer, int, nullableInt, nullableText, object, s} from '#wire/schema.ts';
import {botType} from './user.ts';

/** The picture and the channels of a bot, as all descriptions of it have them. */
export const botDefaults = {
  avatar_url: nullableText,
  default_sending_stream: nullableText,
  default_events_register_stream: nullableText,
  default_all_public_streams: s.boolean(),
};

/** The data of a bot that only its owner and administrators can see; the rest is in the bot's user record. */
export const bot = object(
  {user_id: int},
  {
    ...botDefaults,
    services: s.array(s.unknown()),
    api_key: s.string(),
    email: s.string(),
    full_name: s.string(),
    bot_type: botType,
    owner_id: nullableInt,
    is_active: s.boolean(),
  },
);
export type WireBot = Infer<typeof bot>;

/** A row of `GET /bots`, which identifies bots by username. */
export const ownedBot = object(
  {username: s.string(), full_name: s.string()},
  {user_id: int, api_key: s.string(), ...botDefaults},
);
export type OwnedBot = Infer<typeof ownedBot>;

import type {ActionContext} from '#server/context.ts';
import {botRow} from '#server/db/bots.ts';
import {findChannel} from '#server/db/channels.ts';
import type {UserRow} from '#server/db/rows.ts';
import type {OwnedBot, WireBot} from '#wire/objects/bot.ts';
import {avatarUrl} from './user.ts';

/** Returns the channels that a bot sends to and receives from by default. The API names them instead of giving ids. */
export function botDefaults(act: Pick<ActionContext, 'server'>, botId: number) {
  const {db} = act.server;
  const row = botRow(db, botId);
  const nameOf = (id: number | null) => (id === null ? null : (findChannel(db, id)?.name ?? null));
  return {
    default_sending_stream: nameOf(row.default_sending_channel_id),
    default_events_register_stream: nameOf(row.default_events_channel_id),
    default_all_public_streams: row.default_all_public_streams === 1,
  };
}

/** Returns the fields of a bot that only its owner and administrators see, beside its user record. */
export function botView(act: Pick<ActionContext, 'server'>, bot: UserRow): WireBot {
  return {user_id: bot.id, ...botDefaults(act, bot.id), services: []};
}

/** Returns a bot as its owner sees it, including the API key. */
export function ownedBotView(act: Pick<ActionContext, 'server'>, bot: UserRow): OwnedBot {
  return {
    username: bot.delivery_email,
    full_name: bot.full_name,
    api_key: act.server.secrets.apiKey(bot),
    avatar_url: botAvatar(bot),
    ...botDefaults(act, bot.id),
  };
}

export function botAvatar(bot: UserRow): string | null {
  return avatarUrl(bot, {clientGravatar: false, seesEmail: true});
}

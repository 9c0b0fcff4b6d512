import type {ActionContext} from '#server/context.ts';
import {botRow} from '#server/db/bots.ts';
import {findChannel} from '#server/db/channels.ts';
import type {UserRow} from '#server/db/rows.ts';
import type {OwnedBot, WireBot} from '#wire/objects/bot.ts';
import {avatarUrl} from './user.ts';

/** Where a bot writes and listens when it does not say; channels go by name here. */
export function botDefaults(act: Pick<ActionContext, 'world'>, botId: number) {
  const {db} = act.world;
  const row = botRow(db, botId);
  const nameOf = (id: number | null) => (id === null ? null : (findChannel(db, id)?.name ?? null));
  return {
    default_sending_stream: nameOf(row.default_sending_channel_id),
    default_events_register_stream: nameOf(row.default_events_channel_id),
    default_all_public_streams: row.default_all_public_streams === 1,
  };
}

/** What owners and administrators know beside the bot's user record. */
export function botView(act: Pick<ActionContext, 'world'>, bot: UserRow): WireBot {
  return {user_id: bot.id, ...botDefaults(act, bot.id), services: []};
}

/** For the owner's eyes: it holds the key. */
export function ownedBotView(act: Pick<ActionContext, 'world'>, bot: UserRow): OwnedBot {
  return {
    user_id: bot.id,
    username: bot.delivery_email,
    full_name: bot.full_name,
    api_key: act.world.secrets.apiKey(bot),
    avatar_url: botAvatar(bot),
    ...botDefaults(act, bot.id),
  };
}

export function botAvatar(bot: UserRow): string | null {
  return avatarUrl(bot, {clientGravatar: false, seesEmail: true});
}

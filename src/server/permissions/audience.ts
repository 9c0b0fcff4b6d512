import type {ActionContext, ReadContext} from '#server/context.ts';
import {channelSubscribers} from '#server/db/channels.ts';
import type {ChannelRow} from '#server/db/rows.ts';
import {isChannelVisible} from './channel.ts';
import type {Person} from './group-index.ts';
import {isGuest} from './has-permission.ts';

/** The connected users that an event is meant for. */
export type Audience = 'everyone' | Set<number>;

/** Returns the users with an event queue. Events reach only them, so an audience is computed from them alone. */
export function connectedPeople({server}: Pick<ActionContext, 'server'>): Person[] {
  return server.db.all<Person & Record<string, unknown>>(
    'SELECT id, role, joined_at FROM user WHERE id IN (SELECT value FROM json_each(?))',
    JSON.stringify([...server.queues.connectedUsers()]),
  );
}

/** Returns the connected users who may see the channel's settings and, by the same rule, its subscribers. */
export function channelAudience(act: ReadContext, channel: ChannelRow): Audience {
  if (channel.is_web_public === 1) return 'everyone';
  const subscribed = act.server.derivedFacts.get(channelSubscribers(channel.id));
  const audience = new Set<number>();
  for (const person of connectedPeople(act)) {
    if (isChannelVisible(act, person, channel, () => subscribed.has(person.id))) audience.add(person.id);
  }
  return audience;
}

export function audienceIds(act: Pick<ActionContext, 'server'>, audience: Audience): Set<number> {
  return audience === 'everyone' ? new Set(act.server.queues.connectedUsers()) : audience;
}

/** Returns the audience of events about default channels, which guests do not see. */
export function connectedNonGuests(act: Pick<ActionContext, 'server'>): Set<number> {
  return new Set(
    connectedPeople(act)
      .filter((person) => !isGuest(person))
      .map((person) => person.id),
  );
}

/** Returns the channels that the user may see, with one query for all of their subscriptions. */
export function channelsVisibleTo(act: ReadContext, person: Person): ChannelRow[] {
  const {db} = act.server;
  const own = new Set(db.pluck('SELECT channel_id FROM subscription WHERE user_id = ? AND active = 1', person.id));
  return db
    .all<ChannelRow & Record<string, unknown>>('SELECT * FROM channel ORDER BY id')
    .filter((channel) => isChannelVisible(act, person, channel, () => own.has(channel.id)));
}

import type {Act, World} from '#server/context.ts';
import {nextMessageId} from '#server/db/messages.ts';
import type {UserRow} from '#server/db/rows.ts';
import {Role} from '#server/permissions/system-groups.ts';
import type {Conversation} from '#server/seed/demo-world/chat-script.ts';
import {type DemoData, readDemo} from '#server/seed/demo-world/demo-data.ts';
import {DataError} from '#server/seed/demo-world/demo-data-error.ts';
import {Cast} from '#server/seed/demo-world/demo-rows.ts';
import {plantChannels, settleChannels} from '#server/seed/demo-world/insert-channels.ts';
import {MessagePlanter} from '#server/seed/demo-world/insert-messages.ts';
import {
  emojiPath,
  plantAnnouncements,
  plantCustomEmoji,
  plantGroups,
  plantLinkifiers,
  plantProfileFields,
  plantSettings,
} from '#server/seed/demo-world/insert-organization.ts';
import {plantPeople, plantProfiles} from '#server/seed/demo-world/insert-people.ts';
import {plantYourFilters, plantYours} from '#server/seed/demo-world/insert-your-items.ts';
import {Texts} from '#server/seed/demo-world/placeholders.ts';
import {timeline} from '#server/seed/demo-world/planned-messages.ts';
import {unreadMessages} from '#server/seed/demo-world/unread-messages.ts';

/** Fills an empty organization with the demo's people and ten weeks of their talk, all relative to now. */
export async function plantDemo(world: World): Promise<void> {
  const data = readDemo();
  await keepFiles(world, data);
  world.act((act) => plant(act, data));
  // Facts that were recalled on the way are of a world half planted.
  world.memory.forgetAll();
}

/** Before the rows that point at them: no row ever points at a file that is not there. */
async function keepFiles({files}: World, data: DemoData): Promise<void> {
  const emoji = new Set(data.world.custom_emoji.map(({file}) => file));
  for (const {name, pathId, bytes} of data.files.values()) {
    await files.put(emoji.has(name) ? emojiPath(name) : pathId, bytes);
  }
}

function plant(act: Act, data: DemoData): void {
  const {world} = data;
  const cast = new Cast(act);
  plantSettings(act, world);
  plantPeople(act, world, cast);
  const owner = ownerOf(cast);
  const fieldIds = plantProfileFields(act, world);
  plantCustomEmoji(act, world, cast);
  plantProfiles(act, world, cast, fieldIds);
  plantGroups(act, world, cast, owner);
  plantChannels(act, world, cast, owner);
  plantAnnouncements(act, world, cast);
  plantLinkifiers(act, world, owner);
  plantYourFilters(act, world, cast);
  act.world.memory.forgetAll();
  const texts = plantMessages(act, data, cast);
  settleChannels(act);
  plantYours(act, world, cast, texts);
  remember(act, cast);
}

function ownerOf(cast: Cast): UserRow {
  for (const [, user] of cast.users()) if (user.role === Role.owner) return user;
  throw new DataError({file: 'world.json', place: 'people'}, 'nobody owns the organization');
}

function plantMessages(act: Act, data: DemoData, cast: Cast): Texts {
  const now = act.world.clock.now();
  const planned = timeline(data.conversations, now, nextMessageId(act.db));
  const texts = new Texts(cast, data.files, planned, now);
  const users = [...cast.users()];
  const audiences = new Map(data.conversations.map((each) => [each, audienceOf(act, cast, each)]));
  const unread = unreadMessages(
    planned,
    {
      you: cast.you,
      others: users.map(([, user]) => user).filter((user) => isPerson(user) && user.id !== cast.you.id),
      mutedByYou: new Set(data.world.muted_users),
      keyOf: new Map(users.map(([key, user]) => [user.id, key])),
    },
    audiences,
  );
  const planter = new MessagePlanter(act, cast, texts, unread);
  for (const entry of planned) planter.plant(entry);
  return texts;
}

/** Nobody is behind in a channel that is over. */
function audienceOf(act: Act, cast: Cast, {place, source}: Conversation): Set<number> {
  if (place.kind === 'direct') return new Set(place.people.map((key) => cast.user(key, source).id));
  const {id, is_archived} = cast.channel(place.channel, source);
  const subscribed = 'SELECT user_id FROM subscription WHERE channel_id = ? AND active = 1';
  return new Set(is_archived === 1 ? [] : act.db.pluck(subscribed, id));
}

function isPerson(user: UserRow): boolean {
  return user.is_bot === 0 && user.is_active === 1;
}

const incomingWebhook = 2;

/** Who may be signed in as, you first; and who everybody is, for the bots to find themselves. */
function remember(act: Act, cast: Cast): void {
  const users = [...cast.users()].map(([, user]) => user);
  const people = users.filter((user) => isPerson(user) && user.id !== cast.you.id);
  // Incoming webhooks only ever post: no client could be signed in as one.
  const bots = users.filter(
    (user) => user.is_bot === 1 && user.is_system_bot === 0 && user.bot_type !== incomingWebhook,
  );
  const accounts = [cast.you, ...people, ...bots].map(({id}) => id);
  const ids = Object.fromEntries([...cast.users()].map(([key, {id}]) => [key, id]));
  const sql = 'INSERT INTO meta (key, value) VALUES (?, ?)';
  act.db.run(sql, 'world', 'demo-small');
  act.db.run(sql, 'accounts', JSON.stringify(accounts));
  act.db.run(sql, 'cast', JSON.stringify(ids));
}

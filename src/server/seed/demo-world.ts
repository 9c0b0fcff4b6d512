import type {ActionContext, ServerContext} from '#server/context.ts';
import {nextMessageId} from '#server/db/messages.ts';
import type {UserRow} from '#server/db/rows.ts';
import {Role} from '#server/permissions/system-groups.ts';
import type {ScriptConversation} from '#server/seed/demo-world/chat-script.ts';
import {type DemoData, readDemoData} from '#server/seed/demo-world/demo-data.ts';
import {DemoDataError} from '#server/seed/demo-world/demo-data-error.ts';
import {DemoRows} from '#server/seed/demo-world/demo-rows.ts';
import {fillMessageBounds, insertChannels} from '#server/seed/demo-world/insert-channels.ts';
import {MessageInserter} from '#server/seed/demo-world/insert-messages.ts';
import {
  emojiPath,
  insertAnnouncementChannels,
  insertCustomEmoji,
  insertGroups,
  insertLinkifiers,
  insertProfileFields,
  insertSettings,
} from '#server/seed/demo-world/insert-organization.ts';
import {insertPeople, insertProfiles} from '#server/seed/demo-world/insert-people.ts';
import {insertYourFilters, insertYourItems} from '#server/seed/demo-world/insert-your-items.ts';
import {PlaceholderFiller} from '#server/seed/demo-world/placeholders.ts';
import {planMessages} from '#server/seed/demo-world/planned-messages.ts';
import {planUnreadMessages} from '#server/seed/demo-world/unread-messages.ts';

/** Fills an empty organization with the demo's people and ten weeks of their talk, all relative to now. */
export async function seedDemoWorld(world: ServerContext): Promise<void> {
  const data = readDemoData();
  await keepFiles(world, data);
  world.runAction((act) => insertAll(act, data));
  // Facts that were recalled on the way are of a world half planted.
  world.derivedFacts.invalidateAll();
}

/** Before the rows that point at them: no row ever points at a file that is not there. */
async function keepFiles({files}: ServerContext, data: DemoData): Promise<void> {
  const emoji = new Set(data.world.custom_emoji.map(({file}) => file));
  for (const {name, pathId, bytes} of data.files.values()) {
    await files.put(emoji.has(name) ? emojiPath(name) : pathId, bytes);
  }
}

function insertAll(act: ActionContext, data: DemoData): void {
  const {world} = data;
  const cast = new DemoRows(act);
  insertSettings(act, world);
  insertPeople(act, world, cast);
  const owner = ownerOf(cast);
  const fieldIds = insertProfileFields(act, world);
  insertCustomEmoji(act, world, cast);
  insertProfiles(act, world, cast, fieldIds);
  insertGroups(act, world, cast, owner);
  insertChannels(act, world, cast, owner);
  insertAnnouncementChannels(act, world, cast);
  insertLinkifiers(act, world, owner);
  insertYourFilters(act, world, cast);
  act.world.derivedFacts.invalidateAll();
  const texts = insertMessages(act, data, cast);
  fillMessageBounds(act);
  insertYourItems(act, world, cast, texts);
  storeDemoAccounts(act, cast);
}

function ownerOf(cast: DemoRows): UserRow {
  for (const [, user] of cast.users()) if (user.role === Role.owner) return user;
  throw new DemoDataError({file: 'world.json', place: 'people'}, 'nobody owns the organization');
}

function insertMessages(act: ActionContext, data: DemoData, cast: DemoRows): PlaceholderFiller {
  const now = act.world.clock.now();
  const planned = planMessages(data.conversations, now, nextMessageId(act.db));
  const texts = new PlaceholderFiller(cast, data.files, planned, now);
  const users = [...cast.users()];
  const audiences = new Map(data.conversations.map((each) => [each, audienceOf(act, cast, each)]));
  const unread = planUnreadMessages(
    planned,
    {
      you: cast.you,
      others: users.map(([, user]) => user).filter((user) => isPerson(user) && user.id !== cast.you.id),
      mutedByYou: new Set(data.world.muted_users),
      keyOf: new Map(users.map(([key, user]) => [user.id, key])),
    },
    audiences,
  );
  const planter = new MessageInserter(act, cast, texts, unread);
  for (const entry of planned) planter.insertMessage(entry);
  return texts;
}

/** Nobody is behind in a channel that is over. */
function audienceOf(act: ActionContext, cast: DemoRows, {place, source}: ScriptConversation): Set<number> {
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
function storeDemoAccounts(act: ActionContext, cast: DemoRows): void {
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

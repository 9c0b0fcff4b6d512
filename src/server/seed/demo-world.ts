import type {ActionContext, ServerContext} from '#server/context.ts';
import {nextMessageId} from '#server/db/messages.ts';
import {type DemoData, readDemoData, type ScriptConversation} from '#server/seed/demo-world/chat-script.ts';
import {MessageInserter} from '#server/seed/demo-world/insert-messages.ts';
import {
  emojiPath,
  fillMessageBounds,
  insertOrganization,
  insertYourItems,
} from '#server/seed/demo-world/insert-organization.ts';
import {
  otherPeople,
  PlaceholderFiller,
  planMessages,
  planUnreadMessages,
} from '#server/seed/demo-world/plan-messages.ts';
import {DemoRows} from '#server/seed/demo-world/world-file.ts';
import {botTypes} from '#wire/objects/user.ts';

/** Fills an empty organization with the demo's people and ten weeks of their messages, with times relative to now. */
export async function seedDemoWorld(server: ServerContext): Promise<void> {
  const data = readDemoData();
  await storeFiles(server, data);
  server.runAction((act) => insertAll(act, data));
  // Facts derived during the seeding are out of date.
  server.derivedFacts.invalidateAll();
}

/** Stores the demo's files. Runs before the rows are written, so that no row refers to a missing file. */
async function storeFiles({files}: ServerContext, data: DemoData): Promise<void> {
  const emoji = new Set(data.world.custom_emoji.map(({file}) => file));
  for (const {name, pathId, bytes} of data.files.values()) {
    await files.put(emoji.has(name) ? emojiPath(name) : pathId, bytes);
  }
}

function insertAll(act: ActionContext, data: DemoData): void {
  const {world} = data;
  const rows = new DemoRows(world);
  insertOrganization(act, world, rows);
  act.server.derivedFacts.invalidateAll();
  const filler = insertMessages(act, data, rows);
  fillMessageBounds(act);
  insertYourItems(act, world, rows, filler);
  storeDemoAccounts(act, rows);
}

function insertMessages(act: ActionContext, data: DemoData, rows: DemoRows): PlaceholderFiller {
  const now = act.server.clock.now();
  const planned = planMessages(data.conversations, now, nextMessageId(act.db));
  const filler = new PlaceholderFiller(rows, data.files, planned, now);
  const audiences = new Map(data.conversations.map((each) => [each, audienceOf(act, rows, each)]));
  const unread = planUnreadMessages(planned, rows, new Set(data.world.muted_users), audiences);
  const inserter = new MessageInserter(act, rows, filler, unread);
  for (const entry of planned) inserter.insertMessage(entry);
  return filler;
}

/** Returns the ids of the users who can have unread messages in a conversation; none in an archived channel. */
function audienceOf(act: ActionContext, rows: DemoRows, {destination, source}: ScriptConversation): Set<number> {
  if (destination.kind === 'direct') return new Set(rows.userIds(destination.people, source));
  const {id, is_archived} = rows.channel(destination.channel, source);
  const sql = 'SELECT user_id FROM subscription WHERE channel_id = ? AND active = 1';
  return new Set(is_archived === 1 ? [] : act.db.pluck(sql, id));
}

/** Stores the accounts that a client may sign in as, `you` first, and the user ids by key, which the bots need. */
function storeDemoAccounts(act: ActionContext, rows: DemoRows): void {
  // Incoming webhooks only post: no client signs in as one.
  const bots = rows.users
    .values()
    .filter((user) => user.is_bot === 1 && user.is_system_bot === 0 && user.bot_type !== botTypes.incomingWebhook);
  const accounts = [rows.you, ...otherPeople(rows).map(([, user]) => user), ...bots].map(({id}) => id);
  const ids = Object.fromEntries(rows.users.entries().map(([key, {id}]) => [key, id]));
  act.db.insertRow('meta', {key: 'world', value: 'demo-small'});
  act.db.insertRow('meta', {key: 'accounts', value: JSON.stringify(accounts)});
  act.db.insertRow('meta', {key: 'cast', value: JSON.stringify(ids)});
}

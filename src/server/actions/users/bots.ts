import {checkedEmail, checkedFullName} from '#server/accounts/account-names.ts';
import {emitUserUpdate} from '#server/actions/events/user-events.ts';
import type {ActionContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {botRow, findUser, saveBotRow} from '#server/db/users.ts';
import {badRequest} from '#server/http/errors.ts';
import {requireReadableChannelByName} from '#server/permissions/channel.ts';
import {botAudience, canCreateBot} from '#server/permissions/user-access.ts';
import {botDefaults, botView, hostOf} from '#server/views/user.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import type {endpoints} from '#wire/endpoints.ts';
import {botTypes} from '#wire/objects/user.ts';
import {createUser, reloadUser} from './create-user.ts';
import {changeFullName, updateUser} from './update-user.ts';

interface BotDefaults {
  readonly default_sending_stream: string | undefined;
  readonly default_events_register_stream: string | undefined;
  readonly default_all_public_streams: boolean | undefined;
}

type NewBot = ParamsOf<typeof endpoints.createBot>;

export function createBot(act: ActionContext, actor: UserRow, input: NewBot): UserRow {
  const shortName = input.short_name.trim();
  if (shortName === '') throw badRequest('Bad name or username');
  checkedFullName(act, input.full_name);
  if (!/^[\w.+-]{1,50}$/.test(shortName)) throw badRequest('Bad name or username');
  // This server has no embedded bots.
  if (input.bot_type === botTypes.embedded) throw badRequest('Invalid embedded bot name.');
  const email = `${shortName}-bot@${hostOf(act.server)}`;
  checkedEmail(act, email, 'bot');
  checkNameFree(act, input.full_name, undefined);
  if (!canCreateBot(act, actor, input.bot_type)) throw badRequest('Insufficient permission');
  checkType(input);
  const bot = createUser(act, {
    email,
    fullName: input.full_name,
    bot: {type: input.bot_type, ownerId: actor.id},
    actor,
  });
  writeDefaults(act, actor, bot, input);
  act.emit({
    type: 'realm_bot',
    to: botAudience(act, actor.id),
    body: {op: 'add', bot: botView(act, bot)},
  });
  return bot;
}

/** The formats of the messages that a bot with a service receives: Zulip's and Slack's. */
const interfaceTypes: readonly number[] = [1, 2];

function checkType({bot_type: type, payload_url: payloadUrl, interface_type: interfaceType = 1}: NewBot): void {
  if (!Object.values<number>(botTypes).includes(type)) throw badRequest('Invalid bot type');
  if (!interfaceTypes.includes(interfaceType)) throw badRequest('Invalid interface type');
  if (type === botTypes.generic || type === botTypes.incomingWebhook) return;
  if (payloadUrl !== undefined && !URL.canParse(payloadUrl)) {
    throw badRequest('Invalid payload_url: Value error, Not a URL');
  }
  throw badRequest('This server has generic bots and incoming webhooks only.');
}

interface BotChanges {
  readonly fullName: string | undefined;
  readonly role: number | undefined;
  readonly ownerId: number | undefined;
  readonly defaults: BotDefaults;
}

export function updateBot(act: ActionContext, actor: UserRow, bot: UserRow, changes: BotChanges): UserRow {
  if (changes.fullName !== undefined) {
    checkNameFree(act, changes.fullName, bot.id);
    changeFullName(act, actor, bot, changes.fullName);
  }
  if (changes.role !== undefined) {
    updateUser(act, actor, reloadUser(act, bot.id), {role: changes.role});
  }
  if (changes.ownerId !== undefined && changes.ownerId !== bot.bot_owner_id) {
    changeOwner(act, reloadUser(act, bot.id), changes.ownerId);
  }
  writeDefaults(act, actor, bot, changes.defaults);
  const after = reloadUser(act, bot.id);
  const to = botAudience(act, after.bot_owner_id);
  for (const [name, value] of Object.entries(botDefaults(act, bot.id))) {
    if (changes.defaults[name as keyof BotDefaults] === undefined) continue;
    act.emit({type: 'realm_bot', to, body: {op: 'update', bot: {user_id: bot.id, [name]: value}}});
  }
  return after;
}

function changeOwner(act: ActionContext, bot: UserRow, ownerId: number): void {
  const owner = findUser(act.db, ownerId);
  if (owner === undefined) throw badRequest('Failed to change owner, no such user');
  if (owner.is_active === 0) throw badRequest('Failed to change owner, user is deactivated');
  if (owner.is_bot === 1) throw badRequest("Failed to change owner, bots can't own other bots");
  setBotOwner(act, bot, ownerId);
}

/** Changes the bot's owner, and with it the audience of the bot's private details. */
export function setBotOwner(act: ActionContext, bot: UserRow, ownerId: number): void {
  const before = botAudience(act, bot.bot_owner_id);
  act.db.run('UPDATE user SET bot_owner_id = ? WHERE id = ?', ownerId, bot.id);
  const after = botAudience(act, ownerId);
  const removed = {op: 'delete', bot: {user_id: bot.id}};
  act.emit({type: 'realm_bot', to: before.difference(after), body: removed});
  act.emit({type: 'realm_bot', to: after.difference(before), body: {op: 'add', bot: botView(act, bot)}});
  emitUserUpdate(act, bot, {bot_owner_id: ownerId});
}

function writeDefaults(act: ActionContext, actor: UserRow, bot: UserRow, defaults: BotDefaults): void {
  const {default_sending_stream: sending, default_events_register_stream: events} = defaults;
  const all = defaults.default_all_public_streams;
  if (sending === undefined && events === undefined && all === undefined) return;
  const row = botRow(act.db, bot.id);
  saveBotRow(act.db, {
    user_id: bot.id,
    default_sending_channel_id: sending === undefined ? row.default_sending_channel_id : channelId(act, actor, sending),
    default_events_channel_id: events === undefined ? row.default_events_channel_id : channelId(act, actor, events),
    default_all_public_streams: all === undefined ? row.default_all_public_streams : Number(all),
  });
}

/** Returns the id of a channel by name; null for the empty name. */
function channelId(act: ActionContext, actor: UserRow, name: string): number | null {
  return name === '' ? null : requireReadableChannelByName(act, actor, name).id;
}

/** Throws if the name is in use: mentions could not distinguish two bots of the same name. */
function checkNameFree(act: ActionContext, name: string, ownId: number | undefined): void {
  const sql = 'SELECT id FROM user WHERE full_name = ? AND is_active = 1 AND id <> ?';
  const taken = act.db.value(sql, name.trim(), ownId ?? -1);
  if (taken !== undefined) throw badRequest('Name is already in use.');
}

/** The most characters of keys and values together that one bot may store. */
const maxSize = 10_000_000;

export function botStorage(act: ActionContext, bot: UserRow, keys: readonly string[] | undefined) {
  const values = storedValues(act, bot);
  if (keys === undefined) return Object.fromEntries(values);
  return Object.fromEntries(keys.map((key) => [key, requireValue(values, key)]));
}

export function updateBotStorage(act: ActionContext, bot: UserRow, changes: Readonly<Record<string, string>>): void {
  const values = new Map([...storedValues(act, bot), ...Object.entries(changes)]);
  const excess = [...values].reduce((size, [key, value]) => size + length(key) + length(value), -maxSize);
  if (excess > 0) {
    throw badRequest(`Request exceeds storage limit by ${excess} characters. The limit is ${maxSize} characters.`);
  }
  for (const [key, value] of Object.entries(changes)) {
    act.db.replaceRow('bot_storage', {user_id: bot.id, key, value});
  }
}

export function removeBotStorage(act: ActionContext, bot: UserRow, keys: readonly string[] | undefined): void {
  const values = storedValues(act, bot);
  for (const key of keys ?? values.keys()) {
    requireValue(values, key);
    act.db.run('DELETE FROM bot_storage WHERE user_id = ? AND key = ?', bot.id, key);
  }
}

function storedValues({db}: ActionContext, bot: UserRow): Map<string, string> {
  const rows = db.all<{key: string; value: string}>('SELECT key, value FROM bot_storage WHERE user_id = ?', bot.id);
  return new Map(rows.map(({key, value}) => [key, value]));
}

function requireValue(values: ReadonlyMap<string, string>, key: string): string {
  const value = values.get(key);
  if (value === undefined) throw badRequest('Key does not exist.');
  return value;
}

function length(text: string): number {
  return Array.from(text).length;
}

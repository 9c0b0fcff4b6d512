import {emitUserUpdate} from '#server/actions/events/user-events.ts';
import {checkedEmail, checkedFullName} from '#server/actions/inputs.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {botRow, findUser, listBots, reloadUser, saveBotRow} from '#server/db/users.ts';
import {badRequest, check, required} from '#server/errors.ts';
import {requireReadableChannelByName} from '#server/permissions/channel.ts';
import {botAudience, canCreateBot, hostOf, requireManagedBot} from '#server/permissions/user-access.ts';
import {asyncRoute, type Route, route} from '#server/route.ts';
import {apiEmail, botAvatar, botDefaults, botView, ownedBotView} from '#server/views/user.ts';
import type {ParamsOf, ResultOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {botTypes} from '#wire/objects/user.ts';
import {regenerateApiKey} from './api-keys.ts';
import {setAvatar, storeAvatar} from './avatars.ts';
import {createUser} from './create-user.ts';
import {changeFullName, updateUser} from './update-user.ts';

export const botRoutes: readonly Route[] = [
  route(endpoints.getBots, 'member-person', (call) => ({
    bots: listBots(call.db, call.actor.id)
      .filter((bot) => bot.is_active === 1)
      .map((bot) => ownedBotView(call, bot)),
  })),
  route(endpoints.createBot, 'member-person', (call, params) => {
    const bot = createBot(call, params);
    return {
      user_id: bot.id,
      api_key: call.server.secrets.apiKey(bot),
      avatar_url: botAvatar(bot),
      ...botDefaults(call, bot.id),
    };
  }),
  asyncRoute(endpoints.updateBot, 'member-person', async (request, params) => {
    const {upload} = request;
    if (upload === undefined) return request.runAction((call) => updateBot(call, params));
    // Before the file is stored, so that nobody can store one for a bot of others.
    request.runAction((call) => managedBot(call, params));
    return storeAvatar(request, {id: params.bot_id}, upload, (call, name) => {
      setAvatar(call, managedBot(call, params), name);
      return updateBot(call, params);
    });
  }),
  route(endpoints.getBotApiKey, 'member-person', (call, params) => ({
    api_key: call.server.secrets.apiKey(managedBot(call, params)),
  })),
  route(endpoints.regenerateBotApiKey, 'member-person', (call, params) => ({
    api_key: regenerateApiKey(call, managedBot(call, params)),
  })),
];

function managedBot(call: RequestContext, {bot_id}: {bot_id: number}): UserRow {
  return requireManagedBot(call, call.actor, bot_id);
}

interface BotDefaults {
  readonly default_sending_stream: string | undefined;
  readonly default_events_register_stream: string | undefined;
  readonly default_all_public_streams: boolean | undefined;
}

type NewBot = ParamsOf<typeof endpoints.createBot>;

function createBot(act: RequestContext, input: NewBot): UserRow {
  const {actor} = act;
  const shortName = input.short_name.trim();
  check(shortName !== '', 'Bad name or username');
  checkedFullName(act, input.full_name);
  check(/^[\w.+-]{1,50}$/.test(shortName), 'Bad name or username');
  // This server has no embedded bots.
  check(input.bot_type !== botTypes.embedded, 'Invalid embedded bot name.');
  const email = `${shortName}-bot@${hostOf(act.server)}`;
  checkedEmail(act, email, 'bot');
  checkNameFree(act, input.full_name, undefined);
  check(canCreateBot(act, actor, input.bot_type), 'Insufficient permission');
  checkType(input);
  const bot = createUser(act, {
    email,
    fullName: input.full_name,
    bot: {type: input.bot_type, ownerId: actor.id},
    actor,
  });
  writeDefaults(act, actor, bot, input);
  act.emit('realm_bot', botAudience(act, actor.id), {op: 'add', bot: botView(act, bot)});
  return bot;
}

/** The formats of the messages that a bot with a service receives: Zulip's and Slack's. */
const interfaceTypes: readonly number[] = [1, 2];

function checkType({bot_type: type, payload_url: payloadUrl, interface_type: interfaceType = 1}: NewBot): void {
  check(Object.values<number>(botTypes).includes(type), 'Invalid bot type');
  check(interfaceTypes.includes(interfaceType), 'Invalid interface type');
  if (type === botTypes.generic || type === botTypes.incomingWebhook) return;
  check(payloadUrl === undefined || URL.canParse(payloadUrl), 'Invalid payload_url: Value error, Not a URL');
  throw badRequest('This server has generic bots and incoming webhooks only.');
}

type BotChanges = ParamsOf<typeof endpoints.updateBot>;

function updateBot(act: RequestContext, changes: BotChanges): ResultOf<typeof endpoints.updateBot> {
  const {actor} = act;
  const bot = managedBot(act, changes);
  const {full_name: fullName, role, bot_owner_id: ownerId} = changes;
  if (fullName !== undefined) {
    checkNameFree(act, fullName, bot.id);
    changeFullName(act, actor, bot, fullName);
  }
  if (role !== undefined) updateUser(act, actor, reloadUser(act, bot.id), {role});
  if (ownerId !== undefined && ownerId !== bot.bot_owner_id) changeOwner(act, reloadUser(act, bot.id), ownerId);
  writeDefaults(act, actor, bot, changes);
  const after = reloadUser(act, bot.id);
  const to = botAudience(act, after.bot_owner_id);
  for (const [name, value] of Object.entries(botDefaults(act, bot.id))) {
    if (changes[name as keyof BotDefaults] === undefined) continue;
    act.emit('realm_bot', to, {op: 'update', bot: {user_id: bot.id, [name]: value}});
  }
  const owner = after.bot_owner_id === null ? undefined : findUser(act.db, after.bot_owner_id);
  return {
    full_name: after.full_name,
    avatar_url: botAvatar(after),
    // Bots of this server have no service.
    service_interface: changes.service_interface ?? 1,
    service_payload_url: null,
    config_data: null,
    ...botDefaults(act, bot.id),
    ...(owner === undefined ? {} : {bot_owner: apiEmail(act.server, owner)}),
  };
}

function changeOwner(act: ActionContext, bot: UserRow, ownerId: number): void {
  const owner = required(findUser(act.db, ownerId), 'Failed to change owner, no such user');
  check(owner.is_active !== 0, 'Failed to change owner, user is deactivated');
  check(owner.is_bot !== 1, "Failed to change owner, bots can't own other bots");
  setBotOwner(act, bot, ownerId);
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
  check(taken === undefined, 'Name is already in use.');
}

/** Changes the bot's owner, and with it the audience of the bot's private details. */
export function setBotOwner(act: ActionContext, bot: UserRow, ownerId: number): void {
  const before = botAudience(act, bot.bot_owner_id);
  act.db.updateRow('user', bot.id, {bot_owner_id: ownerId});
  const after = botAudience(act, ownerId);
  emitUserUpdate(act, bot, {bot_owner_id: ownerId});
  const removed = {op: 'delete' as const, bot: {user_id: bot.id}};
  act.emit('realm_bot', before.difference(after), removed);
  act.emit('realm_bot', after.difference(before), {op: 'add', bot: botView(act, bot)});
}

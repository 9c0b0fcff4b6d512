import {forgetLoginAttempts, hashNewPassword, isPassword, limitLoginAttempts} from '#server/accounts/password.ts';
import {emitPeers} from '#server/actions/events/channel-events.ts';
import {
  emitExportConsent,
  emitGroupRemovalToLimitedViewers,
  emitRestoredGroupMemberships,
  emitSystemGroupChanges,
  emitUserAdded,
  emitUserUpdate,
  trackUserAccess,
} from '#server/actions/events/user-events.ts';
import {checkedEmail, checkedFullName, isEmailAddress, silentMention} from '#server/actions/inputs.ts';
import {deleteMessages} from '#server/actions/messages/message-audience.ts';
import {sendNotice, welcomePerson} from '#server/actions/messages/send-message.ts';
import {subscribeUsers} from '#server/actions/subscriptions/subscribe-users.ts';
import {setAvatar} from '#server/actions/uploads/attachments.ts';
import type {ActionContext, ServerContext} from '#server/context.ts';
import {channelSubscribers, findChannel} from '#server/db/channels.ts';
import {nextMessageId} from '#server/db/messages.ts';
import {type ChannelRow, fold, type Ids, type MessageRow, type UserRow} from '#server/db/rows.ts';
import {writeAllUnreadRows} from '#server/db/unread-messages.ts';
import {findUserByEmail, reloadUser} from '#server/db/users.ts';
import {ApiError, badRequest, invalidApiKey, unauthorizedPrincipal} from '#server/errors.ts';
import {Role} from '#server/organization/permission-rules.ts';
import {
  hasPermission,
  isAdmin,
  isGuest,
  isOnlyOwner,
  isOwner,
  organization,
  requireActiveOrganization,
} from '#server/permissions/has-permission.ts';
import {
  botAudience,
  canCreateBot,
  requireAccessibleUser,
  requireActivePerson,
  requireAdmin,
  requireManagedBot,
} from '#server/permissions/user-access.ts';
import {type AsyncRequestContext, asyncRoute, type Route, route} from '#server/route.ts';
import {authenticationMethods, serverSettings} from '#server/views/organization-items.ts';
import {botView} from '#server/views/user.ts';
import {endpoints} from '#wire/endpoints.ts';
import {botTypes} from '#wire/objects/user.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';
import {setUserStatus} from './update-account.ts';
import {clearAllProfileData} from './update-user.ts';

export const createUserRoutes: readonly Route[] = [
  asyncRoute(endpoints.createUser, 'admin', async (request, {email, full_name: fullName, password}) => {
    const {actor, server} = request;
    const now = Math.floor(server.clock.now() / 1000);
    if (!hasPermission({server, now}, actor, organization({server}).can_create_users_group)) {
      throw badRequest('User not authorized to create users');
    }
    request.runAction((call) => {
      checkedFullName(call, fullName);
      if (!isEmailAddress(call, email)) throw badRequest('Bad name or username');
      checkedEmail(call, email);
    });
    const passwordHash = await hashNewPassword(server, password);
    return request.runAction((call) => ({user_id: createUser(call, {email, fullName, passwordHash, actor}).id}));
  }),

  asyncRoute(endpoints.getServerSettings, 'public', async ({server}) => serverSettings(server)),
  asyncRoute(endpoints.fetchApiKey, 'public', async (request, {username, password}) => ({
    ...(await apiKeyForPassword(request, username, password)),
  })),
  // Without a password, so that one machine can act as several users.
  asyncRoute(endpoints.devFetchApiKey, 'public', async (request, {username}) => {
    requireDemo(request);
    const user = findUserByEmail(request.server.db, username);
    if (user === undefined || user.is_bot === 1) throw loginFailed();
    return {...apiKeyResponse(request.server, user)};
  }),
  asyncRoute(endpoints.devListUsers, 'public', async (request) => {
    requireDemo(request);
    const {db, url} = request.server;
    const people = db.all<UserRow>('SELECT * FROM user WHERE is_active = 1 AND is_bot = 0 ORDER BY name_key');
    const entry = ({delivery_email}: UserRow) => ({email: delivery_email, realm_url: url});
    return {
      direct_admins: people.filter(isAdmin).map(entry),
      direct_users: people.filter((user) => !isAdmin(user)).map(entry),
    };
  }),
  asyncRoute(otherEndpoints.fetchJwtApiKey, 'public', async () => {
    throw badRequest('JWT authentication is not enabled for this organization');
  }),
  route(endpoints.regenerateApiKey, 'account', (call) => ({api_key: regenerateApiKey(call, call.actor)})),

  route(endpoints.deactivateUser, 'account', (call, params) => {
    const target = requireActivePerson(call, call.actor, params.user_id);
    requireAdmin(call.actor);
    deactivateOther(call, call.actor, target, params.actions);
  }),
  route(endpoints.deactivateOwnUser, 'account', (call) => {
    const {actor, db} = call;
    if (isOnlyOwner(call, actor)) throw lastUserError(true);
    const others = 'SELECT 1 FROM user WHERE is_active = 1 AND is_bot = 0 AND id != ?';
    if (actor.is_bot === 0 && db.get(others, actor.id) === undefined) throw lastUserError(false);
    deactivateUser(call, actor);
  }),
  route(endpoints.deactivateBot, 'member-person', (call, params) => {
    const bot = requireManagedBot(call, call.actor, params.bot_id);
    if (bot.is_active === 1) deactivateUser(call, bot);
  }),
  route(endpoints.reactivateUser, 'account', (call, params) =>
    reactivateUser(call, call.actor, requireAccessibleUser(call, call.actor, params.user_id)),
  ),
];

interface NewUser {
  readonly email: string;
  readonly fullName: string;
  readonly role?: number;
  /** From `hashPassword`; without one the user cannot log in with a password. */
  readonly passwordHash?: string | undefined;
  readonly timezone?: string;
  readonly bot?: {readonly type: number; readonly ownerId: number | null};
  /** Channels to subscribe to in addition to the default channels. */
  readonly channelIds?: Ids;
  /** Defaults to true, but to false for guests and bots. */
  readonly includeDefaultChannels?: boolean;
  /** The user who creates the account for another person; default: the new user. */
  readonly actor?: UserRow;
}

/**
 * Creates an account after checking its name and address, subscribes it and emits the events. The caller checks
 * permissions.
 */
export function createUser(act: ActionContext, input: NewUser): UserRow {
  const fullName = checkedFullName(act, input.fullName);
  const email = checkedEmail(act, input.email, input.bot === undefined ? 'person' : 'bot');
  const user = insertUser(act, {...input, fullName, email});
  if (input.passwordHash !== undefined) act.afterCommit(() => forgetLoginAttempts(act.server, email));
  emitUserAdded(act, user);
  emitSystemGroupChanges(act, undefined, user);
  const channels = firstChannels(act, input, user).map((channel) => ({channel}));
  subscribeUsers(act, channels, [user.id]);
  if (input.bot !== undefined) return user;
  sendSignupNotice(act, user);
  welcomePerson(act, user);
  return user;
}

function insertUser(act: ActionContext, input: NewUser): UserRow {
  const id = act.db.insertRow('user', {
    delivery_email: input.email,
    email_key: fold(input.email),
    full_name: input.fullName,
    name_key: fold(input.fullName),
    role: input.role ?? Role.member,
    timezone: input.timezone ?? '',
    password_hash: input.passwordHash ?? null,
    is_bot: input.bot === undefined ? 0 : 1,
    bot_type: input.bot?.type ?? null,
    bot_owner_id: input.bot?.ownerId ?? null,
    joined_at: act.now,
    awaits_login: input.bot === undefined && input.actor !== undefined ? 1 : 0,
    settings: JSON.stringify(input.bot === undefined ? organization(act).user_setting_defaults : {}),
  });
  return reloadUser(act, id);
}

/** Sets the joining date of an account that another user created, at its first login. */
export function recordFirstLogin(act: ActionContext, user: UserRow): void {
  if (user.awaits_login === 0) return;
  act.db.run('UPDATE user SET awaits_login = 0, joined_at = ? WHERE id = ?', act.now, user.id);
  const after = reloadUser(act, user.id);
  emitSystemGroupChanges(act, user, after);
}

function firstChannels(act: ActionContext, input: NewUser, user: UserRow): ChannelRow[] {
  const defaults = input.includeDefaultChannels ?? (input.bot === undefined && !isGuest(user));
  const channels = new Map<number, ChannelRow>();
  if (defaults) {
    const rows = act.db.all<ChannelRow>('SELECT * FROM channel WHERE is_default = 1 AND is_archived = 0 ORDER BY id');
    for (const row of rows) channels.set(row.id, row);
  }
  for (const id of input.channelIds ?? []) {
    const row = findChannel(act.db, id);
    if (row !== undefined && row.is_archived === 0) channels.set(id, row);
  }
  return [...channels.values()];
}

function sendSignupNotice(act: ActionContext, user: UserRow): void {
  const channelId = organization(act).signup_announcements_stream_id;
  const channel = channelId < 0 ? undefined : findChannel(act.db, channelId);
  if (channel === undefined || channel.is_archived === 1) return;
  sendNotice(act, {kind: 'channel', channel, topic: 'signups'}, `${silentMention(user)} joined this organization.`);
}

interface ApiKeyResponse {
  readonly api_key: string;
  readonly email: string;
  readonly user_id: number;
}

function requireDemo({server, headers}: AsyncRequestContext): void {
  if (!server.demo) throw badRequest('Only a demo server gives out keys without a password.');
  if (headers.origin !== undefined && headers.origin !== server.url) throw badRequest('Other sites get no keys.');
}

function loginFailed(): ApiError {
  return new ApiError('AUTHENTICATION_FAILED', 'Your username or password is incorrect', 401);
}

/**
 * Returns the API key for a password. Only with the right password does the error say that an account is deactivated.
 */
async function apiKeyForPassword(
  {server, address}: AsyncRequestContext,
  username: string,
  password: string,
): Promise<ApiKeyResponse> {
  if (!/^[^@\s]+@[^@\s]+$/.test(username.trim())) throw badRequest('Enter a valid email address.');
  if (!authenticationMethods(server).password) {
    throw new ApiError('PASSWORD_AUTH_DISABLED', 'Password authentication is disabled in your organization', 401);
  }
  const user = findUserByEmail(server.db, username);
  return limitLoginAttempts(server, {username, network: address}, async () => {
    const isCorrect = await isPassword(user?.password_hash, password, server.passwordCost);
    if (!isCorrect || user === undefined || user.is_bot === 1) throw loginFailed();
    return apiKeyResponse(server, user);
  });
}

function apiKeyResponse(server: ServerContext, user: UserRow): ApiKeyResponse {
  requireActiveOrganization(server);
  if (user.is_active === 0) {
    throw new ApiError('USER_DEACTIVATED', 'Account is deactivated', 401);
  }
  if (user.awaits_login === 1) server.runAction((act) => recordFirstLogin(act, user));
  return {api_key: server.secrets.apiKey(user), email: user.delivery_email, user_id: user.id};
}

/** Replaces the user's API key. The old key stops working at once, also for polls that wait; event queues stay. */
export function regenerateApiKey(act: ActionContext, user: UserRow): string {
  const key_generation = user.key_generation + 1;
  act.db.run('UPDATE user SET key_generation = ? WHERE id = ?', key_generation, user.id);
  act.afterCommit(() => act.server.queues.refusePolls(user.id, invalidApiKey()));
  return act.server.secrets.apiKey({id: user.id, key_generation});
}

/** The value of `subscription.active` for deactivated users: not subscribed, but restored on reactivation. */
const suspended = 2;

/** Deactivates another user's account, as an administrator. */
export function deactivateOther(
  act: ActionContext,
  actor: UserRow,
  target: UserRow,
  erasures: Readonly<Record<string, unknown>> = {},
): void {
  if (isOwner(target) && !isOwner(actor)) throw unauthorizedPrincipal('Must be an organization owner');
  if (isOnlyOwner(act, target)) throw badRequest('Cannot deactivate the only organization owner');
  eraseUserData(act, target, erasures);
  deactivateUser(act, target);
}

function lastUserError(isLastOwner: boolean): ApiError {
  const entity = isLastOwner ? 'organization owner' : 'user';
  return new ApiError('CANNOT_DEACTIVATE_LAST_USER', `Cannot deactivate the only ${entity}.`, 400, {
    is_last_owner: isLastOwner,
    entity,
  });
}

/**
 * Deactivates an account and its bots without a permission check: suspends subscriptions, ends queues, emits the
 * events.
 */
export function deactivateUser(act: ActionContext, user: UserRow): void {
  const bots = act.db.all<UserRow>('SELECT * FROM user WHERE bot_owner_id = ? AND is_active = 1', user.id);
  trackUserAccess(act, () => {
    for (const account of [...bots, user]) deactivateAccount(act, account);
  });
}

function deactivateAccount(act: ActionContext, user: UserRow): void {
  const {db, server} = act;
  const channels = subscribedChannels(act, user, 1);
  db.run('UPDATE user SET is_active = 0 WHERE id = ?', user.id);
  writeAllUnreadRows(db, user.id);
  db.run('UPDATE subscription SET active = ? WHERE user_id = ? AND active = 1', suspended, user.id);
  const sql = 'UPDATE subscription_period SET until_id = ? WHERE user_id = ? AND until_id IS NULL';
  db.run(sql, nextMessageId(db), user.id);
  countSubscribers(act, channels, -1);
  revokeInvites(act, user);
  // Before `is_active`: clients with subscriber lists drop the user from them at that event and then find nothing left
  // to drop; clients that only have counts get the change from no other event.
  emitPeers(
    act,
    'peer_remove',
    channels.map((channel) => ({channel, userIds: [user.id]})),
  );
  emitUserUpdate(act, reloadUser(act, user.id), {is_active: false});
  emitGroupRemovalToLimitedViewers(act, user);
  act.afterCommit(() => server.queues.expireAll(user.id));
}

/** Deletes the invitations of a deactivated user. */
function revokeInvites(act: ActionContext, user: UserRow): void {
  if (act.db.run('DELETE FROM invite WHERE invited_by = ?', user.id) === 0) return;
  const admins = act.db.pluck('SELECT id FROM user WHERE role <= ? AND is_active = 1', Role.admin);
  act.emit('invites_changed', admins, {});
}

/** Reactivates an account with its former subscriptions. Users may reactivate the bots that they own. */
export function reactivateUser(act: ActionContext, actor: UserRow, target: UserRow): void {
  if (target.is_system_bot === 1 || target.is_deleted === 1) throw badRequest('No such user');
  if (target.bot_owner_id !== actor.id) requireAdmin(actor);
  if (target.is_bot === 1) {
    if (!canCreateBot(act, actor, target.bot_type ?? botTypes.generic)) throw badRequest('Insufficient permission');
    checkBotName(act, target);
  }
  if (isOwner(target) && !isOwner(actor)) throw unauthorizedPrincipal('Must be an organization owner');
  if (target.is_active === 1) return;
  trackUserAccess(act, () => reactivateAccount(act, actor, target));
}

/** Throws if an active user has the bot's name, which the active bot itself has, too. */
function checkBotName({db}: ActionContext, {full_name: name}: UserRow): void {
  if (db.get('SELECT 1 FROM user WHERE full_name = ? AND is_active = 1', name) === undefined) return;
  throw badRequest(
    `There is already an active bot named "${name}" in this organization. To reactivate this bot, you must rename or deactivate the other one first.`,
  );
}

function reactivateAccount(act: ActionContext, actor: UserRow, user: UserRow): void {
  const {db} = act;
  const channels = subscribedChannels(act, user, suspended);
  db.run('UPDATE user SET is_active = 1 WHERE id = ?', user.id);
  const since = nextMessageId(db);
  const sql = 'UPDATE subscription SET active = 1, unread_since = ? WHERE user_id = ? AND active = ?';
  db.run(sql, since, user.id, suspended);
  for (const channel of channels) {
    const insert = `INSERT INTO subscription_period (user_id, channel_id, since_id) VALUES (?, ?, ?)
       ON CONFLICT (user_id, channel_id, since_id) DO UPDATE SET until_id = NULL`;
    db.run(insert, user.id, channel.id, since);
  }
  countSubscribers(act, channels, 1);
  const after = reloadUser(act, user.id);
  emitUserUpdate(act, after, {is_active: true});
  if (user.is_bot === 0) emitExportConsent(act, after);
  else if (isOrphan(act, user)) setBotOwner(act, after, actor.id);
  emitPeers(
    act,
    'peer_add',
    channels.map((channel) => ({channel, userIds: [user.id]})),
  );
  emitRestoredGroupMemberships(act, after);
}

/** Returns whether the owner of a bot is deactivated. Then who reactivates the bot owns it. */
function isOrphan({db}: ActionContext, bot: UserRow): boolean {
  return db.get('SELECT 1 FROM user WHERE id = ? AND is_active = 0', bot.bot_owner_id) !== undefined;
}

function subscribedChannels({db}: ActionContext, user: UserRow, active: number): ChannelRow[] {
  const sql = `SELECT c.* FROM subscription AS s JOIN channel AS c ON c.id = s.channel_id
     WHERE s.user_id = ? AND s.active = ? ORDER BY c.id`;
  return db.all<ChannelRow>(sql, user.id, active);
}

function countSubscribers({db, server}: ActionContext, channels: readonly ChannelRow[], change: number): void {
  const sql = 'UPDATE channel SET subscriber_count = subscriber_count + ? WHERE id IN (SELECT value FROM json_each(?))';
  db.run(sql, change, JSON.stringify(channels.map(({id}) => id)));
  for (const {id} of channels) server.derivedFacts.invalidate(channelSubscribers(id));
}

/** The data that can be erased when an account is deactivated, by request parameter. */
const erasures = {
  delete_profile: eraseProfile,
  delete_public_channel_messages: (act: ActionContext, user: UserRow) => eraseMessages(act, user, 'c.invite_only = 0'),
  delete_private_channel_messages: (act: ActionContext, user: UserRow) => eraseMessages(act, user, 'c.invite_only = 1'),
  delete_direct_messages: (act: ActionContext, user: UserRow) => eraseMessages(act, user, 'm.dm_id IS NOT NULL'),
};

/** Runs the requested erasures. */
function eraseUserData(act: ActionContext, user: UserRow, requested: Readonly<Record<string, unknown>>): void {
  for (const [name, run] of Object.entries(erasures)) if (requested[name] === true) run(act, user);
}

function eraseProfile(act: ActionContext, user: UserRow): void {
  const fullName = 'Deleted user';
  act.db.run('UPDATE user SET full_name = ?, name_key = ? WHERE id = ?', fullName, fold(fullName), user.id);
  emitUserUpdate(act, user, {full_name: fullName});
  if (user.avatar_file !== null) setAvatar(act, reloadUser(act, user.id), undefined);
  clearAllProfileData(act, user);
  setUserStatus(act, user, {status_text: '', emoji_name: ''});
}

function eraseMessages(act: ActionContext, user: UserRow, where: string): void {
  const sql = `SELECT m.* FROM message AS m LEFT JOIN channel AS c ON c.id = m.channel_id
     WHERE m.sender_id = ? AND ${where} ORDER BY m.id`;
  const messages = act.db.all<MessageRow>(sql, user.id);
  const conversations = Map.groupBy(
    messages,
    (message) => `${message.channel_id} ${message.dm_id} ${message.topic_key}`,
  );
  for (const conversation of conversations.values()) deleteMessages(act, conversation);
}

/** Changes the bot's owner, and with it the audience of the bot's private details. */
export function setBotOwner(act: ActionContext, bot: UserRow, ownerId: number): void {
  const before = botAudience(act, bot.bot_owner_id);
  act.db.run('UPDATE user SET bot_owner_id = ? WHERE id = ?', ownerId, bot.id);
  const after = botAudience(act, ownerId);
  emitUserUpdate(act, bot, {bot_owner_id: ownerId});
  const removed = {op: 'delete', bot: {user_id: bot.id}};
  act.emit('realm_bot', before.difference(after), removed);
  act.emit('realm_bot', after.difference(before), {op: 'add', bot: botView(act, bot)});
}

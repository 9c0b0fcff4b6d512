import {emitPeers} from '#server/actions/events/channel-events.ts';
import {
  emitExportConsent,
  emitGroupRemovalToLimitedViewers,
  emitRestoredGroupMemberships,
  emitUserUpdate,
  trackUserAccess,
} from '#server/actions/events/user-events.ts';
import {deleteMessages} from '#server/actions/messages/delete-messages.ts';
import type {ActionContext} from '#server/context.ts';
import {channelSubscribers} from '#server/db/channels.ts';
import {nextMessageId} from '#server/db/messages.ts';
import {type ChannelRow, fold, type MessageRow, type UserRow} from '#server/db/rows.ts';
import {writeAllUnreadRows} from '#server/db/unread-messages.ts';
import {reloadUser} from '#server/db/users.ts';
import {ApiError, badRequest, check} from '#server/errors.ts';
import {Role} from '#server/organization/permission-rules.ts';
import {isOnlyOwner, isOwner, requireOwner} from '#server/permissions/has-permission.ts';
import {
  canCreateBot,
  requireAccessibleUser,
  requireActivePerson,
  requireAdmin,
  requireManagedBot,
} from '#server/permissions/user-access.ts';
import {type Route, route} from '#server/route.ts';
import {endpoints} from '#wire/endpoints.ts';
import {botTypes} from '#wire/objects/user.ts';
import {setAvatar} from './avatars.ts';
import {setBotOwner} from './bots.ts';
import {clearAllProfileData} from './profile-data.ts';
import {setUserStatus} from './user-status.ts';

export const deactivationRoutes: readonly Route[] = [
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

/** The value of `subscription.active` for deactivated users: not subscribed, but restored on reactivation. */
const suspended = 2;

/** Deactivates another user's account, as an administrator. */
export function deactivateOther(
  act: ActionContext,
  actor: UserRow,
  target: UserRow,
  erasures: Readonly<Record<string, unknown>> = {},
): void {
  if (isOwner(target)) requireOwner(actor);
  check(!isOnlyOwner(act, target), 'Cannot deactivate the only organization owner');
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
  db.updateRow('user', user.id, {is_active: 0});
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
  if (act.db.deleteRows('invite', {invited_by: user.id}) === 0) return;
  const admins = act.db.pluck('SELECT id FROM user WHERE role <= ? AND is_active = 1', Role.admin);
  act.emit('invites_changed', admins, {});
}

/** Reactivates an account with its former subscriptions. Users may reactivate the bots that they own. */
export function reactivateUser(act: ActionContext, actor: UserRow, target: UserRow): void {
  check(target.is_system_bot !== 1 && target.is_deleted !== 1, 'No such user');
  if (target.bot_owner_id !== actor.id) requireAdmin(actor);
  if (target.is_bot === 1) {
    check(canCreateBot(act, actor, target.bot_type ?? botTypes.generic), 'Insufficient permission');
    checkBotName(act, target);
  }
  if (isOwner(target)) requireOwner(actor);
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
  db.updateRow('user', user.id, {is_active: 1});
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
  act.db.updateRow('user', user.id, {full_name: fullName, name_key: fold(fullName)});
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

import {forgetLoginAttempts, hashNewPassword} from '#server/accounts/password.ts';
import {emitSystemGroupChanges, emitUserAdded} from '#server/actions/events/user-events.ts';
import {checkedEmail, checkedFullName, isEmailAddress, silentMention} from '#server/actions/inputs.ts';
import {sendNotice, welcomePerson} from '#server/actions/messages/send-message.ts';
import {subscribeUsers} from '#server/actions/subscriptions/subscribe-users.ts';
import type {ActionContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {type ChannelRow, fold, type Ids, type UserRow} from '#server/db/rows.ts';
import {reloadUser} from '#server/db/users.ts';
import {check} from '#server/errors.ts';
import {Role} from '#server/organization/permission-rules.ts';
import {hasPermission, isGuest, organization} from '#server/permissions/has-permission.ts';
import {asyncRoute, type Route} from '#server/route.ts';
import {endpoints} from '#wire/endpoints.ts';

export const createUserRoutes: readonly Route[] = [
  asyncRoute(endpoints.createUser, 'admin', async (request, {email, full_name: fullName, password}) => {
    const {actor, server} = request;
    const now = Math.floor(server.clock.now() / 1000);
    check(
      hasPermission({server, now}, actor, organization({server}).can_create_users_group),
      'User not authorized to create users',
    );
    request.runAction((call) => {
      checkedFullName(call, fullName);
      check(isEmailAddress(call, email), 'Bad name or username');
      checkedEmail(call, email);
    });
    const passwordHash = await hashNewPassword(server, password);
    return request.runAction((call) => ({user_id: createUser(call, {email, fullName, passwordHash, actor}).id}));
  }),
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

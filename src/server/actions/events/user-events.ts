import {userSettings} from '#server/accounts/user-settings.ts';
import {BackgroundTask, type Log} from '#server/background-task.ts';
import type {ActionContext, ServerContext} from '#server/context.ts';
import {type StatusRow, statusOf} from '#server/db/personal-items.ts';
import type {IdSet, UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import type {EventQueue} from '#server/event-queues/event-queues.ts';
import {Role, SystemGroup} from '#server/organization/permission-rules.ts';
import {accessibleUserIds, canAccessUser, canSeeEmail, isUserAccessLimited} from '#server/permissions/user-access.ts';
import {fullMemberSince} from '#server/views/group.ts';
import {avatarUrl, mediumAvatarUrl, unknownUserView, userView} from '#server/views/user.ts';
import {profileDataByUser} from '#server/views/users.ts';
import {getOrCreate} from '#std/get-or-create.ts';
import type {PersonUpdate} from '#wire/events/people.ts';
import type {OutgoingBody, OutgoingType} from '#wire/events.ts';
import type {WireUserStatus} from '#wire/objects/user.ts';

type UserEventBody = OutgoingBody<'realm_user'>;

/** Returns a function that finds the user of a queue, with one query per user. */
function viewerLookup(act: ActionContext): (reader: EventQueue) => UserRow | undefined {
  const usersById = new Map<number, UserRow | undefined>();
  return ({userId}) => {
    if (!usersById.has(userId)) usersById.set(userId, findUser(act.db, userId));
    return usersById.get(userId);
  };
}

/** Emits an event about `target` to users who may see them. `body` should return the same object for equal bodies. */
export function emitUserEvent<T extends OutgoingType>(
  act: ActionContext,
  type: T,
  target: UserRow,
  body: OutgoingBody<T> | ((viewer: UserRow, reader: EventQueue) => OutgoingBody<T> | undefined),
): void {
  if (typeof body !== 'function' && !isUserAccessLimited(act)) {
    act.emit(type, 'everyone', body);
    return;
  }
  const viewerOf = viewerLookup(act);
  act.emit(type, 'everyone', (reader) => {
    const viewer = viewerOf(reader);
    if (viewer === undefined || !canAccessUser(act, viewer, target)) return undefined;
    return typeof body === 'function' ? body(viewer, reader) : body;
  });
}

/** Emits `realm_user`/`update` with fields that are the same for all viewers. */
export function emitUserUpdate(act: ActionContext, target: UserRow, fields: Omit<PersonUpdate, 'user_id'>): void {
  emitUserEvent(act, 'realm_user', target, {op: 'update', person: {user_id: target.id, ...fields}});
}

/**
 * Emits the address of a user's avatar. After a change of the avatar itself everybody gets an address, as on Zulip's
 * servers; `isFor` names who gets the event after another change, with null for clients that compute the address.
 */
export function emitAvatarUpdate(
  act: ActionContext,
  target: UserRow,
  isFor?: (viewer: UserRow, reader: EventQueue) => boolean,
): void {
  const bodies = new Map<string | null, UserEventBody>();
  emitUserEvent(act, 'realm_user', target, (viewer, reader) => {
    if (isFor?.(viewer, reader) === false) return undefined;
    const clientGravatar = isFor !== undefined && reader.options.clientGravatar;
    const url = avatarUrl(target, {clientGravatar, seesEmail: canSeeEmail(viewer, target)});
    return getOrCreate(bodies, url, () => avatarBody(target, url));
  });
}

function avatarBody({id, avatar_source, avatar_version}: UserRow, url: string | null): UserEventBody {
  const urls = {avatar_url: url, avatar_url_medium: mediumAvatarUrl(url)};
  return {op: 'update', person: {user_id: id, avatar_source, ...urls, avatar_version}};
}

/** Emits a new account. Viewers who may not see it get a placeholder if their client expects a full list of users. */
export function emitUserAdded(act: ActionContext, target: UserRow): void {
  const viewerOf = viewerLookup(act);
  const added = userAddedBodies(act, target);
  act.emit('realm_user', 'everyone', (reader) => {
    const viewer = viewerOf(reader);
    if (viewer === undefined) return undefined;
    if (canAccessUser(act, viewer, target)) return added(viewer, reader);
    return reader.options.capabilities.user_list_incomplete === true
      ? undefined
      : {op: 'add', person: unknownUserView(act, target.id)};
  });
}

function userAddedBodies(act: ActionContext, target: UserRow): (viewer: UserRow, reader: EventQueue) => UserEventBody {
  const bodies = new Map<string, UserEventBody>();
  return (viewer, reader) => {
    const {clientGravatar} = reader.options;
    return getOrCreate(bodies, `${canSeeEmail(viewer, target)} ${clientGravatar}`, () => {
      const profileData = profileDataByUser(act, [target.id]).get(target.id) ?? {};
      return {op: 'add', person: userView(act, viewer, target, {clientGravatar, profileData})};
    });
  };
}

/**
 * Runs a change that may affect which users see each other (subscriptions, roles, direct conversations) and emits to
 * connected limited viewers the users that became visible or hidden. Without limited viewers it only runs the change.
 */
export function trackUserAccess<T>(act: ActionContext, change: () => T, isNeeded = isUserAccessLimited(act)): T {
  if (!isNeeded) return change();
  const accessibleByViewer = () => {
    const connected = act.db.all<UserRow>(
      'SELECT * FROM user WHERE id IN (SELECT value FROM json_each(?))',
      JSON.stringify([...act.server.queues.connectedUsers()]),
    );
    return new Map(connected.map((viewer) => [viewer.id, accessibleUserIds(act, viewer)]));
  };
  const before = accessibleByViewer();
  const result = change();
  for (const [viewerId, after] of accessibleByViewer()) emitAccessChange(act, viewerId, before.get(viewerId), after);
  return result;
}

type AccessibleUsers = 'everyone' | IdSet;

function emitAccessChange(
  act: ActionContext,
  viewerId: number,
  before: AccessibleUsers | undefined,
  after: AccessibleUsers,
): void {
  if (before === undefined || (before === 'everyone' && after === 'everyone')) return;
  const all = before === 'everyone' || after === 'everyone' ? act.db.pluck('SELECT id FROM user') : [];
  const idsBefore = before === 'everyone' ? new Set(all) : before;
  const idsAfter = after === 'everyone' ? new Set(all) : after;
  for (const id of idsAfter) if (!idsBefore.has(id)) emitUserVisible(act, viewerId, id);
  for (const id of idsBefore) if (!idsAfter.has(id)) emitUserHidden(act, viewerId, id);
}

function emitUserVisible(act: ActionContext, viewerId: number, id: number): void {
  const viewer = findUser(act.db, viewerId);
  const target = findUser(act.db, id);
  if (viewer === undefined || target === undefined) return;
  const added = userAddedBodies(act, target);
  act.emit('realm_user', [viewerId], (reader) => added(viewer, reader));
  const status = statusView(statusOf(act.db, id));
  if (Object.keys(status).length > 0) {
    act.emit('user_status', [viewerId], {user_id: id, ...status});
  }
}

function emitUserHidden(act: ActionContext, viewerId: number, id: number): void {
  const target = findUser(act.db, id);
  if (target === undefined) return;
  const removed = {op: 'remove' as const, person: {user_id: id, full_name: target.full_name}};
  act.emit('realm_user', [viewerId], ({options}) =>
    options.capabilities.user_list_incomplete === true
      ? removed
      : [removed, {op: 'add' as const, person: unknownUserView(act, id)}],
  );
}

/** Emits to a user whose role changed the email addresses of others that became visible or hidden. */
export function emitVisibleEmails(act: ActionContext, before: UserRow, after: UserRow): void {
  if (!act.server.queues.isConnected(after.id)) return;
  const hidden = act.db.all<UserRow>(
    `SELECT * FROM user WHERE is_bot = 0 AND settings LIKE '%email_address_visibility%'`,
  );
  for (const target of hidden) {
    const sees = canSeeEmail(after, target);
    if (sees === canSeeEmail(before, target) || !canAccessUser(act, after, target)) continue;
    const person = {user_id: target.id, delivery_email: sees ? target.delivery_email : null};
    act.emit('realm_user', [after.id], {op: 'update', person});
    // The avatar depends on the address.
    if (target.avatar_source === 'U') continue;
    act.emit('realm_user', [after.id], ({options}) =>
      avatarBody(target, avatarUrl(target, {clientGravatar: options.clientGravatar, seesEmail: sees})),
    );
  }
}

/** Tells administrators whether exports may contain the user's private data. */
export function emitExportConsent(act: ActionContext, user: UserRow): void {
  const body = {user_id: user.id, consented: userSettings(user).allow_private_data_export};
  const admins = act.db.pluck('SELECT id FROM user WHERE role <= ? AND is_active = 1 AND is_bot = 0', Role.admin);
  act.emit('realm_export_consent', admins, body);
}

/** Returns the system groups with this user as a direct member, which follow from the role. */
function directSystemGroups(act: ActionContext, user: UserRow): number[] {
  if (user.is_active === 0 || user.is_system_bot === 1) return [];
  switch (user.role) {
    case Role.owner:
      return [SystemGroup.owners];
    case Role.admin:
      return [SystemGroup.administrators];
    case Role.moderator:
      return [SystemGroup.moderators];
    case Role.member:
      return user.joined_at <= fullMemberSince(act)
        ? [SystemGroup.members, SystemGroup.fullMembers]
        : [SystemGroup.members];
    default:
      return [SystemGroup.everyone];
  }
}

/** Emits the system groups that a user left and joined; `before` is undefined for a new account. */
export function emitSystemGroupChanges(act: ActionContext, before: UserRow | undefined, after: UserRow): void {
  const groupsBefore = before === undefined ? [] : directSystemGroups(act, before);
  const groupsAfter = directSystemGroups(act, after);
  const left = groupsBefore.filter((group) => !groupsAfter.includes(group));
  const joined = groupsAfter.filter((group) => !groupsBefore.includes(group));
  const isFullMembers = (group: number) => group === SystemGroup.fullMembers;
  // The group of the full members follows the group of the role.
  for (const last of [false, true]) {
    for (const group of left) if (isFullMembers(group) === last) emit(act, 'remove_members', group, after);
    for (const group of joined) if (isFullMembers(group) === last) emit(act, 'add_members', group, after);
  }
}

/** Emits the group memberships of a reactivated user. Clients removed them on deactivation without an event. */
export function emitRestoredGroupMemberships(act: ActionContext, user: UserRow): void {
  const groups = [...directSystemGroups(act, user).reverse(), ...customGroups(act, user)];
  for (const group of groups) emit(act, 'add_members', group, user);
}

/**
 * Emits the removal of a deactivated user from groups to viewers who cannot see the user and so get no event about the
 * deactivation.
 */
export function emitGroupRemovalToLimitedViewers(act: ActionContext, before: UserRow): void {
  if (!isUserAccessLimited(act)) return;
  const viewerOf = viewerLookup(act);
  for (const group of [...directSystemGroups(act, before), ...customGroups(act, before)]) {
    const body = {op: 'remove_members' as const, group_id: group, user_ids: [before.id]};
    act.emit('user_group', 'everyone', (reader) => {
      const viewer = viewerOf(reader);
      return viewer === undefined || canAccessUser(act, viewer, before) ? undefined : body;
    });
  }
}

function customGroups({db}: ActionContext, user: UserRow): number[] {
  return db.pluck('SELECT group_id FROM group_member WHERE user_id = ?', user.id);
}

function emit(act: ActionContext, op: 'add_members' | 'remove_members', groupId: number, user: UserRow): void {
  act.emit('user_group', 'everyone', {op, group_id: groupId, user_ids: [user.id]});
}

/** Runs a change of the waiting period and emits the users who became full members or stopped being full members. */
export function trackFullMembers(act: ActionContext, change: () => void): void {
  const before = fullMembers(act);
  change();
  const after = fullMembers(act);
  emitFullMembers(act, 'remove_members', [...before.difference(after)]);
  emitFullMembers(act, 'add_members', [...after.difference(before)]);
}

function fullMembers(act: ActionContext): Set<number> {
  const sql = 'SELECT id FROM user WHERE role = ? AND joined_at <= ? AND is_active = 1 AND is_system_bot = 0';
  return new Set(act.db.pluck(sql, Role.member, fullMemberSince(act)));
}

function emitFullMembers(act: ActionContext, op: 'add_members' | 'remove_members', userIds: number[]): void {
  if (userIds.length === 0) return;
  act.emit('user_group', 'everyone', {op, group_id: SystemGroup.fullMembers, user_ids: userIds});
}

/** Emits the members whose waiting period ended after `since`. Without a waiting period there are none. */
function emitNewFullMembers(act: ActionContext, since: number): void {
  const until = fullMemberSince(act);
  if (until >= act.now) return;
  const sql = `SELECT id FROM user
    WHERE role = ? AND is_active = 1 AND is_system_bot = 0 AND joined_at > ? AND joined_at <= ?`;
  emitFullMembers(act, 'add_members', act.db.pluck(sql, Role.member, until - (act.now - since), until));
}

const periodMs = 3600_000;

/** Emits hourly events for members who became full members, which happens by the passing of time alone. */
export function startFullMemberWatcher(server: ServerContext, log: Log): {stop(): void} {
  const {clock} = server;
  let since = Math.floor(clock.now() / 1000);
  const task = new BackgroundTask({clock, log, name: 'Telling who became a full member'}, () => {
    since = server.runAction((act) => {
      emitNewFullMembers(act, since);
      return act.now;
    });
    return periodMs;
  });
  task.schedule(periodMs);
  return task;
}

/** Returns the parts of a status that are set; an empty object when none is. */
export function statusView(row: StatusRow): WireUserStatus {
  return {
    ...(row.status_text === '' ? {} : {status_text: row.status_text}),
    ...(row.emoji_name === ''
      ? {}
      : {emoji_name: row.emoji_name, emoji_code: row.emoji_code, reaction_type: row.reaction_type}),
    ...(row.away === 1 ? {away: true} : {}),
  };
}

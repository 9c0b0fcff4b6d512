import type {Group, User} from '#state/model/user.ts';
import {userName} from '#state/selectors/names/names.ts';
import type {ProfileField} from '#state/slices/profile-fields.ts';
import type {AccountState} from '#state/state.ts';
import {camelKey} from '#std/camel.ts';
import {composed} from '#std/composed-text.ts';
import {memoBySlices} from '#std/memo.ts';
import {type GroupAction, isGroupActionAllowed} from '#wire/objects/group.ts';
import {botTypes, roles} from '#wire/objects/user.ts';
import {featureProblem} from '#wire/server-features.ts';
import {
  allowed,
  allowedIf,
  type GroupPermissionName,
  hasGroupPermission,
  hasRealmPermission,
  isAdministrator,
  isGuest,
  isModerator,
  isOwner,
  type Permission,
  refused,
} from './permission.ts';

const unknownUser = 'This person does not exist, or you cannot see them.';
const onlyOwners = 'Only owners can change an owner.';

/** Returns whether the user may change the account of another person, or of a bot. */
export function canChangeUser(state: AccountState, userId: number): Permission {
  const user = state.users.get(userId);
  if (user === undefined) return refused(unknownUser);
  if (user.isSystemBot) return refused('System bots cannot be changed.');
  if (user.isBot) return canManageBot(state, user);
  return allowedIf(isAdministrator(state), 'Only administrators can change the accounts of others.');
}

function canManageBot(state: AccountState, bot: User): Permission {
  if (bot.botOwnerId === state.self.userId) return allowed;
  if (!isAdministrator(state)) return refused('Only the owner of a bot and administrators can change it.');
  return allowedIf(bot.role > roles.owner || isOwner(state), onlyOwners);
}

/** The active owners of the organization. */
const ownerIds = memoBySlices(['users'], ({users}: AccountState): ReadonlySet<number> => {
  const owners = [...users.values()].filter((user) => user.role === roles.owner && user.isActive && !user.isBot);
  return new Set(owners.map(({id}) => id));
});

function isOnlyOwner(state: AccountState, userId: number): boolean {
  const owners = ownerIds(state);
  return owners.size === 1 && owners.has(userId);
}

/** Returns whether the user may give another one a role. Their present role is always allowed. */
export function canGiveRole(state: AccountState, user: User, role: number): Permission {
  if (role === user.role) return allowed;
  if (!isAdministrator(state)) return refused('Only administrators can change roles.');
  if ((role === roles.owner || user.role === roles.owner) && !isOwner(state)) {
    return refused('Only owners can make somebody an owner, or take that role away.');
  }
  if (isOnlyOwner(state, user.id)) {
    return refused(composed`${userName(state, user.id)} is the only owner. Make somebody else an owner first.`);
  }
  const isPromotedGuest = user.role === roles.guest && role <= roles.administrator;
  return allowedIf(!isPromotedGuest, 'Guests cannot be administrators. Make them a member first.');
}

/** Returns whether the user may change the email address of another one. Servers may refuse owners too. */
export function canChangeEmailOf(state: AccountState, userId: number): Permission {
  const permission = canChangeUser(state, userId);
  if (!permission.ok) return permission;
  return allowedIf(isOwner(state), 'Only owners can change the email addresses of others.');
}

export function canDeactivateUser(state: AccountState, userId: number): Permission {
  const user = state.users.get(userId);
  if (userId !== state.self.userId) {
    const permission = canChangeUser(state, userId);
    if (!permission.ok) return permission;
    if (user?.role === roles.owner && !user.isBot && !isOwner(state)) return refused(onlyOwners);
  }
  return allowedIf(
    !isOnlyOwner(state, userId),
    composed`${userName(state, userId)} is the only owner, so this account cannot be deactivated.`,
  );
}

export function canReactivateUser(state: AccountState, userId: number, nowMs: number): Permission {
  const user = state.users.get(userId);
  if (user?.isDeleted === true) return refused('This account was deleted for good.');
  const permission = canChangeUser(state, userId);
  if (!permission.ok) return permission;
  if (user?.isBot === true) return canCreateBot(state, nowMs, user.botType);
  return allowedIf(user?.role !== roles.owner || isOwner(state), onlyOwners);
}

/** Returns whether the user may invite people by email. */
export function canInvite(state: AccountState, nowMs: number): Permission {
  const isAllowed = !isGuest(state) && hasRealmPermission(state, 'canInviteUsersGroup', nowMs);
  return allowedIf(isAllowed, 'You may not invite people to this organization.');
}

/** Returns whether the user may create links that anyone can join with. */
export function canCreateInviteLink(state: AccountState, nowMs: number): Permission {
  const isAllowed = !isGuest(state) && hasRealmPermission(state, 'createMultiuseInviteGroup', nowMs);
  return allowedIf(isAllowed, 'You may not create invitation links.');
}

/** Returns whether the user may invite people with a role. */
export function canInviteAs(state: AccountState, role: number): Permission {
  if (role === roles.owner) return allowedIf(isOwner(state), 'Only owners can invite owners.');
  const isAllowed = role >= roles.member || isAdministrator(state);
  return allowedIf(isAllowed, 'Only administrators can invite people with this role.');
}

/** Returns whether the user may choose channels for invited people. */
export function canInviteToChannels(state: AccountState, nowMs: number): Permission {
  const isAllowed = isAdministrator(state) || hasRealmPermission(state, 'canAddSubscribersGroup', nowMs);
  return allowedIf(isAllowed, 'You may not subscribe others to channels.');
}

/** Returns whether the user may create bots of this type; by default, of the type with the fewest rights. */
export function canCreateBot(state: AccountState, nowMs: number, type: number = botTypes.incomingWebhook): Permission {
  const mayAll = hasRealmPermission(state, 'canCreateBotsGroup', nowMs);
  const mayWebhooks = hasRealmPermission(state, 'canCreateWriteOnlyBotsGroup', nowMs);
  const isAllowed = !isGuest(state) && (mayAll || (type === botTypes.incomingWebhook && mayWebhooks));
  return allowedIf(isAllowed, 'You may not create bots of this type.');
}

export function canChangeOwnName(state: AccountState): Permission {
  const isAllowed = state.realm.nameChangesDisabled !== true || isAdministrator(state);
  return allowedIf(isAllowed, 'This organization does not let people change their names.');
}

export function canChangeOwnPicture(state: AccountState): Permission {
  const isAllowed = state.realm.avatarChangesDisabled !== true || isAdministrator(state);
  return allowedIf(isAllowed, 'This organization does not let people change their pictures.');
}

/** Returns whether the user may change a field of their own profile. */
export function canFillProfileField(state: AccountState, {editableByUser}: ProfileField): Permission {
  const isAllowed = editableByUser !== false || isAdministrator(state);
  return allowedIf(isAllowed, 'Only administrators can change this field.');
}

const verbs: Readonly<Record<GroupAction, string>> = {
  manage: 'change',
  add: 'add people to',
  remove: 'remove people from',
  join: 'join',
  leave: 'leave',
};

export function canCreateGroup(state: AccountState, nowMs: number): Permission {
  return allowedIf(hasRealmPermission(state, 'canCreateGroups', nowMs), 'You do not have permission to create groups.');
}

/** Returns whether the user can do this with a group; `manage` is all about it: its name, permissions and members. */
export function canChangeGroup(state: AccountState, action: GroupAction, groupId: number, nowMs: number): Permission {
  const group = state.groups.get(groupId);
  if (group === undefined) return refused('This group no longer exists.');
  if (group.isSystemGroup) return refused('This group follows from the roles of users and cannot be changed.');
  if (group.isDeactivated && action !== 'manage') return refused(composed`The group ${group.name} is deactivated.`);
  const isAllowed = isGroupActionAllowed(action, {
    isSystemGroup: group.isSystemGroup,
    isGuest: isGuest(state),
    managesAllGroups: managesAllGroups(state, group, nowMs),
    has: (name) => hasGroupPermission(state, group, camelKey(name) as GroupPermissionName, nowMs) === true,
  });
  return allowedIf(isAllowed, composed`You do not have permission to ${verbs[action]} the group ${group.name}.`);
}

/** Below level 299 members of a group and moderators can change it, if the organization's policy allows that. */
function managesAllGroups(state: AccountState, group: Group, nowMs: number): boolean {
  const isAllowed = hasRealmPermission(state, 'canManageAllGroups', nowMs);
  if (state.realm.canManageAllGroups !== undefined) return isAllowed;
  return isAllowed && (isModerator(state) || group.members.has(state.self.userId));
}

/** Servers below level 137 have no read receipts. */
export function canSeeReadReceipts(state: AccountState): Permission {
  if (state.realm.enableReadReceipts === undefined) {
    return refused(featureProblem(state.server.level, 'readReceipts') ?? 'This server has no read receipts.');
  }
  return allowedIf(state.realm.enableReadReceipts, 'Read receipts are turned off in this organization.');
}

/** `moves` shows topics and channels, but not earlier content. */
export function editHistoryVisibility({realm}: AccountState): 'all' | 'moves' | 'none' {
  const policy = realm.messageEditHistoryVisibilityPolicy;
  if (policy === undefined) return realm.allowEditHistory === false ? 'none' : 'all';
  if (policy === 'none') return 'none';
  return policy === 'moves' ? 'moves' : 'all';
}

export function canSeeEditHistory(state: AccountState): Permission {
  return allowedIf(editHistoryVisibility(state) !== 'none', 'Edit history is hidden in this organization.');
}

import {expect, test} from 'vitest';
import {
  canChangeEmailOf,
  canChangeUser,
  canCreateBot,
  canCreateInviteLink,
  canDeactivateUser,
  canGiveRole,
  canInvite,
  canInviteAs,
  canReactivateUser,
} from '#state/selectors/permissions/people-permissions.ts';
import * as eg from '#test/support/state-builders.ts';
import {botTypes, roles} from '#wire/objects/user.ts';

const other = {member: 20, guest: 21, owner: 22, deactivated: 23, bot: 24, ownBot: 25} as const;

/** An organization in which the user has a role. */
function stateAs(role: number, otherOwner = true) {
  return eg.state({
    users: eg.users(
      eg.user({id: eg.selfId, role}),
      eg.user({id: other.member, role: roles.member}),
      eg.user({id: other.guest, role: roles.guest}),
      eg.user({id: other.owner, role: otherOwner ? roles.owner : roles.member}),
      eg.user({id: other.deactivated, role: roles.member, isActive: false}),
      eg.user({id: other.bot, isBot: true, botOwnerId: other.member}),
      eg.user({id: other.ownBot, isBot: true, botOwnerId: eg.selfId}),
    ),
  });
}

test.each([
  ['owner', 'member guest owner deactivated bot ownBot'],
  ['administrator', 'member guest owner deactivated bot ownBot'],
  ['moderator', 'ownBot'],
  ['member', 'ownBot'],
  ['guest', 'ownBot'],
] as const)('permissions: a user with role %s may change the accounts of %s', (role, expected) => {
  const state = stateAs(roles[role]);
  const allowed = Object.entries(other).filter(([, id]) => canChangeUser(state, id).ok);
  expect(allowed.map(([name]) => name).join(' ')).toBe(expected);
  const owner = role === 'owner';
  const isAdministrator = owner || role === 'administrator';
  expect(canChangeEmailOf(state, other.member).ok).toBe(owner);
  expect(canDeactivateUser(state, other.member).ok).toBe(isAdministrator);
  expect(canDeactivateUser(state, other.owner).ok).toBe(owner);
  expect(canReactivateUser(state, other.deactivated, 0).ok).toBe(isAdministrator);
  expect(canInvite(state, 0).ok).toBe(role !== 'guest');
  expect(canCreateInviteLink(state, 0).ok).toBe(isAdministrator);
  expect(canInviteAs(state, roles.owner).ok).toBe(owner);
  expect(canInviteAs(state, roles.moderator).ok).toBe(isAdministrator);
  expect(canInviteAs(state, roles.guest).ok).toBe(true);
  expect(canCreateBot(state, 0, botTypes.generic).ok).toBe(role !== 'guest');
});

test('permissions: roles that can be given', () => {
  const rolesFor = (role: number, id: number, otherOwner = true) => {
    const state = stateAs(role, otherOwner);
    const user = state.users.get(id);
    return Object.values(roles).filter((one) => user !== undefined && canGiveRole(state, user, one).ok);
  };
  expect(rolesFor(roles.owner, other.member)).toEqual([100, 200, 300, 400, 600]);
  expect(rolesFor(roles.administrator, other.member)).toEqual([200, 300, 400, 600]);
  expect(rolesFor(roles.owner, other.guest)).toEqual([300, 400, 600]);
  expect(rolesFor(roles.administrator, other.owner)).toEqual([100]);
  expect(rolesFor(roles.owner, other.owner)).toEqual([100, 200, 300, 400, 600]);
  expect(rolesFor(roles.owner, eg.selfId, false)).toEqual([100]);
  expect(rolesFor(roles.member, other.member)).toEqual([400]);
});

test('permissions: the only owner cannot be deactivated', () => {
  expect(canDeactivateUser(stateAs(roles.owner, false), eg.selfId).ok).toBe(false);
  const state = stateAs(roles.owner);
  expect(canDeactivateUser(state, eg.selfId).ok).toBe(true);
  const former = eg.user({id: other.owner, role: roles.owner, isActive: false});
  expect(canDeactivateUser({...state, users: state.users.with(other.owner, former)}, eg.selfId).ok).toBe(false);
});

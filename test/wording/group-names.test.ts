import {expect, test} from 'vitest';
import * as eg from '#test/support/state-builders.ts';
import {groupSettingText} from '#wording/group-names.ts';

test('permissions: groups come before users, and without either nobody has it, or only who has it anyway', () => {
  const state = eg.state({
    groups: eg.byId(
      eg.group({id: 1, name: 'role:moderators', isSystemGroup: true}),
      eg.group({id: 2, name: 'support'}),
      eg.group({id: 3, name: 'role:nobody', isSystemGroup: true}),
    ),
    users: eg.users(eg.user({fullName: 'Meg'}), eg.user({id: 11, fullName: 'Otto'})),
  });
  const several = {direct_subgroups: [1, 2, 9], direct_members: [eg.selfId, 11]};
  expect(groupSettingText(state, several)).toBe('Moderators, support, Unknown group, Meg, Otto');
  expect(groupSettingText(state, 1, 'administrators')).toBe('Moderators');
  expect(groupSettingText(state, {direct_subgroups: [], direct_members: []})).toBe('Nobody');
  expect(groupSettingText(state, 3, 'administrators')).toBe('Only administrators');
});
